import type { OrderStatus } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { lockOrder } from '../order/order.sql.ts';
import { decide as decideOrder, statusAt } from '../order/order.ts';
import { decide as decidePayment } from '../payment/payment.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import type { Leg } from './purchase.ts';
import { LEASE_SECONDS } from './purchase-table.ts';
import { revokeItems } from './revoke-items.ts';
import { lockPurchase, savePurchase } from './save-purchase.ts';
import { walk } from './walk.ts';

export interface RequestRefund {
  environmentId: string;
  orderId: string;
  reason: string | null;
}

const UNDER_WAY: readonly OrderStatus[] = ['refund_requested', 'refunded'];

/** Whole and once, by the first caller: asking again changes nothing. */
export async function requestRefund(deps: FulfillmentDeps, input: RequestRefund): Promise<void> {
  const { environmentId, orderId, reason } = input;
  const requested = await deps.db.transaction<Leg>(async tx => {
    const purchase = await lockPurchase(tx, environmentId, orderId);
    if (!purchase) throw await whyNot(tx, input);
    if (UNDER_WAY.includes(purchase.order.status)) return {};
    const order = decideOrder(purchase.order, 'request_refund', purchase.now);
    const payment = decidePayment(purchase.payment, 'request_refund', purchase.now);
    if ('refused' in order || 'refused' in payment) throw wrongStatus(purchase.order.status);
    const after = { order: { ...order.order, problem: null }, payment: { ...payment.payment, refundReason: reason } };
    savePurchase(tx, purchase, after, { nextCheckInSeconds: LEASE_SECONDS, events: [], signals: deps.signals });
    const toSend = await revokeItems(tx, after, 'refund', purchase.now, reason ?? undefined);
    return { toAsk: after, toSend };
  });
  deps.background(walk(deps, requested), 'refund');
}

const wrongStatus = (status: OrderStatus): AppError =>
  new AppError('order_wrong_status', { detail: `The order is ${status}; only a paid one can be refunded.` });

/** There is no payment: either the order was never paid, or there is no such order. */
async function whyNot(tx: Tx, { environmentId, orderId }: RequestRefund): Promise<AppError> {
  const locked = await lockOrder(tx, environmentId, orderId);
  return locked ? wrongStatus(statusAt(locked.order, locked.now)) : new AppError('order_not_found');
}
