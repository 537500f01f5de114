import type { EventKind } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import type { Signals } from '../../db/signals.ts';
import { lockOrder, updateOrder } from '../order/order.sql.ts';
import { orderFacts } from '../order/order-facts.ts';
import { findPaymentOfOrder, updatePayment, updatePaymentAttended } from '../payment/payment.sql.ts';
import { paymentFacts } from '../payment/payment-facts.ts';
import { insertEvents } from '../webhook/event.sql.ts';
import { orderKey } from './fulfilment-deps.ts';
import { type PaymentTold, paymentTold } from './payment-told.ts';
import type { Story } from './reconcile.ts';

export interface LockedStory extends Story {
  now: Date;
}

export async function lockStory(tx: Tx, environmentId: string, orderId: string): Promise<LockedStory | null> {
  // Sent together: the second runs when the first has its lock, so it reads what the lock protects.
  const [locked, payment] = await Promise.all([
    lockOrder(tx, environmentId, orderId),
    findPaymentOfOrder(tx, environmentId, orderId),
  ]);
  return locked && payment && { payment, ...locked };
}

/** Tells what happened, in the transaction in which it happened. */
export function tell(tx: Tx, story: Story, kinds: EventKind[]): void {
  const { order, payment } = story;
  if (paymentTold.hasSubscribers) {
    tx.afterCommit(() => paymentTold.publish({ payment, kinds } satisfies PaymentTold));
  }
  insertEvents(
    tx,
    kinds.map(kind => ({
      environmentId: order.environmentId,
      orderId: order.id,
      kind,
      data: kind.startsWith('payment.') ? paymentFacts(payment) : orderFacts(order, payment.id),
    })),
  );
}

export interface SaveOptions {
  attendInSeconds: number | null;
  events: EventKind[];
  signals: Signals;
}

export function saveStory(tx: Tx, before: Story, after: Story, options: SaveOptions): void {
  if (after.order !== before.order) {
    updateOrder(tx, after.order);
    tx.afterCommit(() => options.signals.announce(orderKey(after.order.id)));
  }
  if (after.payment !== before.payment) updatePayment(tx, after.payment, options.attendInSeconds);
  else if (options.attendInSeconds !== null) updatePaymentAttended(tx, after.payment, options.attendInSeconds);
  tell(tx, after, options.events);
}
