import type { Issue } from '@coinslot/contract';
import { attention as texts } from '@coinslot/texts/attention';
import type { Tx } from '../../../db/db.ts';
import { insertJob, type Job } from '../../../jobs/jobs.sql.ts';
import { AppError, foundOr } from '../../../kit/app-error.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Environment } from '../../game/environment.ts';
import {
  type DisputeRecord,
  type DisputeRef,
  lockDispute,
  updateEvidence,
} from '../../payment/disputes/dispute.sql.ts';
import { listDisputeFileContents } from '../../payment/disputes/dispute-file.sql.ts';
import { namedFiles } from '../../payment/disputes/evidence-files.ts';
import type { Evidence } from '../../payment/providers/base/gateway.ts';
import type { Shop } from '../../shop.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { disputeOfJob, settleAnswer } from './settle-dispute.ts';

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
  if (evidenceStatus === 'accepting') return say('evidence.accepting');
  if (evidenceStatus === 'accepted') return say('evidence.accepted');
  if (evidenceStage === 'submitted') return say('evidence.submitted');
  if (evidenceStage === 'closed') return say('evidence.closed');
  return evidenceDueAt && evidenceDueAt <= now ? say('evidence.too_late') : null;
}

const lockAnswerable = (tx: Tx, ref: DisputeRef): Promise<DisputeRecord> =>
  foundOr('dispute_not_found', lockDispute(tx, ref));

export function refuseUnanswerable(dispute: DisputeRecord): void {
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

/** Throws while the provider does not say what became of it, so that the job comes again. */
async function sendEvidence(shop: PurchaseShop, job: Job): Promise<void> {
  const { ref, dispute, gateway } = await disputeOfJob(shop, job);
  if (dispute?.evidenceStatus !== 'sending' || !dispute.evidence || !gateway) return;
  const files = namedFiles(await listDisputeFileContents(shop.db, ref));
  await settleAnswer(shop, ref, await gateway.answerDispute({ ...ref, evidence: dispute.evidence, files }), 'sending');
}

export const disputeJobs = (shop: PurchaseShop) => ({
  [ANSWER_DISPUTE_JOB]: (job: Job): Promise<void> => sendEvidence(shop, job),
});
