import type { EventKind } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import type { Signals } from '../../db/signals.ts';
import { lockOrder, updateOrder } from '../order/order.sql.ts';
import { orderFacts } from '../order/order-facts.ts';
import { findPaymentOfOrder, updatePayment } from '../payment/payment.sql.ts';
import { paymentFacts } from '../payment/payment-facts.ts';
import { insertEvents } from '../webhook/event.sql.ts';
import { orderKey } from './fulfilment-deps.ts';
import type { Story } from './reconcile.ts';

export interface LockedStory extends Story {
  now: Date;
}

export async function lockStory(tx: Tx, environmentId: string, orderId: string): Promise<LockedStory | null> {
  const locked = await lockOrder(tx, environmentId, orderId);
  if (!locked) return null;
  const payment = await findPaymentOfOrder(tx, environmentId, orderId);
  return payment && { ...locked, payment };
}

/** Tells what happened, in the transaction in which it happened. */
export async function tell(tx: Tx, story: Story, kinds: EventKind[]): Promise<void> {
  const { order, payment } = story;
  await insertEvents(
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

export async function saveStory(tx: Tx, before: Story, after: Story, options: SaveOptions): Promise<void> {
  if (after.order !== before.order) {
    await updateOrder(tx, after.order);
    tx.afterCommit(() => options.signals.announce(orderKey(after.order.id)));
  }
  await updatePayment(tx, after.payment, options.attendInSeconds);
  await tell(tx, after, options.events);
}
