import type { OrderStatus } from '@coinslot/contract';
import type { Tx } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { type Actor, type AuditNote, writeAudit } from '../../audit/audit.ts';
import { lockOrder } from '../../order/order.sql.ts';
import { decideOrder, orderIs, statusAt } from '../../order/order.ts';
import { decidePayment } from '../../payment/payment.ts';
import { advancePurchase } from '../engine/advance-purchase.ts';
import type { Followup, PurchaseShop } from '../engine/purchase.ts';
import { lockPurchase, savePurchase } from '../engine/save-purchase.ts';
import { mayRefund } from '../table/purchase-rules.ts';
import { LEASE_SECONDS } from '../table/purchase-table.ts';
import { revokeItems } from './revoke-items.ts';

export interface RequestRefund {
  environmentId: string;
  orderId: string;
  reason: string | null;
  /** The caller named an amount. Refunds are whole. */
  isPartial?: boolean;
  /** The entry of the member who asks; null for the game's backend. */
  by: { actor: Actor; note: AuditNote } | null;
}

/** Whole and once, by the first caller: asking again changes nothing. */
export async function requestRefund(shop: PurchaseShop, input: RequestRefund): Promise<void> {
  const { environmentId, orderId, reason, by } = input;
  if (input.isPartial) throw new AppError('partial_refund_unsupported');
  const requested = await shop.db.transaction<Followup>(async tx => {
    const locked = await lockPurchase(tx, environmentId, orderId);
    if (!locked) throw await whyNot(tx, input);
    const before = locked;
    const { now } = before;
    if (orderIs(before.order.status, 'refund_begun')) return {};
    const order = decideOrder(before.order, 'request_refund', now);
    const payment = decidePayment(before.payment, 'request_refund', now);
    const isAllowed = mayRefund(before);
    if (!isAllowed || 'refused' in order || 'refused' in payment) throw wrongStatus(before.order.status);
    const after = savePurchase(
      tx,
      before,
      {
        order: { ...order.order, problem: null },
        payment: { ...payment.payment, refundReason: reason, problem: null, attention: null },
      },
      { nextCheckInSeconds: LEASE_SECONDS, events: [], signals: shop.signals },
    );
    if (by) writeAudit(tx, by.actor, by.note);
    // Captured money may be refused back, so its items stay until the provider has taken the refund.
    const isReserved = before.order.status === 'authorized';
    const toSend = isReserved ? await revokeItems(tx, after, 'refund', now, reason ?? undefined) : null;
    return { toAsk: after, toSend };
  });
  shop.background(advancePurchase(shop, requested), 'refund');
}

const wrongStatus = (status: OrderStatus): AppError =>
  new AppError('order_wrong_status', { detail: `The order is ${status}; only a paid one can be refunded.` });

/** There is no payment: either the order was never paid, or there is no such order. */
async function whyNot(tx: Tx, { environmentId, orderId }: RequestRefund): Promise<AppError> {
  const locked = await lockOrder(tx, environmentId, orderId);
  return locked ? wrongStatus(statusAt(locked.order, locked.now)) : new AppError('order_not_found');
}
