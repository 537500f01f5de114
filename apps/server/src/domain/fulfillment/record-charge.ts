import type { Tx } from '../../db/db.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { decide as decideOrder } from '../order/order.ts';
import type { Charge } from '../payment/gateways/gateway.ts';
import { isInReview } from '../payment/is-in-review.ts';
import { findPayment } from '../payment/payment.sql.ts';
import { decide as decidePayment, type Payment } from '../payment/payment.ts';
import { SAVE_METHOD_JOB } from '../payment/save-method.ts';
import { type AppliedCharge, applyCharge } from './apply-charge.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import type { Leg, Purchase } from './purchase.ts';
import { LEASE_SECONDS, nextCheckInSeconds } from './purchase-table.ts';
import { askEvent, queueItemEvent } from './queue-item-event.ts';
import { revokeItems } from './revoke-items.ts';
import { type LockedPurchase, lockPurchase, savePurchase } from './save-purchase.ts';

export type PaymentRef = Pick<Payment, 'environmentId' | 'id' | 'orderId'>;
type RecordDeps = Pick<FulfillmentDeps, 'db' | 'signals'>;

/** Mails and the saved method, each queued once by the step that makes it due. */
function queueJobs(tx: Tx, signals: RecordDeps['signals'], before: Purchase, after: AppliedCharge): void {
  const { environmentId, id: paymentId, saveMethod } = after.payment;
  const names = [
    ...(after.sendReceipt ? ['receipt.send'] : []),
    ...(after.askGame && saveMethod ? [SAVE_METHOD_JOB] : []),
  ];
  for (const name of names) insertJob(tx, { name, environmentId, payload: { paymentId } });
  const isNewlyInReview = isInReview(after.payment) && !isInReview(before.payment);
  if (isNewlyInReview) {
    insertJob(tx, { name: 'notice.send', environmentId, payload: { kind: 'payment_in_review', paymentId } });
  }
  if (names.length > 0 || isNewlyInReview) tx.afterCommit(() => signals.announce('jobs'));
}

/** Under the order's lock. A later attempt may be the order's payment by now; then only this one's own row may change. */
async function lockOwn(tx: Tx, ref: PaymentRef): Promise<LockedPurchase> {
  const locked = (await lockPurchase(tx, ref.environmentId, ref.orderId))!;
  if (locked.payment.id === ref.id) return locked;
  return { ...locked, payment: (await findPayment(tx, ref.environmentId, ref.id))! };
}

/** Brings our record in line with what the provider holds. The first of callback, browser and worker makes the change. */
export function recordCharge({ db, signals }: RecordDeps, ref: PaymentRef, charge: Charge | 'absent'): Promise<Leg> {
  return db.shared(ref.orderId, async tx => {
    const { now, ...before } = await lockOwn(tx, ref);
    const after = applyCharge(before, charge, now);
    if (!after.changed && nextCheckInSeconds(after, charge) === null) return {};
    savePurchase(tx, before, after, {
      // The process that asks the game captures right after its yes. The date is there from now on, so that the yes need not set it.
      nextCheckInSeconds: after.askGame ? LEASE_SECONDS : nextCheckInSeconds(after, charge),
      events: after.events,
      signals,
    });
    queueJobs(tx, signals, before, after);
    if (after.askGame) return { toSend: await queueItemEvent(tx, after, askEvent(after, now)) };
    return { toSend: after.revokeItems ? await revokeItems(tx, after, after.revokeItems, now) : null };
  });
}

export function recordRefundRefused({ db, signals }: RecordDeps, ref: PaymentRef, reason: string): Promise<Leg> {
  return db.transaction(async tx => {
    const { now, ...before } = await lockOwn(tx, ref);
    const payment = decidePayment(before.payment, 'refuse_refund', now);
    const order = decideOrder(before.order, 'refuse_refund', now);
    if ('refused' in payment || 'refused' in order) return {};
    const problem = `The provider refused the refund: ${reason}`;
    const after = { order: { ...order.order, problem }, payment: { ...payment.payment, problem } };
    // The usual reason is a dispute that we have not heard of yet, so the provider is asked what it knows.
    savePurchase(tx, before, after, { nextCheckInSeconds: 0, events: [], signals });
    return {};
  });
}
