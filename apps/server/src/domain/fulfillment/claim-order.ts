import { lockOrder, updateOrder } from '../order/order.sql.ts';
import { decide, type Order } from '../order/order.ts';
import { freeGateway } from '../payment/gateways/free.ts';
import { insertPayment } from '../payment/payment.sql.ts';
import { decide as decidePayment, newPayment } from '../payment/payment.ts';
import { deliverItem } from './deliver-item.ts';
import { type FulfillmentDeps, orderKey } from './fulfillment-deps.ts';
import { askEvent, queueItemEvent } from './queue-item-event.ts';
import { tell } from './save-purchase.ts';

export interface ClaimOrder {
  environmentId: string;
  orderId: string;
  email: string | null;
}

/** A free order: nothing to pay, so the game is asked at once. The record is a payment of zero. */
export async function claimOrder(deps: FulfillmentDeps, { environmentId, orderId, email }: ClaimOrder): Promise<Order> {
  const claimed = await deps.db.transaction(async tx => {
    const { order, now } = (await lockOrder(tx, environmentId, orderId))!;
    const decision = decide(order, 'claim', now);
    if ('refused' in decision || order.amountMinor > 0) return { order, toSend: null };
    const pending = newPayment(order, { gateway: freeGateway.name, method: 'free', email }, now);
    const authorized = decidePayment(pending, 'authorize', now);
    if ('refused' in authorized) return { order, toSend: null };
    const purchase = { order: { ...decision.order, email: email ?? order.email }, payment: authorized.payment };
    updateOrder(tx, purchase.order);
    insertPayment(tx, purchase.payment, null);
    tell(tx, purchase, ['payment.authorized']);
    tx.afterCommit(() => deps.signals.announce(orderKey(orderId)));
    return { order: purchase.order, toSend: await queueItemEvent(tx, purchase, askEvent(purchase, now)) };
  });
  if (claimed.toSend) await deliverItem(deps, claimed.toSend.delivery, claimed.toSend.target);
  return claimed.order;
}
