import { lockOrder, updateOrder } from '../../order/order.sql.ts';
import { decide } from '../../order/order.ts';
import { insertPayment } from '../../payment/payment.sql.ts';
import { decide as decidePayment, newPayment } from '../../payment/payment.ts';
import { freeGateway } from '../../payment/providers/base/charges.ts';
import { type FulfillmentDeps, orderKey } from './fulfillment-deps.ts';
import type { Leg } from './purchase.ts';
import { askEvent, queueItemEvent } from './queue-item-event.ts';
import { emit } from './save-purchase.ts';
import { walk } from './walk.ts';

export interface ClaimOrder {
  environmentId: string;
  orderId: string;
  email: string | null;
}

/** A free order: nothing to pay, so the game is asked at once. The record is a payment of zero. */
export async function claimOrder(deps: FulfillmentDeps, { environmentId, orderId, email }: ClaimOrder): Promise<void> {
  const leg = await deps.db.transaction<Leg>(async tx => {
    const { order, now } = (await lockOrder(tx, environmentId, orderId))!;
    const decision = decide(order, 'claim', now);
    if ('refused' in decision || order.amountMinor > 0) return {};
    const pending = newPayment(order, { gateway: freeGateway.name, method: 'free', email }, now);
    const authorized = decidePayment(pending, 'authorize', now);
    if ('refused' in authorized) return {};
    const purchase = { order: { ...decision.order, email: email ?? order.email }, payment: authorized.payment };
    updateOrder(tx, purchase.order);
    insertPayment(tx, purchase.payment, null);
    emit(tx, purchase, ['payment.authorized']);
    tx.afterCommit(() => deps.signals.announce(orderKey(orderId)));
    return { toSend: await queueItemEvent(tx, purchase, askEvent(purchase, now)) };
  });
  await walk(deps, leg);
}
