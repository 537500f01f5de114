import { newId } from '../../../kit/ids.ts';
import { findOrder, lockOrder } from '../../order/order.sql.ts';
import { orderIs } from '../../order/order.ts';
import { findPayment, findPaymentOfOrder } from '../../payment/payment.sql.ts';
import { updatePaymentNextCheckAt } from '../../payment/payment-checks.sql.ts';
import type { ChargeRef } from '../../payment/providers/base/gateway.ts';
import type { Delivery } from '../../webhook/delivery/delivery.sql.ts';
import { attemptDelivery, targetOf } from '../../webhook/sending/attempt-delivery.ts';
import { nextAction } from '../table/purchase-rules.ts';
import { askProvider, type ProviderAnswer } from './ask-provider.ts';
import { holdItemDelivery, putOffItemDelivery } from './hold-item-delivery.ts';
import type { Followup, LockedPurchase, PurchaseShop } from './purchase.ts';
import { type AskedPayment, type Recording, recordCharge } from './record-charge.ts';
import { recordRefusal } from './record-refusal.ts';
import { releaseIfLost } from './release-lost.ts';
import { settleItemDelivery } from './settle-item-delivery.ts';

/** The order was refunded while it waited, or while the process that sent it before was dead: the game must not be asked. */
async function isWithdrawn({ db }: PurchaseShop, { kind, environmentId, orderId }: Delivery) {
  if (kind !== 'item.add') return false;
  const found = await findOrder(db, environmentId, orderId!);
  return !orderIs(found!.order.status, 'grantable');
}

/** Its account was disconnected since the money was reserved: what the game granted now could not be captured. */
async function isUncollectable(shop: PurchaseShop, { kind, environmentId, orderId }: Delivery): Promise<boolean> {
  if (kind !== 'item.add') return false;
  const payment = await findPaymentOfOrder(shop.db, environmentId, orderId!);
  if (payment?.status !== 'authorized') return false;
  const gateway = shop.gateways[payment.gateway];
  if (!gateway?.canCapture) return false;
  return !(await gateway.canCapture({ environmentId, paymentId: payment.id }));
}

/** Asks the game once and records what it said. What this process reserved a moment ago is sent without a further look. */
async function send(
  shop: PurchaseShop,
  { delivery, target: known, of }: NonNullable<Followup['toSend']>,
): Promise<Followup> {
  const target = known ?? (await targetOf(shop.db, delivery));
  if (!target || (!known && (await isWithdrawn(shop, delivery)))) return holdItemDelivery(shop, delivery);
  if (!known && (await isUncollectable(shop, delivery))) return putOffItemDelivery(shop, delivery);
  const attempted = await attemptDelivery(shop, delivery, target);
  return attempted ? settleItemDelivery(shop, delivery, attempted, of) : {};
}

/** Each time another process has recorded something meanwhile, which ends soon. */
const MOST_LOOKS = 5;

/** What the provider holds now, recorded over the payment as it stands now. */
async function lookOnceMore(shop: PurchaseShop, { environmentId, id: paymentId }: AskedPayment): Promise<Followup> {
  const payment = (await findPayment(shop.db, environmentId, paymentId))!;
  const { order } = (await findOrder(shop.db, environmentId, payment.orderId))!;
  const purchase = { order, payment };
  const step = nextAction(purchase);
  const answer = await askProvider(shop, step === 'none' ? 'look_up' : step, purchase);
  return answer.kind === 'refused' ? recordRefusal(shop, payment, answer) : recordCharge(shop, payment, answer);
}

/** Asks the provider for what is due and records what it said. */
async function ask(shop: PurchaseShop, known: LockedPurchase, claimId: string): Promise<Followup> {
  const step = nextAction(known);
  return step === 'none' ? {} : record(shop, known.payment, await askProvider(shop, step, known), { known, claimId });
}

/** What is under a lease while an answer of the provider is recorded: the payment, and the items that follow from it. */
function heldWith(payment: AskedPayment) {
  const { environmentId, orderId } = payment;
  const claimId = newId('job');
  return { payment, delivery: { environmentId, orderId, claimId }, claimId };
}

async function record(
  shop: PurchaseShop,
  payment: AskedPayment,
  answer: ProviderAnswer,
  recording: Recording,
): Promise<Followup> {
  if (answer.kind === 'refused') return recordRefusal(shop, payment, answer, recording.note);
  let followup = await recordCharge(shop, payment, answer, recording);
  for (let look = 0; followup.isOvertaken && look < MOST_LOOKS; look++) followup = await lookOnceMore(shop, payment);
  return followup;
}

/**
 * The one way on: sends what was queued, asks the provider for what is due, and goes on with what follows from either until
 * nothing is left. The two run side by side, so that a slow game does not hold the money up, nor a silent provider the
 * items. It ends, because an order has one `item.add` and one `item.remove`.
 */
export async function advancePurchase(shop: PurchaseShop, { toSend, toAsk }: Followup): Promise<void> {
  const goOn = async (next: Promise<Followup>): Promise<void> => advancePurchase(shop, await next);
  const sent =
    toSend && releaseIfLost(shop, { delivery: toSend.delivery, payment: toSend.of?.payment }, send(shop, toSend));
  const held = toAsk && heldWith(toAsk.payment);
  const asked = toAsk && held && releaseIfLost(shop, held, ask(shop, toAsk, held.claimId));
  const settled = await Promise.allSettled([sent && goOn(sent), asked && goOn(asked)]);
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
}

/** Goes on from what the provider said. */
export async function advanceFromAnswer(
  shop: PurchaseShop,
  payment: AskedPayment,
  answer: ProviderAnswer,
  recording?: Recording,
): Promise<void> {
  const held = heldWith(payment);
  const { claimId } = held;
  await advancePurchase(
    shop,
    await releaseIfLost(shop, held, record(shop, payment, answer, { ...recording, claimId })),
  );
}

/** The worker's turn with a delivery that it has claimed. */
export const deliverItem = (shop: PurchaseShop, delivery: Delivery): Promise<void> =>
  advancePurchase(shop, { toSend: { delivery } });

/** Goes on with a payment from its rows. */
export const advanceFromRow = async (shop: PurchaseShop, ref: ChargeRef): Promise<void> =>
  advancePurchase(shop, { toAsk: await readPurchase(shop, ref) });

/** Order and payment of one moment: an authorized payment read beside an order that was paid since would be voided. */
function readPurchase({ db }: PurchaseShop, { environmentId, paymentId }: ChargeRef): Promise<LockedPurchase> {
  return db.transaction(async tx => {
    const { orderId } = (await findPayment(tx, environmentId, paymentId))!;
    const locked = await lockOrder(tx, environmentId, orderId);
    const payment = await findPayment(tx, environmentId, paymentId);
    const purchase = { ...locked!, payment: payment! };
    // Nothing is due, so no worker need come back. Under the lock, which every step that makes something due takes too.
    if (nextAction(purchase) === 'none') await updatePaymentNextCheckAt(tx, purchase.payment, null);
    return purchase;
  });
}
