import type { Device, EventKind } from '@coinslot/contract';
import { type Phrase, phrase } from '@coinslot/texts/attention';
import type { Tx } from '../../../db/db.ts';
import type { Signals } from '../../../db/signals.ts';
import { insertJob } from '../../../jobs/jobs.sql.ts';
import { insertEvents, insertOpenedEvent } from '../../event/event.sql.ts';
import { expectOrder, lockOrder, updateOrder } from '../../order/order.sql.ts';
import { type Order, orderKey } from '../../order/order.ts';
import { orderFacts } from '../../order/order-view.ts';
import { findPayment, findPaymentOfOrder, updatePayment, updatePaymentCheckWithin } from '../../payment/payment.sql.ts';
import type { Payment } from '../../payment/payment.ts';
import { announcePayment, paymentFacts } from '../../payment/payment-view.ts';
import type { Shop } from '../../shop.ts';
import type { LockedPurchase, Purchase } from './purchase.ts';

export async function lockPurchase(tx: Tx, environmentId: string, orderId: string): Promise<LockedPurchase | null> {
  // Sent together: the second runs when the first has its lock, so it reads what the lock protects.
  const [locked, payment] = await Promise.all([
    lockOrder(tx, environmentId, orderId),
    findPaymentOfOrder(tx, environmentId, orderId),
  ]);
  return locked && payment && { payment, ...locked };
}

/**
 * The same for one payment of the order: a later attempt may be the order's payment by now, and then only this one's own row
 * may change.
 */
export async function lockPurchaseOf(
  tx: Tx,
  { environmentId, id, orderId }: Pick<Payment, 'environmentId' | 'id' | 'orderId'>,
): Promise<LockedPurchase> {
  const locked = (await lockPurchase(tx, environmentId, orderId))!;
  if (locked.payment.id === id) return locked;
  return { ...locked, payment: (await findPayment(tx, environmentId, id))! };
}

/** A purchase as this process saved it a moment ago. Nothing is locked: a step on it writes order and payment, or only the order. */
export const expectPurchase = (known: LockedPurchase): LockedPurchase =>
  Object.assign(expectOrder(known), { payment: known.payment });

/** Emits what happened, in the transaction in which it happened. */
export function emit(tx: Tx, purchase: Purchase, kinds: EventKind[]): void {
  const { order, payment } = purchase;
  announcePayment(tx, payment, kinds);
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

interface SaveOptions {
  nextCheckInSeconds: number | null;
  events: EventKind[];
  signals: Signals;
  playerMessage?: string | null;
}

const inSeconds = (now: Date, seconds: number | null): Date | null =>
  seconds === null ? null : new Date(now.getTime() + seconds * 1000);

/** The order shows what its payment needs. A date of the game's deliveries stands; every other is the payment's own. */
function withAttention(before: LockedPurchase, after: Purchase, { nextCheckInSeconds }: SaveOptions): Purchase {
  const { now } = before;
  const { attention: given } = after.payment;
  if (given === null && before.payment.attention === null) return after;
  const nextCheckAt = given?.code.endsWith('_unanswered') ? given.nextCheckAt : inSeconds(now, nextCheckInSeconds);
  const attention = given && { ...given, nextCheckAt };
  return { payment: { ...after.payment, attention }, order: { ...after.order, attention, updatedAt: now } };
}

/** Notifies members and observers of what newly needs attention. */
function announceAttention(tx: Tx, before: Purchase, after: Purchase, signals: Signals): EventKind[] {
  const given = after.payment.attention;
  const known = before.payment.attention;
  // A second dispute has the code of the first, and is news all the same: it stands since another time.
  if (!given || (given.code === known?.code && given.since.getTime() === known.since.getTime())) return [];
  const { environmentId, id: paymentId } = after.payment;
  insertJob(tx, { name: 'notice.send', environmentId, payload: { kind: 'attention', paymentId } });
  tx.afterCommit(() => signals.announce('jobs'));
  return ['payment.attention'];
}

/** Answers the purchase as it was saved. */
export function savePurchase(tx: Tx, before: LockedPurchase, given: Purchase, options: SaveOptions): LockedPurchase {
  const { nextCheckInSeconds, signals, playerMessage } = options;
  const { order, payment } = withAttention(before, given, options);
  const isMoved = payment !== before.payment;
  const locked = order === before.order ? { ...before } : updateOrder(tx, before, order, playerMessage);
  const saved: LockedPurchase = Object.assign(locked, {
    payment: isMoved ? updatePayment(tx, payment, nextCheckInSeconds) : payment,
  });
  if (order !== before.order) tx.afterCommit(() => signals.announce(orderKey(order.id)));
  if (!isMoved && nextCheckInSeconds !== null) updatePaymentCheckWithin(tx, payment, nextCheckInSeconds);
  emit(tx, saved, [...options.events, ...announceAttention(tx, before, saved, signals)]);
  return saved;
}

export const NO_ENDPOINT = phrase('no_endpoint');

/** The game has not answered `item.add`: the player has paid and waits. */
export function markUnanswered(
  tx: Tx,
  signals: Signals,
  before: LockedPurchase,
  why: Phrase,
  nextCheckAt: Date | null,
): void {
  const code = 'grant_unanswered' as const;
  const { order, payment, now } = before;
  const since = payment.attention?.code === code ? payment.attention.since : now;
  const after = {
    order,
    payment: { ...payment, attention: { code, since, detail: [why], isFinal: false, nextCheckAt } },
  };
  savePurchase(tx, before, after, { nextCheckInSeconds: null, events: [], signals });
}

/** Emits once for each order that the player has opened the form, and answers whether this was that time. */
export function emitOpened(
  { db }: Shop,
  { environmentId, id: orderId, playerId }: Order,
  device: Device,
): Promise<boolean> {
  const data = { order_id: orderId, player_id: playerId, device };
  return db.transaction(tx => insertOpenedEvent(tx, { environmentId, orderId, kind: 'checkout.opened', data }));
}
