import type { AttentionAction } from '@coinslot/contract';
import { AppError, foundOr } from '../../../kit/app-error.ts';
import { type Actor, writeAudit } from '../../audit/audit.ts';
import { findPayment } from '../../payment/payment.sql.ts';
import { isInReview, type Payment } from '../../payment/payment.ts';
import { OutcomeUnknown } from '../../payment/providers/base/gateway.ts';
import { findItemDelivery } from '../../webhook/delivery/delivery.sql.ts';
import { retryDelivery } from '../../webhook/delivery/resend.ts';
import { advanceFromRow } from '../engine/advance-purchase.ts';
import type { Purchase, PurchaseShop } from '../engine/purchase.ts';
import { lockPurchase } from '../engine/save-purchase.ts';
import { isRemovalUnanswered } from '../refund/removal-attention.ts';
import { requestRefund } from '../refund/request-refund.ts';
import { actionsFor, isGameAsked } from './attention-actions.ts';
import {
  acceptCharge,
  lockFor,
  type Note,
  settleElsewhere,
  voidOrRefundPayment,
  type Write,
} from './close-attention.ts';
import { findOpenItemAdd } from './open-grants.sql.ts';

export interface ActOnAttention {
  companyId: string;
  environmentId: string;
  paymentId: string;
  action: AttentionAction;
  /** Why, in the member's words. Needed where the record is closed by hand. */
  reason: string | null;
}

const note = (shop: PurchaseShop, payment: Payment, action: AttentionAction, write: Write, given: Note) =>
  shop.db.transaction(async tx => {
    await lockFor(tx, payment, action);
    write(tx, given);
  });

/** The game may have answered since the list was drawn; then there is nothing left to send. */
async function askGameAgain(
  shop: PurchaseShop,
  actor: Actor,
  { companyId, environmentId }: ActOnAttention,
  purchase: Purchase,
): Promise<void> {
  const { order } = purchase;
  const deliveryId = isRemovalUnanswered(purchase)
    ? (await findItemDelivery(shop.db, environmentId, order.id, 'item.remove'))?.id
    : await findOpenItemAdd(shop.db, environmentId, order.id);
  if (!deliveryId) throw new AppError('payment_not_in_review');
  const entry = { kind: 'grant.retried', objectId: order.id, after: { delivery_id: deliveryId } } as const;
  await retryDelivery(shop, actor, { id: environmentId, companyId }, deliveryId, entry);
}

async function act(shop: PurchaseShop, actor: Actor, input: ActOnAttention, purchase: Purchase): Promise<void> {
  const { payment } = purchase;
  const { companyId, environmentId, paymentId, reason, action } = input;
  const write: Write = (tx, given) =>
    writeAudit(tx, actor, { companyId, environmentId, objectId: paymentId, ...given });
  switch (action) {
    case 'ask_again':
      if (isGameAsked(purchase) || isRemovalUnanswered(purchase)) return askGameAgain(shop, actor, input, purchase);
      await note(shop, payment, action, write, { kind: 'payment.asked_again' });
      return advanceFromRow(shop, { environmentId, paymentId });
    case 'refund': {
      if (
        isInReview(payment) ||
        purchase.order.status === 'rejected' ||
        payment.problem?.some(({ key }) => key === 'orphaned')
      )
        return voidOrRefundPayment(shop, purchase, action, write);
      const { orderId, amountMinor: amount, currency } = payment;
      const after = { reason, order_id: orderId, amount, currency };
      const asked = { companyId, environmentId, kind: 'payment.refund_requested', objectId: paymentId, after } as const;
      return requestRefund(shop, { environmentId, orderId, reason, by: { actor, note: asked } });
    }
    case 'void':
      return voidOrRefundPayment(shop, purchase, action, write);
    case 'accept':
      return acceptCharge(shop, payment, write);
    case 'settle_elsewhere':
      return settleElsewhere(shop, payment, reason, write);
  }
}

export async function actOnAttention(shop: PurchaseShop, actor: Actor, input: ActOnAttention): Promise<Purchase> {
  const { environmentId, paymentId } = input;
  const read = (): Promise<Purchase | null> =>
    shop.db.transaction(async tx => {
      const payment = await findPayment(tx, environmentId, paymentId);
      const locked = payment && (await lockPurchase(tx, environmentId, payment.orderId));
      return locked && { order: locked.order, payment: (await findPayment(tx, environmentId, paymentId))! };
    });
  const purchase = await foundOr('payment_not_found', read());
  if (!actionsFor(purchase).includes(input.action)) throw new AppError('payment_not_in_review');
  try {
    await act(shop, actor, input, purchase);
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error;
    throw new AppError('provider_unreachable', { detail: 'The provider did not say what happened. Try again.' });
  }
  return (await read())!;
}
