import type { OrderStatus } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { type Actor, type AuditNote, writeAudit } from '../audit/audit.ts';
import { findOrder } from '../order/order.sql.ts';
import { decide as decideOrder } from '../order/order.ts';
import { decide as decidePayment } from '../payment/payment.ts';
import { continuePayment } from './check-payment.ts';
import { deliverItem } from './deliver-item.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { LEASE_SECONDS } from './next-step.ts';
import { revokeItems } from './revoke-items.ts';
import { lockPurchase, savePurchase } from './save-purchase.ts';

export interface RequestRefund {
  environmentId: string;
  orderId: string;
  reason: string | null;
  /** The entry of the member who asks; null for the game's backend. */
  by: { actor: Actor; note: AuditNote } | null;
}

const UNDER_WAY: readonly OrderStatus[] = ['refund_requested', 'refunded'];

/** Whole, once, by whoever is first: asking again changes nothing. */
export async function requestRefund(deps: FulfillmentDeps, input: RequestRefund): Promise<void> {
  const { environmentId, orderId, reason, by } = input;
  const requested = await deps.db.transaction(async tx => {
    const purchase = await lockPurchase(tx, environmentId, orderId);
    if (!purchase) throw await whyNot(tx, input);
    if (UNDER_WAY.includes(purchase.order.status)) return null;
    const order = decideOrder(purchase.order, 'request_refund', purchase.now);
    const payment = decidePayment(purchase.payment, 'request_refund', purchase.now);
    if ('refused' in order || 'refused' in payment) throw wrongStatus(purchase.order.status);
    const after = { order: { ...order.order, problem: null }, payment: { ...payment.payment, refundReason: reason } };
    savePurchase(tx, purchase, after, { nextCheckInSeconds: LEASE_SECONDS, events: [], signals: deps.signals });
    if (by) writeAudit(tx, by.actor, by.note);
    const toSend = await revokeItems(tx, after, 'refund', purchase.now, reason ?? undefined);
    return { paymentId: after.payment.id, toSend };
  });
  if (!requested) return;
  const { paymentId, toSend } = requested;
  if (toSend) deps.background(deliverItem(deps, toSend.delivery, toSend.target), 'item.remove');
  deps.background(continuePayment(deps, { environmentId, paymentId }), 'refund');
}

const wrongStatus = (status: OrderStatus): AppError =>
  new AppError('order_wrong_status', { detail: `The order is ${status}; only a paid one can be refunded.` });

/** There is no payment: either the order was never paid, or there is no such order. */
async function whyNot(tx: Tx, { environmentId, orderId }: RequestRefund): Promise<AppError> {
  const found = await findOrder(tx, environmentId, orderId);
  return found ? wrongStatus(found.order.status) : new AppError('order_not_found');
}
