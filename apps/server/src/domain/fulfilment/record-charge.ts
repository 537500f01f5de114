import { insertJob } from '../../jobs/jobs.sql.ts';
import type { Charge, ChargeRef } from '../payment/gateways/gateway.ts';
import { isHeld } from '../payment/is-held.ts';
import { findPayment } from '../payment/payment.sql.ts';
import type { FulfilmentDeps } from './fulfilment-deps.ts';
import { attendInSeconds, LEASE_SECONDS } from './next-step.ts';
import { askEvent, type ClaimedDelivery, queueItemEvent } from './queue-item-event.ts';
import { reconcile, type Story } from './reconcile.ts';
import { lockStory, saveStory } from './save-story.ts';
import { takeBack } from './take-back.ts';

export interface Recorded extends Story {
  /** What this process sends next, already claimed. */
  toSend: ClaimedDelivery | null;
}

/** Brings our record in line with what the provider holds. Callback, browser, worker: whoever is first makes the change. */
export function recordCharge(
  { db, signals }: Pick<FulfilmentDeps, 'db' | 'signals'>,
  ref: ChargeRef & { orderId: string },
  charge: Charge | 'absent',
): Promise<Recorded> {
  return db.shared(ref.orderId, async tx => {
    const locked = await lockStory(tx, ref.environmentId, ref.orderId);
    // A later attempt is the order's payment by now; this one is over and only its own row may change.
    const own =
      locked!.payment.id === ref.paymentId ? locked!.payment : await findPayment(tx, ref.environmentId, ref.paymentId);
    const before: Story = { order: locked!.order, payment: own! };
    const after = reconcile(before, charge, locked!.now);
    if (!after.changed && attendInSeconds(after, charge) === null) return { toSend: null, ...after };
    saveStory(tx, before, after, {
      // Whoever asks the game collects right after its yes. The date is there from now on, so that the yes need not set it.
      attendInSeconds: after.askGame ? LEASE_SECONDS : attendInSeconds(after, charge),
      events: after.events,
      signals,
    });
    if (isHeld(after.payment) && !isHeld(before.payment)) {
      const payload = { kind: 'payment_held', paymentId: after.payment.id };
      insertJob(tx, { name: 'notice.send', environmentId: ref.environmentId, payload });
      tx.afterCommit(() => signals.announce('jobs'));
    }
    if (after.sendReceipt) {
      const payload = { paymentId: after.payment.id };
      insertJob(tx, { name: 'receipt.send', environmentId: ref.environmentId, payload });
      tx.afterCommit(() => signals.announce('jobs'));
    }
    if (after.askGame) return { toSend: await queueItemEvent(tx, after, askEvent(after, locked!.now)), ...after };
    return { toSend: after.takeBack ? await takeBack(tx, after, after.takeBack, locked!.now) : null, ...after };
  });
}
