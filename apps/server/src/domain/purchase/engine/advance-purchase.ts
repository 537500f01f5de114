import { findOrder, lockOrder } from '../../order/order.sql.ts';
import { orderIs } from '../../order/order.ts';
import { findPayment, updatePaymentNextCheckAt } from '../../payment/payment.sql.ts';
import type { ChargeRef } from '../../payment/providers/base/gateway.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import { attemptDelivery, targetOf } from '../../webhook/sending/attempt-delivery.ts';
import { nextAction } from '../table/purchase-rules.ts';
import { type Answer, askProvider } from './ask-provider.ts';
import type { Followup, Purchase } from './purchase.ts';
import type { PurchaseDeps } from './purchase-deps.ts';
import { type Note, type PaymentRef, recordCharge } from './record-charge.ts';
import { recordRefusal } from './record-refusal.ts';
import { holdItemDelivery, settleItemDelivery } from './settle-item-delivery.ts';

/** The process that sent it before died, and the order was refunded before its lease ended: it must not be sent again. */
async function isWithdrawn({ db }: PurchaseDeps, { kind, attemptsMade, environmentId, orderId }: Delivery) {
  if (kind !== 'item.add' || attemptsMade === 1) return false;
  const found = await findOrder(db, environmentId, orderId!);
  return !orderIs(found!.order.status, 'grantable');
}

/** Asks the game once and records what it said. */
async function send(
  deps: PurchaseDeps,
  { delivery, target: known }: NonNullable<Followup['toSend']>,
): Promise<Followup> {
  const target = known ?? (await targetOf(deps.db, delivery));
  if (!target || (await isWithdrawn(deps, delivery))) return holdItemDelivery(deps, delivery);
  const attempted = await attemptDelivery(deps, delivery, target);
  return attempted ? settleItemDelivery(deps, delivery, attempted) : {};
}

/** Asks the provider for what is due and records what it said. */
async function ask(deps: PurchaseDeps, purchase: Purchase): Promise<Followup> {
  const step = nextAction(purchase);
  return step === 'none' ? {} : record(deps, purchase.payment, await askProvider(deps, step, purchase));
}

const record = (deps: PurchaseDeps, payment: PaymentRef, answer: Answer, note?: Note): Promise<Followup> =>
  answer.kind === 'refused' ? recordRefusal(deps, payment, answer, note) : recordCharge(deps, payment, answer, note);

/**
 * The one way on: sends what was queued, asks the provider for what is due, and goes on with what follows from either until
 * nothing is left. The two run side by side, so that a slow game does not hold the money up, nor a silent provider the
 * items. It ends, because an order has one `item.add` and one `item.remove`.
 */
export async function advancePurchase(deps: PurchaseDeps, { toSend, toAsk }: Followup): Promise<void> {
  const goOn = async (next: Promise<Followup>): Promise<void> => advancePurchase(deps, await next);
  const settled = await Promise.allSettled([toSend && goOn(send(deps, toSend)), toAsk && goOn(ask(deps, toAsk))]);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
}

/** Goes on from what the provider said. */
export const advanceFromAnswer = async (
  deps: PurchaseDeps,
  payment: PaymentRef,
  answer: Answer,
  note?: Note,
): Promise<void> => advancePurchase(deps, await record(deps, payment, answer, note));

/** The worker's turn with a delivery that it has claimed. */
export const deliverItem = (deps: PurchaseDeps, delivery: Delivery): Promise<void> =>
  advancePurchase(deps, { toSend: { delivery } });

/** Goes on with a payment from its rows. */
export const advanceFromRow = async (deps: PurchaseDeps, ref: ChargeRef): Promise<void> =>
  advancePurchase(deps, { toAsk: await readPurchase(deps, ref) });

/** Order and payment of one moment: an authorized payment read beside an order that was paid since would be voided. */
function readPurchase({ db }: PurchaseDeps, { environmentId, paymentId }: ChargeRef): Promise<Purchase> {
  return db.transaction(async tx => {
    const { orderId } = (await findPayment(tx, environmentId, paymentId))!;
    const locked = await lockOrder(tx, environmentId, orderId);
    const payment = await findPayment(tx, environmentId, paymentId);
    const purchase = { order: locked!.order, payment: payment! };
    // Nothing is due, so no worker need come back. Under the lock, which every step that makes something due takes too.
    if (nextAction(purchase) === 'none') await updatePaymentNextCheckAt(tx, purchase.payment, null);
    return purchase;
  });
}
