import { lockOrder } from '../order/order.sql.ts';
import { decide as decideOrder } from '../order/order.ts';
import { type Charge, type ChargeRef, chargeIn, type Gateway } from '../payment/gateways/gateway.ts';
import { findPayment, updatePaymentNextCheckAt } from '../payment/payment.sql.ts';
import { decide as decidePayment } from '../payment/payment.ts';
import type { Purchase } from './apply-charge.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';
import { CHALLENGE_SECONDS, type NextStep, nextStep } from './next-step.ts';
import type { ClaimedDelivery } from './queue-item-event.ts';
import { recordCharge } from './record-charge.ts';
import { lockPurchase, savePurchase } from './save-purchase.ts';

type Answer = { kind: 'charge'; charge: Charge | 'absent' } | { kind: 'refund_refused'; reason: string };

const asCharge = (charge: Charge | null): Answer => ({ kind: 'charge', charge: charge ?? 'absent' });

async function voidOrRefund(gateway: Gateway, ref: ChargeRef): Promise<Answer> {
  const charge = await gateway.lookUp(ref);
  if (charge?.status === 'authorized' || charge?.status === 'requires_action')
    return asCharge(chargeIn(await gateway.void(ref)));
  if (charge?.status !== 'captured') return asCharge(charge);
  const answer = await gateway.refund(ref);
  return answer.kind === 'refused'
    ? { kind: 'refund_refused', reason: answer.refusal.reason }
    : asCharge(answer.charge);
}

async function lookUp(gateway: Gateway, ref: ChargeRef, { payment }: Purchase, nowMs: number): Promise<Answer> {
  const charge = await gateway.lookUp(ref);
  const isTooLate = nowMs - payment.updatedAt.getTime() >= CHALLENGE_SECONDS * 1000;
  // The player walked away from the bank's challenge: end it there first, so that it cannot succeed later.
  if (charge?.status === 'requires_action' && payment.status === 'requires_action' && isTooLate) {
    return asCharge(chargeIn(await gateway.void(ref)));
  }
  return asCharge(charge);
}

async function ask(deps: FulfillmentDeps, step: Exclude<NextStep, 'none'>, purchase: Purchase): Promise<Answer> {
  const gateway = deps.gateways[purchase.payment.gateway];
  if (!gateway) throw new Error(`no gateway named ${purchase.payment.gateway}`);
  const { environmentId, id: paymentId, amountMinor, currency } = purchase.payment;
  const ref = { environmentId, paymentId };
  switch (step) {
    case 'look_up':
      return lookUp(gateway, ref, purchase, deps.clock.nowMs());
    case 'capture':
      return asCharge(chargeIn(await gateway.capture({ ...ref, amountMinor, currency })));
    case 'void_or_refund':
      return voidOrRefund(gateway, ref);
  }
}

function recordRefundRefused(
  { db, signals }: FulfillmentDeps,
  { order, payment }: Purchase,
  reason: string,
): Promise<Purchase> {
  return db.transaction(async tx => {
    const before = await lockPurchase(tx, order.environmentId, order.id);
    const refusedPayment = decidePayment(before!.payment, 'refuse_refund', before!.now);
    const refusedOrder = decideOrder(before!.order, 'refuse_refund', before!.now);
    if ('refused' in refusedPayment || 'refused' in refusedOrder || before!.payment.id !== payment.id) return before!;
    const problem = `The provider refused the refund: ${reason}`;
    const after = {
      order: { ...refusedOrder.order, problem },
      payment: { ...refusedPayment.payment, problem },
    };
    // The usual reason is a dispute that we have not heard of yet, so the provider is asked what it knows.
    savePurchase(tx, before!, after, { nextCheckInSeconds: 0, events: [], signals });
    return after;
  });
}

/**
 * Asks the provider for what the row says is due and records the answer. If the answer is not known it throws, and the
 * row's date brings a worker back to ask again.
 */
export async function advancePayment(
  deps: FulfillmentDeps,
  ref: ChargeRef,
): Promise<Purchase & { toSend: ClaimedDelivery | null }> {
  return advancePurchase(deps, await readPurchase(deps, ref));
}

/** Both halves of one moment: a reserved payment read beside an order that was collected since would be given back. */
function readPurchase({ db }: FulfillmentDeps, { environmentId, paymentId }: ChargeRef): Promise<Purchase> {
  return db.transaction(async tx => {
    const { orderId } = (await findPayment(tx, environmentId, paymentId))!;
    const locked = await lockOrder(tx, environmentId, orderId);
    const payment = await findPayment(tx, environmentId, paymentId);
    const purchase = { order: locked!.order, payment: payment! };
    // Nothing is due, so nobody need come back. Under the lock, because whoever makes something due takes it too.
    if (nextStep(purchase) === 'none') await updatePaymentNextCheckAt(tx, purchase.payment, null);
    return purchase;
  });
}

/** The same for a purchase that was read under lock a moment ago, without reading it again. */
export async function advancePurchase(
  deps: FulfillmentDeps,
  purchase: Purchase,
): Promise<Purchase & { toSend: ClaimedDelivery | null }> {
  const step = nextStep(purchase);
  if (step === 'none') return { ...purchase, toSend: null };
  const answer = await ask(deps, step, purchase);
  const { environmentId, id: paymentId, orderId } = purchase.payment;
  if (answer.kind === 'refund_refused')
    return { ...(await recordRefundRefused(deps, purchase, answer.reason)), toSend: null };
  return recordCharge(deps, { environmentId, paymentId, orderId }, answer.charge);
}
