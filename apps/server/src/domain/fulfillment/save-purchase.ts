import { channel } from 'node:diagnostics_channel';
import type { EventKind } from '@coinslot/contract';
import type { Db, Tx } from '../../db/db.ts';
import type { Signals } from '../../db/signals.ts';
import { lockOrder, updateOrder } from '../order/order.sql.ts';
import type { Order } from '../order/order.ts';
import { orderFacts } from '../order/order-facts.ts';
import { findPaymentOfOrder, updatePayment, updatePaymentAttended } from '../payment/payment.sql.ts';
import type { Payment } from '../payment/payment.ts';
import { paymentFacts } from '../payment/payment-facts.ts';
import { insertEventOnce, insertEvents } from '../webhook/event.sql.ts';
import { orderKey } from './fulfillment-deps.ts';
import type { Purchase } from './purchase.ts';

export interface PaymentChanged {
  payment: Payment;
  kinds: readonly EventKind[];
}

/** For metrics. It costs nothing without a subscriber, and no behavior may depend on one. */
export const paymentChanged = channel('coinslot.payment');

export interface LockedPurchase extends Purchase {
  now: Date;
}

export async function lockPurchase(tx: Tx, environmentId: string, orderId: string): Promise<LockedPurchase | null> {
  // Sent together: the second runs when the first has its lock, so it reads what the lock protects.
  const [locked, payment] = await Promise.all([
    lockOrder(tx, environmentId, orderId),
    findPaymentOfOrder(tx, environmentId, orderId),
  ]);
  return locked && payment && { payment, ...locked };
}

/** Emits what happened, in the transaction in which it happened. */
export function emit(tx: Tx, purchase: Purchase, kinds: EventKind[]): void {
  const { order, payment } = purchase;
  if (paymentChanged.hasSubscribers) {
    tx.afterCommit(() => paymentChanged.publish({ payment, kinds } satisfies PaymentChanged));
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
  nextCheckInSeconds: number | null;
  events: EventKind[];
  signals: Signals;
}

export function savePurchase(tx: Tx, before: Purchase, after: Purchase, options: SaveOptions): void {
  if (after.order !== before.order) {
    updateOrder(tx, after.order);
    tx.afterCommit(() => options.signals.announce(orderKey(after.order.id)));
  }
  if (after.payment !== before.payment) updatePayment(tx, after.payment, options.nextCheckInSeconds);
  else if (options.nextCheckInSeconds !== null) updatePaymentAttended(tx, after.payment, options.nextCheckInSeconds);
  emit(tx, after, options.events);
}

/** Emits once for each order that the player has opened the form, and answers whether this was that time. */
export function emitOpened({ db }: { db: Db }, { environmentId, id: orderId, playerId }: Order): Promise<boolean> {
  const data = { order_id: orderId, player_id: playerId };
  return db.transaction(tx => insertEventOnce(tx, { environmentId, orderId, kind: 'checkout.opened', data }));
}
