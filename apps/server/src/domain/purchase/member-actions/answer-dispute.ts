import type { Issue } from '@coinslot/contract';
import { attention as texts } from '@coinslot/texts/attention';
import type { Tx } from '../../../db/db.ts';
import { insertJob, type Job } from '../../../jobs/jobs.sql.ts';
import { AppError, foundOr } from '../../../kit/app-error.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Environment } from '../../game/environment.ts';
import { orderKey } from '../../order/order.ts';
import {
  type DisputeRecord,
  type DisputeRef,
  findDispute,
  lockDispute,
  updateEvidence,
  updateEvidenceSettled,
  upsertDispute,
} from '../../payment/disputes/dispute.sql.ts';
import { findPayment, updatePaymentCheckWithin } from '../../payment/payment.sql.ts';
import type { Evidence, EvidenceAnswer } from '../../payment/providers/base/gateway.ts';
import type { Shop } from '../../shop.ts';
import type { PurchaseShop } from '../engine/purchase.ts';

const say = texts.in('en');

/** Queued with the evidence; asks the provider until it says yes or no. */
const ANSWER_DISPUTE_JOB = 'dispute.answer';

const TEXTS = ['product', 'delivery', 'receipt', 'history', 'statement'] as const;

const isSame = (a: Evidence, b: Evidence | null): boolean =>
  b !== null && TEXTS.every(part => a[part] === b[part]) && a.email === b.email;

const NOTHING_SAID: Issue = { pointer: '/statement', code: 'required', message: 'Write at least one of the texts.' };

/** Why nothing can be sent now; null: it can. */
export function whyNotAnswerable({ evidenceStage, evidenceStatus, evidenceDueAt, now }: DisputeRecord): string | null {
  if (evidenceStatus === 'sending') return say('evidence.sending');
  if (evidenceStage === 'submitted') return say('evidence.submitted');
  if (evidenceStage === 'closed') return say('evidence.closed');
  return evidenceDueAt && evidenceDueAt <= now ? say('evidence.too_late') : null;
}

async function lockAnswerable(tx: Tx, ref: DisputeRef): Promise<DisputeRecord> {
  const dispute = await foundOr('dispute_not_found', lockDispute(tx, ref));
  return dispute;
}

function refuseUnanswerable(dispute: DisputeRecord): void {
  const detail = whyNotAnswerable(dispute);
  if (detail) throw new AppError('dispute_not_answerable', { detail });
}

type Given = Pick<Environment, 'id' | 'companyId'>;

interface GivenEvidence {
  paymentId: string;
  disputeId: string;
  evidence: Evidence;
}

/** Kept for later; the bank hears nothing of it. */
export async function saveEvidence(
  { db }: Shop,
  actor: Actor,
  environment: Given,
  { paymentId, disputeId, evidence }: GivenEvidence,
): Promise<void> {
  const ref = { environmentId: environment.id, paymentId, disputeId };
  await db.transaction(async tx => {
    const dispute = await lockAnswerable(tx, ref);
    refuseUnanswerable(dispute);
    if (isSame(evidence, dispute.evidence)) return;
    updateEvidence(tx, ref, { evidence, status: 'draft', by: actor.email });
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'dispute.evidence_saved', objectId: paymentId });
  });
}

/** Sends the studio's side to the bank, once. Asking again for the same evidence changes nothing. */
export async function answerDispute(
  { db, signals }: Shop,
  actor: Actor,
  environment: Given,
  { paymentId, disputeId, evidence }: GivenEvidence,
): Promise<void> {
  if (TEXTS.every(part => evidence[part].trim() === '')) {
    throw new AppError('validation_failed', { issues: [NOTHING_SAID] });
  }
  const ref = { environmentId: environment.id, paymentId, disputeId };
  await db.transaction(async tx => {
    const dispute = await lockAnswerable(tx, ref);
    const isAsked = dispute.evidenceStatus === 'sending' || dispute.evidenceStatus === 'taken';
    if (isAsked && isSame(evidence, dispute.evidence)) return;
    refuseUnanswerable(dispute);
    updateEvidence(tx, ref, { evidence, status: 'sending', by: actor.email });
    const note = { ...auditScope(environment), kind: 'dispute.answered', objectId: paymentId } as const;
    writeAudit(tx, actor, { ...note, after: { chars: TEXTS.reduce((sum, part) => sum + evidence[part].length, 0) } });
    insertJob(tx, { name: ANSWER_DISPUTE_JOB, environmentId: environment.id, payload: { paymentId, disputeId } });
    tx.afterCommit(() => signals.announce('jobs'));
  });
}

/** What the provider said, the payment's next check, and the notice of a no are one change. */
async function settle({ db, signals }: PurchaseShop, ref: DisputeRef, answer: EvidenceAnswer): Promise<void> {
  await db.transaction(async tx => {
    const dispute = await lockDispute(tx, ref);
    const payment = await findPayment(tx, ref.environmentId, ref.paymentId);
    if (dispute?.evidenceStatus !== 'sending' || !payment) return;
    const isTaken = answer.kind === 'taken';
    updateEvidenceSettled(tx, ref, {
      status: isTaken ? 'taken' : 'refused',
      refusal: isTaken ? null : answer.refusal,
    });
    if (isTaken) await upsertDispute(tx, ref, answer.dispute);
    else {
      const payload = { kind: 'evidence_refused', paymentId: ref.paymentId };
      insertJob(tx, { name: 'notice.send', environmentId: ref.environmentId, payload });
      tx.afterCommit(() => signals.announce('jobs'));
    }
    // The provider may have news, and says when to ask again.
    updatePaymentCheckWithin(tx, payment, 0);
    tx.afterCommit(() => signals.announce(orderKey(payment.orderId)));
  });
}

/** Throws while the provider does not say what became of it, so that the job comes again. */
async function sendEvidence(shop: PurchaseShop, job: Job): Promise<void> {
  const { paymentId, disputeId } = job.payload;
  const ref = { environmentId: job.environmentId!, paymentId: String(paymentId), disputeId: String(disputeId) };
  const dispute = await findDispute(shop.db, ref);
  const payment = await findPayment(shop.db, ref.environmentId, ref.paymentId);
  const gateway = payment && shop.gateways[payment.gateway];
  if (dispute?.evidenceStatus !== 'sending' || !dispute.evidence || !gateway) return;
  await settle(shop, ref, await gateway.answerDispute({ ...ref, evidence: dispute.evidence }));
}

export const disputeJobs = (shop: PurchaseShop) => ({
  [ANSWER_DISPUTE_JOB]: (job: Job): Promise<void> => sendEvidence(shop, job),
});
