import { lockOrder, updateOrder } from '../../order/order.sql.ts';
import { decideOrder, orderKey } from '../../order/order.ts';
import { insertPayment } from '../../payment/payment.sql.ts';
import { decidePayment, newPayment } from '../../payment/payment.ts';
import { freeGateway } from '../../payment/providers/base/charges.ts';
import { advancePurchase } from './advance-purchase.ts';
import type { Followup, PurchaseShop } from './purchase.ts';
import { askEvent, queueItemEvent } from './queue-item-event.ts';
import { emit } from './save-purchase.ts';

interface ClaimOrder {
  environmentId: string;
  orderId: string;
  email: string | null;
}

/** A free order: nothing to pay, so the game is asked at once. The record is a payment of zero. */
export async function claimOrder(shop: PurchaseShop, { environmentId, orderId, email }: ClaimOrder): Promise<void> {
  const followup = await shop.db.transaction<Followup>(async tx => {
    const locked = (await lockOrder(tx, environmentId, orderId))!;
    const { order, now } = locked;
    const decision = decideOrder(order, 'claim', now);
    if ('refused' in decision || order.amountMinor > 0) return {};
    const pending = newPayment(order, { gateway: freeGateway.name, method: 'free', email }, now);
    const authorized = decidePayment(pending, 'authorize', now);
    if ('refused' in authorized) return {};
    const purchase = { order: { ...decision.order, email: email ?? order.email }, payment: authorized.payment };
    updateOrder(tx, locked, purchase.order);
    insertPayment(tx, purchase.payment, null);
    emit(tx, purchase, ['payment.authorized']);
    tx.afterCommit(() => shop.signals.announce(orderKey(orderId)));
    const { toSend } = await queueItemEvent(tx, purchase, askEvent(purchase, now));
    return { toSend };
  });
  await advancePurchase(shop, followup);
}
