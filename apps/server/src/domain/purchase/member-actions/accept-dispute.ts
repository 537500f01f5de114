import { attention as texts } from '@coinslot/texts/attention';
import { insertJob, type Job } from '../../../jobs/jobs.sql.ts';
import { AppError, foundOr } from '../../../kit/app-error.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Environment } from '../../game/environment.ts';
import { type DisputeRecord, lockDispute, updateAccepting } from '../../payment/disputes/dispute.sql.ts';
import { findPayment } from '../../payment/payment.sql.ts';
import type { Gateway } from '../../payment/providers/base/gateway.ts';
import type { PurchaseShop } from '../engine/purchase.ts';
import { whyNotAnswerable } from './answer-dispute.ts';
import { disputeOfJob, settleAnswer } from './settle-dispute.ts';

const say = texts.in('en');

/** Queued with the decision; asks the provider until it says yes or no. */
const ACCEPT_DISPUTE_JOB = 'dispute.accept';

/** Why the dispute cannot be given up now; null: it can. A bank that only asks is answered or refunded. */
export function whyNotAcceptable(dispute: DisputeRecord, gateway: Gateway | undefined): string | null {
  if (!gateway?.acceptDispute) return say('accept.not_taken');
  if (dispute.status === 'inquiry') return say('accept.inquiry');
  return dispute.status === 'open' ? whyNotAnswerable(dispute) : say('evidence.closed');
}

/** Gives the money of one dispute up, for good. Asking again changes nothing. */
export async function acceptDispute(
  { db, signals, gateways }: PurchaseShop,
  actor: Actor,
  environment: Pick<Environment, 'id' | 'companyId'>,
  { paymentId, disputeId }: { paymentId: string; disputeId: string },
): Promise<void> {
  const ref = { environmentId: environment.id, paymentId, disputeId };
  await db.transaction(async tx => {
    const dispute = await foundOr('dispute_not_found', lockDispute(tx, ref));
    if (dispute.evidenceStatus === 'accepting' || dispute.evidenceStatus === 'accepted') return;
    const payment = await foundOr('payment_not_found', findPayment(tx, environment.id, paymentId));
    const detail = whyNotAcceptable(dispute, gateways[payment.gateway]);
    if (detail) throw new AppError('dispute_not_answerable', { detail });
    updateAccepting(tx, ref, actor.email);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'dispute.accepted', objectId: paymentId });
    insertJob(tx, { name: ACCEPT_DISPUTE_JOB, environmentId: environment.id, payload: { paymentId, disputeId } });
    tx.afterCommit(() => signals.announce('jobs'));
  });
}

/** Throws while the provider does not say what became of it, so that the job comes again. */
async function sendAcceptance(shop: PurchaseShop, job: Job): Promise<void> {
  const { ref, dispute, gateway } = await disputeOfJob(shop, job);
  if (dispute?.evidenceStatus !== 'accepting' || !gateway?.acceptDispute) return;
  await settleAnswer(shop, ref, await gateway.acceptDispute(ref), 'accepting');
}

export const acceptJobs = (shop: PurchaseShop) => ({
  [ACCEPT_DISPUTE_JOB]: (job: Job): Promise<void> => sendAcceptance(shop, job),
});
