import { insertJob } from '../../jobs/jobs.sql.ts';
import type { Charge, ChargeRef } from '../payment/gateways/gateway.ts';
import { isInReview } from '../payment/is-in-review.ts';
import { findPayment } from '../payment/payment.sql.ts';
import { applyCharge, type Purchase } from './apply-charge.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { LEASE_SECONDS, nextCheckInSeconds } from './next-step.ts';
import { askEvent, type ClaimedDelivery, queueItemEvent } from './queue-item-event.ts';
import { revokeItems } from './revoke-items.ts';
import { lockPurchase, savePurchase } from './save-purchase.ts';

export interface Recorded extends Purchase {
  /** What this process sends next, already claimed. */
  toSend: ClaimedDelivery | null;
}

/** Brings our record in line with what the provider holds. Callback, browser, worker: whoever is first makes the change. */
export function recordCharge(
  { db, signals }: Pick<FulfillmentDeps, 'db' | 'signals'>,
  ref: ChargeRef & { orderId: string },
  charge: Charge | 'absent',
): Promise<Recorded> {
  return db.shared(ref.orderId, async tx => {
    const locked = await lockPurchase(tx, ref.environmentId, ref.orderId);
    // A later attempt is the order's payment by now; this one is over and only its own row may change.
    const own =
      locked!.payment.id === ref.paymentId ? locked!.payment : await findPayment(tx, ref.environmentId, ref.paymentId);
    const before: Purchase = { order: locked!.order, payment: own! };
    const after = applyCharge(before, charge, locked!.now);
    if (!after.changed && nextCheckInSeconds(after, charge) === null) return { toSend: null, ...after };
    savePurchase(tx, before, after, {
      // Whoever asks the game collects right after its yes. The date is there from now on, so that the yes need not set it.
      nextCheckInSeconds: after.askGame ? LEASE_SECONDS : nextCheckInSeconds(after, charge),
      events: after.events,
      signals,
    });
    if (isInReview(after.payment) && !isInReview(before.payment)) {
      const payload = { kind: 'payment_in_review', paymentId: after.payment.id };
      insertJob(tx, { name: 'notice.send', environmentId: ref.environmentId, payload });
      tx.afterCommit(() => signals.announce('jobs'));
    }
    if (after.sendReceipt) {
      const payload = { paymentId: after.payment.id };
      insertJob(tx, { name: 'receipt.send', environmentId: ref.environmentId, payload });
      tx.afterCommit(() => signals.announce('jobs'));
    }
    if (after.askGame) return { toSend: await queueItemEvent(tx, after, askEvent(after, locked!.now)), ...after };
    return {
      toSend: after.revokeItems ? await revokeItems(tx, after, after.revokeItems, locked!.now) : null,
      ...after,
    };
  });
}
