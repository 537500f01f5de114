import type { Charge } from '../base/charge-shape.ts';
import { declinedCharge, shopDecline } from '../base/charges.ts';
import { ProviderFault } from '../base/fault.ts';
import { ChargeMissing, OutcomeUnknown } from '../base/gateway.ts';
import { isShopProblem } from '../base/problems.ts';
import { updateChargeEnded, updateChargeHold } from '../base/provider-charge.sql.ts';
import { getOrder, getOrderIfThere } from './ask-payment.ts';
import { plain, voidedCharge, waitingCharge } from './charge-of-payment.ts';
import { factsOf, move, type PaypalCharge } from './paypal-charge.ts';
import { currentHold, readCapture, readHold } from './read-money.ts';
import { TIMEOUTS_MS } from './wire/paypal-client.ts';
import { approvalUrlOf, type PaypalAuthorization, type PaypalOrder, paymentsOf } from './wire/paypal-objects.ts';

/** PayPal forgets an order that no player has approved after a few hours. */
const ORDER_LIFE_SECONDS = 6 * 3_600;

/** What was given up or refused holds no money. A reservation that came about all the same is released. */
async function readEnded(found: PaypalCharge): Promise<Charge | null> {
  const { row } = found;
  const facts = factsOf(found);
  const order = await getOrderIfThere(found);
  for (const { id, status } of (order && paymentsOf(order).authorizations) ?? []) {
    if (status === 'CREATED' || status === 'PENDING') await releaseHold(found, id);
  }
  if (row.ended === 'never') return null;
  if (row.ended === 'voided' || !row.refusal) return voidedCharge(facts);
  const { refusal } = row;
  const isKnown = refusal.whose === 'bank' || isShopProblem(refusal.code);
  const code = isKnown ? refusal.code : 'provider_refused';
  return declinedCharge(plain(facts), { code, refusal });
}

/** Under a key of its own, because it is made whatever else was asked. */
async function releaseHold(found: PaypalCharge, holdId: string): Promise<void> {
  try {
    await move(found, `release ${holdId}`, { path: `/v2/payments/authorizations/${holdId}/void` });
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    if (error.code !== 'PREVIOUSLY_VOIDED')
      throw new OutcomeUnknown(`PayPal did not release a reservation: ${error.code}`);
  }
}

async function end(found: PaypalCharge, ended: 'voided' | 'never'): Promise<Charge | null> {
  await updateChargeEnded(found.db, found.row, ended);
  return ended === 'never' ? null : voidedCharge(factsOf(found));
}

async function takeHold(found: PaypalCharge, hold: PaypalAuthorization, order: PaypalOrder): Promise<Charge | null> {
  if (await updateChargeHold(found.db, found.row, hold.id)) return readHold(found, hold, order);
  found.row.ended = 'voided';
  return readEnded(found);
}

/** From what PayPal says of the order to what it holds. An order that the player approved is authorized here. */
async function readOrder(found: PaypalCharge, order: PaypalOrder): Promise<Charge | null> {
  const [hold] = paymentsOf(order).authorizations ?? [];
  if (hold) return takeHold(found, hold, order);
  switch (order.status) {
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED':
      // No player was sent to approve it: a saved method was to pay, and the call that says so got lost.
      if (!found.row.nextAction) return end(found, 'never');
      return found.keep(found.row, waitingAt(found, order));
    case 'APPROVED':
      return authorizeOrder(found, {});
    case 'VOIDED':
      return end(found, 'voided');
    default:
      throw new OutcomeUnknown(`PayPal answered with an order that is ${order.status}.`);
  }
}

/** PayPal leaves the link out of some answers; where it leads does not change. */
function waitingAt(found: PaypalCharge, order: PaypalOrder): Charge {
  const href = approvalUrlOf(order) ?? found.row.nextAction?.redirectUrl;
  const links = href ? [{ rel: 'payer-action', href }] : [];
  return waitingCharge(factsOf(found), { ...order, links });
}

const STANDS_ELSEWHERE: readonly string[] = ['ORDER_ALREADY_AUTHORIZED', 'ORDER_COMPLETED_OR_VOIDED'];
const WAITS_FOR_PLAYER: readonly string[] = ['ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED'];

/** The one call by which money is reserved. PayPal takes it once for an order, whatever its request id. */
export async function authorizeOrder(found: PaypalCharge, body: object): Promise<Charge | null> {
  const { row } = found;
  try {
    const order = await move<PaypalOrder>(found, 'authorize', {
      path: `/v2/checkout/orders/${row.intentId}/authorize`,
      body,
      timeoutMs: TIMEOUTS_MS.charge,
    });
    const [hold] = paymentsOf(order).authorizations ?? [];
    if (hold) return await takeHold(found, hold, order);
    if (order.status === 'PAYER_ACTION_REQUIRED') return await found.keep(found.row, waitingAt(found, order));
    throw new OutcomeUnknown('PayPal authorized an order and names no reservation.');
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return afterRefusal(found, error);
  }
}

async function afterRefusal(found: PaypalCharge, fault: ProviderFault): Promise<Charge | null> {
  const { code: issue, refusal, decline, facts } = fault;
  if (WAITS_FOR_PLAYER.includes(issue)) {
    // What is asked for now may lie elsewhere than where the player said yes before.
    const links = facts.actionUrl ? [{ rel: 'payer-action', href: facts.actionUrl }] : [];
    return found.keep(found.row, waitingAt(found, { id: found.row.intentId, status: 'PAYER_ACTION_REQUIRED', links }));
  }
  if (issue === 'ORDER_EXPIRED') return end(found, 'voided');
  if (STANDS_ELSEWHERE.includes(issue)) {
    const order = await getOrder(found);
    if (order.status === 'APPROVED') throw new OutcomeUnknown('PayPal contradicts itself about an order.');
    return readOrder(found, order);
  }
  // Nothing is sent for this order any more: the player begins another one.
  await updateChargeEnded(found.db, found.row, 'declined', refusal);
  await found.refuse(found.row, refusal);
  const isGone = decline.code === 'saved_method_gone';
  const why = isGone ? shopDecline('saved_method_gone', { requestId: refusal.requestId }) : decline;
  return declinedCharge(plain(factsOf(found)), why);
}

/** What PayPal holds. Null: nothing, and nothing will come. */
export async function readCharge(found: PaypalCharge): Promise<Charge | null> {
  const { row } = found;
  if (row.captureId !== null) {
    const charge = await readCapture(found, row.captureId);
    if (charge) return charge;
  }
  if (row.ended !== null) return readEnded(found);
  if (row.holdId !== null) return readHold(found, await currentHold(found, row.holdId));
  const order = await getOrderIfThere(found);
  if (order) return readOrder(found, order);
  // Had it been approved and authorized without our hearing of it, the reservation would lapse by itself.
  if (row.ageSeconds >= ORDER_LIFE_SECONDS) return end(found, 'voided');
  throw new ChargeMissing('PayPal has no such order.');
}
