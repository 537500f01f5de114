import { type Charge, ChargeMissing, OutcomeUnknown } from '../base/gateway.ts';
import { SHOP_PROBLEMS } from '../base/problems.ts';
import { updateChargeCapture, updateChargeEnded, updateChargeHold } from '../base/provider-steps.sql.ts';
import {
  chargeOfAuthorization,
  chargeOfCapture,
  declinedCharge,
  isInHand,
  ours,
  voidedCharge,
  waitingCharge,
} from './charge-of-payment.ts';
import { ask, callPaypal, type Found, factsOf, keepSeen, move, type PaypalDeps, refuse } from './paypal-context.ts';
import { refusalOf, shopProblemOf } from './paypal-problem.ts';
import { riskOfPayment } from './risk-of-payment.ts';
import { PaypalFault, TIMEOUTS_MS } from './wire/paypal-client.ts';
import {
  approvalUrlOf,
  type PaypalAuthorization,
  type PaypalCapture,
  type PaypalDispute,
  type PaypalOrder,
  type PaypalRefund,
  paymentsOf,
} from './wire/paypal-objects.ts';

/** PayPal forgets an order that no player has approved after a few hours. */
const ORDER_LIFE_SECONDS = 6 * 3_600;

export const getOrder = (deps: PaypalDeps, found: Found): Promise<PaypalOrder> =>
  ask(deps, found, `/v2/checkout/orders/${found.row.intentId}`);

/** Null: PayPal does not tell any more. */
const getOrderIfThere = (deps: PaypalDeps, found: Found): Promise<PaypalOrder | null> =>
  getOrder(deps, found).catch((error: unknown) => {
    if (error instanceof ChargeMissing) return null;
    throw error;
  });

export const getRefund = (deps: PaypalDeps, found: Found, refundId: string): Promise<PaypalRefund> =>
  ask(deps, found, `/v2/payments/refunds/${refundId}`);

export const getAuthorization = (deps: PaypalDeps, found: Found, holdId: string): Promise<PaypalAuthorization> =>
  ask(deps, found, `/v2/payments/authorizations/${holdId}`);

/** The list does not tell how a dispute ended, so each is asked for. */
export async function listDisputes(deps: PaypalDeps, found: Found, captureId: string): Promise<PaypalDispute[]> {
  const { row, account } = found;
  try {
    const { items = [] } = await callPaypal<{ items?: PaypalDispute[] }>(
      deps,
      { environmentId: row.environmentId, account },
      'disputes',
      { method: 'GET', path: '/v1/customer/disputes', query: { disputed_transaction_id: captureId, page_size: '50' } },
    );
    return await Promise.all(
      items.map(({ dispute_id: id }) => ask<PaypalDispute>(deps, found, `/v1/customer/disputes/${id}`)),
    );
  } catch (error) {
    // Keys that may not read disputes: the members were told, and what cannot be read is never won.
    if (error instanceof PaypalFault) return [{ dispute_id: 'unreadable', status: 'OTHER' }];
    throw error;
  }
}

/** Captured money, with what became of it since. */
export async function readCaptured(deps: PaypalDeps, found: Found, capture: PaypalCapture): Promise<Charge> {
  const { row } = found;
  const refundId = row.refundId ?? row.lastRefundId;
  const order = capture.status === 'PARTIALLY_REFUNDED' ? await getOrderIfThere(deps, found) : null;
  const charge = chargeOfCapture(factsOf(found), {
    capture,
    refund: refundId === null ? null : await getRefund(deps, found, refundId),
    refunds: order && (paymentsOf(order).refunds ?? []),
    disputes: row.hasDispute ? await listDisputes(deps, found, capture.id) : [],
  });
  return keepSeen(deps, found, { ...charge, risk: riskOfPayment({ money: capture }) });
}

/** Null: the capture came to nothing, and the reservation tells where the money is. */
async function readCapture(deps: PaypalDeps, found: Found, captureId: string): Promise<Charge | null> {
  const capture = await ask<PaypalCapture>(deps, found, `/v2/payments/captures/${captureId}`);
  if (isInHand(capture)) return readCaptured(deps, found, capture);
  if (capture.status === 'DECLINED' || capture.status === 'FAILED') {
    await updateChargeCapture(deps.db, found.row, null);
    found.row.captureId = null;
    return null;
  }
  if (capture.status !== 'PENDING')
    throw new OutcomeUnknown(`PayPal answered with a capture that is ${capture.status}.`);
  // PayPal reviews it or waits for a bank: the money is reserved, and not ours yet.
  return { ...voidedCharge(factsOf(found)), status: 'authorized' };
}

/** What the reservation says; if it was captured, by us or there, what the capture says. */
async function readHold(
  deps: PaypalDeps,
  found: Found,
  hold: PaypalAuthorization,
  order: PaypalOrder | null = null,
): Promise<Charge> {
  const charge = chargeOfAuthorization(factsOf(found), hold);
  if (charge) return keepSeen(deps, found, { ...charge, risk: riskOfPayment({ order, money: hold }) });
  const capture = paymentsOf(await getOrder(deps, found)).captures?.at(-1);
  if (!capture) throw new OutcomeUnknown('PayPal has captured the payment and does not name the capture yet.');
  await updateChargeCapture(deps.db, found.row, capture.id);
  const read = await readCapture(deps, found, capture.id);
  if (!read) throw new OutcomeUnknown('PayPal says both that the payment was captured and that it was not.');
  return read;
}

/** What was given up or refused holds no money. A reservation that came about all the same is released. */
async function readEnded(deps: PaypalDeps, found: Found): Promise<Charge | null> {
  const { row } = found;
  const facts = factsOf(found);
  const order = await getOrderIfThere(deps, found);
  for (const { id, status } of (order && paymentsOf(order).authorizations) ?? []) {
    if (status === 'CREATED' || status === 'PENDING') await releaseHold(deps, found, id);
  }
  if (row.ended === 'never') return null;
  if (row.ended === 'voided' || !row.refusal) return voidedCharge(facts);
  const { refusal } = row;
  const isTold = refusal.whose === 'bank' || refusal.code in SHOP_PROBLEMS;
  const code = isTold ? refusal.code : 'provider_refused';
  return declinedCharge(facts, { code, refusal });
}

/** Under a key of its own, because it is made whatever else was asked. */
async function releaseHold(deps: PaypalDeps, found: Found, holdId: string): Promise<void> {
  try {
    await move(deps, found, `release ${holdId}`, { path: `/v2/payments/authorizations/${holdId}/void` });
  } catch (error) {
    if (!(error instanceof PaypalFault)) throw error;
    if (error.issue !== 'PREVIOUSLY_VOIDED')
      throw new OutcomeUnknown(`PayPal did not release a reservation: ${error.issue}`);
  }
}

async function end(deps: PaypalDeps, found: Found, ended: 'voided' | 'never'): Promise<Charge | null> {
  await updateChargeEnded(deps.db, found.row, ended);
  return ended === 'never' ? null : voidedCharge(factsOf(found));
}

async function takeHold(
  deps: PaypalDeps,
  found: Found,
  hold: PaypalAuthorization,
  order: PaypalOrder,
): Promise<Charge | null> {
  if (await updateChargeHold(deps.db, found.row, hold.id)) return readHold(deps, found, hold, order);
  found.row.ended = 'voided';
  return readEnded(deps, found);
}

/** From what PayPal says of the order to what it holds. An order that the player approved is authorized here. */
async function readOrder(deps: PaypalDeps, found: Found, order: PaypalOrder): Promise<Charge | null> {
  const [hold] = paymentsOf(order).authorizations ?? [];
  if (hold) return takeHold(deps, found, hold, order);
  switch (order.status) {
    case 'CREATED':
    case 'SAVED':
    case 'PAYER_ACTION_REQUIRED':
      // No player was sent to approve it: a saved method was to pay, and the call that says so got lost.
      if (!found.row.nextAction) return end(deps, found, 'never');
      return keepSeen(deps, found, waitingAt(found, order));
    case 'APPROVED':
      return authorizeOrder(deps, found, {});
    case 'VOIDED':
      return end(deps, found, 'voided');
    default:
      throw new OutcomeUnknown(`PayPal answered with an order that is ${order.status}.`);
  }
}

/** PayPal leaves the link out of some answers; where it leads does not change. */
function waitingAt(found: Found, order: PaypalOrder): Charge {
  const href = approvalUrlOf(order) ?? found.row.nextAction?.redirectUrl;
  const links = href ? [{ rel: 'payer-action', href }] : [];
  return waitingCharge(factsOf(found), { ...order, links });
}

const STANDS_ELSEWHERE: readonly string[] = ['ORDER_ALREADY_AUTHORIZED', 'ORDER_COMPLETED_OR_VOIDED'];
const WAITS_FOR_PLAYER: readonly string[] = ['ORDER_NOT_APPROVED', 'PAYER_ACTION_REQUIRED'];

/** The one call by which money is reserved. PayPal takes it once for an order, whatever its request id. */
export async function authorizeOrder(deps: PaypalDeps, found: Found, body: object): Promise<Charge | null> {
  const { row } = found;
  try {
    const order = await move<PaypalOrder>(deps, found, 'authorize', {
      path: `/v2/checkout/orders/${row.intentId}/authorize`,
      body,
      timeoutMs: TIMEOUTS_MS.charge,
    });
    const [hold] = paymentsOf(order).authorizations ?? [];
    if (hold) return await takeHold(deps, found, hold, order);
    if (order.status === 'PAYER_ACTION_REQUIRED') return await keepSeen(deps, found, waitingAt(found, order));
    throw new OutcomeUnknown('PayPal authorized an order and names no reservation.');
  } catch (error) {
    if (!(error instanceof PaypalFault)) throw error;
    return afterRefusal(deps, found, error);
  }
}

async function afterRefusal(deps: PaypalDeps, found: Found, fault: PaypalFault): Promise<Charge | null> {
  const { issue } = fault;
  if (WAITS_FOR_PLAYER.includes(issue)) {
    return waitingAt(found, { id: found.row.intentId, status: 'PAYER_ACTION_REQUIRED' });
  }
  if (issue === 'ORDER_EXPIRED') return end(deps, found, 'voided');
  if (STANDS_ELSEWHERE.includes(issue)) {
    const order = await getOrder(deps, found);
    if (order.status === 'APPROVED') throw new OutcomeUnknown('PayPal contradicts itself about an order.');
    return readOrder(deps, found, order);
  }
  // Nothing is sent for this order any more: the player begins another one.
  const refusal = refusalOf(fault);
  await updateChargeEnded(deps.db, found.row, 'declined', refusal);
  await refuse(deps, found.row, refusal);
  const code = refusal.whose === 'bank' ? refusal.code : shopProblemOf(fault);
  return declinedCharge(
    factsOf(found),
    code === 'saved_method_gone' ? ours(code, { requestId: fault.debugId }) : { code, refusal },
  );
}

/** A reservation that was renewed is void, and the order names the one in its place: its name may have got lost with an answer. */
async function currentHold(deps: PaypalDeps, found: Found, holdId: string): Promise<PaypalAuthorization> {
  const hold = await getAuthorization(deps, found, holdId);
  if (hold.status !== 'VOIDED') return hold;
  const order = await getOrderIfThere(deps, found);
  const renewed = (order && paymentsOf(order).authorizations)?.find(
    ({ id, status }) => id !== holdId && status !== 'VOIDED',
  );
  if (!renewed || !(await updateChargeHold(deps.db, found.row, renewed.id))) return hold;
  found.row.holdId = renewed.id;
  return renewed;
}

/** What PayPal holds. Null: nothing, and nothing will come. */
export async function readPayment(deps: PaypalDeps, found: Found): Promise<Charge | null> {
  const { row } = found;
  if (row.captureId !== null) {
    const charge = await readCapture(deps, found, row.captureId);
    if (charge) return charge;
  }
  if (row.ended !== null) return readEnded(deps, found);
  if (row.holdId !== null) return readHold(deps, found, await currentHold(deps, found, row.holdId));
  const order = await getOrderIfThere(deps, found);
  if (order) return readOrder(deps, found, order);
  // Had it been approved and authorized without our hearing of it, the reservation would lapse by itself.
  if (row.ageSeconds >= ORDER_LIFE_SECONDS) return end(deps, found, 'voided');
  throw new ChargeMissing('PayPal has no such order.');
}
