import { insertJob, type Job } from '../../../jobs/jobs.sql.ts';
import { orderKey } from '../../order/order.ts';
import {
  type DisputeRecord,
  type DisputeRef,
  findDispute,
  lockDispute,
  updateEvidenceSettled,
  upsertDispute,
} from '../../payment/disputes/dispute.sql.ts';
import { findPayment, updatePaymentCheckWithin } from '../../payment/payment.sql.ts';
import type { EvidenceAnswer, Gateway } from '../../payment/providers/base/gateway.ts';
import type { PurchaseShop } from '../engine/purchase.ts';

/** Which dispute a job is about, and who is asked; no gateway: its payment is not here any more. */
export async function disputeOfJob(
  shop: PurchaseShop,
  job: Job,
): Promise<{ ref: DisputeRef; dispute: DisputeRecord | null; gateway: Gateway | null }> {
  const { paymentId, disputeId } = job.payload;
  const ref = { environmentId: job.environmentId!, paymentId: String(paymentId), disputeId: String(disputeId) };
  const dispute = await findDispute(shop.db, ref);
  const payment = await findPayment(shop.db, ref.environmentId, ref.paymentId);
  return { ref, dispute, gateway: (payment && shop.gateways[payment.gateway]) ?? null };
}

/** What the provider said, the payment's next check, and the notice of a no are one change. */
export async function settleAnswer(
  { db, signals }: PurchaseShop,
  ref: DisputeRef,
  answer: EvidenceAnswer,
  asked: 'sending' | 'accepting',
): Promise<void> {
  await db.transaction(async tx => {
    const dispute = await lockDispute(tx, ref);
    const payment = await findPayment(tx, ref.environmentId, ref.paymentId);
    if (dispute?.evidenceStatus !== asked || !payment) return;
    const isTaken = answer.kind === 'taken';
    updateEvidenceSettled(tx, ref, {
      status: isTaken ? (asked === 'sending' ? 'taken' : 'accepted') : 'refused',
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
