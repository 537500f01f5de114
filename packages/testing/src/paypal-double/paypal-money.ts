import {
  DoubleFault,
  type DoubleOrder,
  type DoubleUnit,
  type HeldAuthorization,
  type HeldCapture,
  type HeldRefund,
  notFound,
  type PaypalStore,
  unprocessable,
} from './paypal-store.ts';
import { authorizationView, captureView, disputeView, orderView, refundView, type Views } from './paypal-views.ts';

const DAY = 86_400;
const ORDER_LIFE = 6 * 3_600;

/** What PayPal takes, and how many decimals each may have. */
const DECIMALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD'.split(' ').map(it => [it, 2]),
  ),
  HUF: 0,
  JPY: 0,
  TWD: 0,
};

export function checkMoney(
  { currency_code: currency, value }: { currency_code: string; value: string },
  at: string,
): void {
  const decimals = DECIMALS[currency];
  if (decimals === undefined) throw unprocessable('INVALID_CURRENCY_CODE', `${at}/currency_code`);
  if ((value.split('.')[1] ?? '').length > decimals) throw unprocessable('DECIMAL_PRECISION', `${at}/value`);
  if (Number(value) <= 0) throw unprocessable('CANNOT_BE_ZERO_OR_NEGATIVE', `${at}/value`);
}

export function findOrder(store: PaypalStore, id: string): DoubleOrder {
  const order = store.orders.get(id);
  const isGone = order && order.status !== 'COMPLETED' && store.nowSeconds() - order.madeAt > ORDER_LIFE;
  if (!order || isGone) throw notFound();
  return order;
}

const holdOf = (store: PaypalStore, orderId: string): HeldAuthorization | undefined =>
  [...store.holds.values()].find(hold => hold.orderId === orderId);

/** Lines must add up to what they are said to cost, and that, less the discount, to what is paid. */
function checkItems({ amount, items = [] }: DoubleUnit): void {
  const total = minorOf(amount.breakdown?.item_total ?? { ...amount, value: '0' });
  const sum = items.reduce((all, { unit_amount: unit, quantity }) => all + minorOf(unit) * Number(quantity), 0);
  if (items.length > 0 && sum !== total) throw unprocessable('ITEM_TOTAL_MISMATCH', '/purchase_units/0/amount');
  const discount = amount.breakdown?.discount ? minorOf(amount.breakdown.discount) : 0;
  if (amount.breakdown && total - discount !== minorOf(amount))
    throw unprocessable('AMOUNT_MISMATCH', '/purchase_units/0/amount');
}

export function makeOrder(
  { store }: Views,
  unit: DoubleUnit,
  source: { return_url?: string; cancel_url?: string; wantsVault: boolean; customerId: string | null } | null,
): DoubleOrder {
  checkMoney(unit.amount, '/purchase_units/0/amount');
  checkItems(unit);
  const isUsed = [...store.captures.values()].some(
    ({ orderId }) => unit.invoice_id !== undefined && store.orders.get(orderId)?.unit.invoice_id === unit.invoice_id,
  );
  if (isUsed) throw unprocessable('DUPLICATE_INVOICE_ID', '/purchase_units/0/invoice_id');
  const order: DoubleOrder = {
    id: store.newId('0'),
    status: source ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    unit,
    madeAt: store.nowSeconds(),
    returnUrl: source?.return_url ?? null,
    cancelUrl: source?.cancel_url ?? null,
    wantsVault: source?.wantsVault ?? false,
    customerId: source?.customerId ?? null,
    vaultId: null,
    bank: 'approves',
  };
  store.orders.set(order.id, order);
  return order;
}

/** The player says yes at PayPal. */
export function approveOrder(views: Views, order: DoubleOrder, bank: DoubleOrder['bank'] = 'approves'): void {
  findOrder(views.store, order.id);
  order.status = 'APPROVED';
  order.bank = bank;
  views.store.emit('CHECKOUT.ORDER.APPROVED', 'checkout-order', orderView(views, order));
}

function payBySaved(store: PaypalStore, order: DoubleOrder, vaultId: string): void {
  const token = store.vault.get(vaultId);
  if (!token) throw unprocessable('TOKEN_ID_NOT_FOUND', '/payment_source/paypal/vault_id');
  order.bank = token.bank;
  order.status = 'APPROVED';
}

export function authorize(views: Views, order: DoubleOrder, vaultId: string | null): DoubleOrder {
  const { store } = views;
  if (holdOf(store, order.id)) throw unprocessable('ORDER_ALREADY_AUTHORIZED');
  if (vaultId !== null) payBySaved(store, order, vaultId);
  if (order.status !== 'APPROVED') throw unprocessable('ORDER_NOT_APPROVED');
  if (order.bank === 'declines') throw unprocessable('INSTRUMENT_DECLINED');
  if (order.bank === 'challenges') {
    const href = `${views.url}/checkoutnow?token=${order.id}&step=challenge`;
    throw new DoubleFault(422, 'PAYER_ACTION_REQUIRED', null, [{ href, rel: 'payer-action', method: 'GET' }]);
  }
  const madeAt = store.nowSeconds();
  const hold: HeldAuthorization = {
    id: store.newId('1'),
    status: order.bank === 'reviews' ? 'PENDING' : 'CREATED',
    amount: { currency_code: order.unit.amount.currency_code, value: order.unit.amount.value },
    orderId: order.id,
    madeAt,
    firstAt: madeAt,
  };
  store.holds.set(hold.id, hold);
  order.status = 'COMPLETED';
  if (order.wantsVault) keepInVault(store, order);
  store.move('authorized', order.id);
  store.emit('PAYMENT.AUTHORIZATION.CREATED', 'authorization', authorizationView(views, hold));
  return order;
}

function keepInVault(store: PaypalStore, order: DoubleOrder): void {
  order.customerId ??= `customer_${store.newId('C').slice(-8)}`;
  order.vaultId = store.newId('V').toLowerCase();
  store.vault.set(order.vaultId, { id: order.vaultId, customerId: order.customerId, bank: 'approves' });
}

function usableHold(store: PaypalStore, id: string): HeldAuthorization {
  const hold = store.holds.get(id);
  if (!hold) throw notFound();
  if (hold.status === 'CAPTURED') throw unprocessable('AUTHORIZATION_ALREADY_CAPTURED');
  if (hold.status === 'VOIDED') throw unprocessable('AUTHORIZATION_VOIDED');
  if (hold.status === 'DENIED') throw unprocessable('AUTHORIZATION_DENIED');
  return hold;
}

interface Money {
  currency_code: string;
  value: string;
}

export function capture(views: Views, holdId: string, amount: Money | undefined, status = 'COMPLETED'): HeldCapture {
  const { store } = views;
  const hold = usableHold(store, holdId);
  if (store.nowSeconds() - hold.firstAt > 29 * DAY) throw unprocessable('AUTHORIZATION_EXPIRED');
  const asked = amount ?? hold.amount;
  checkMoney(asked, '/amount');
  if (asked.currency_code !== hold.amount.currency_code)
    throw unprocessable('AUTH_CAPTURE_CURRENCY_MISMATCH', '/amount');
  if (Number(asked.value) > Number(hold.amount.value) * 1.15)
    throw unprocessable('MAX_CAPTURE_AMOUNT_EXCEEDED', '/amount');
  hold.status = 'CAPTURED';
  const fee = { currency_code: asked.currency_code, value: (DECIMALS[asked.currency_code] ?? 0) > 0 ? '0.35' : '35' };
  const breakdown = { gross_amount: asked, paypal_fee: fee };
  const made: HeldCapture = {
    id: store.newId('2'),
    status,
    amount: asked,
    orderId: hold.orderId,
    holdId,
    madeAt: store.nowSeconds(),
    seller_receivable_breakdown: breakdown,
  };
  store.captures.set(made.id, made);
  if (status === 'COMPLETED') store.move('captured', hold.orderId);
  store.emit(`PAYMENT.CAPTURE.${status}`, 'capture', captureView(views, made));
  return made;
}

export function reauthorize({ store }: Views, holdId: string, amount: Money | undefined): HeldAuthorization {
  const hold = usableHold(store, holdId);
  const age = store.nowSeconds() - hold.madeAt;
  const isInTime = age > 3 * DAY && store.nowSeconds() - hold.firstAt <= 29 * DAY;
  if (!isInTime) throw unprocessable('REAUTHORIZATION_NOT_SUPPORTED');
  if (amount) checkMoney(amount, '/amount');
  hold.status = 'VOIDED';
  const fresh = {
    ...hold,
    id: store.newId('1'),
    status: 'CREATED',
    madeAt: store.nowSeconds(),
    amount: amount ?? hold.amount,
  };
  store.holds.set(fresh.id, fresh);
  return fresh;
}

export function release(views: Views, holdId: string): HeldAuthorization {
  const { store } = views;
  const hold = store.holds.get(holdId);
  if (!hold) throw notFound();
  if (hold.status === 'VOIDED') throw unprocessable('PREVIOUSLY_VOIDED');
  if (hold.status === 'CAPTURED') throw unprocessable('PREVIOUSLY_CAPTURED');
  if (hold.status === 'DENIED') throw unprocessable('CANNOT_BE_VOIDED');
  hold.status = 'VOIDED';
  store.move('voided', hold.orderId);
  store.emit('PAYMENT.AUTHORIZATION.VOIDED', 'authorization', authorizationView(views, hold));
  return hold;
}

const minorOf = ({ value }: Money): number => Math.round(Number(value) * 100);

const returnedOf = (store: PaypalStore, captureId: string): number =>
  [...store.refunds.values()]
    .filter(made => made.captureId === captureId && made.status !== 'FAILED' && made.status !== 'CANCELLED')
    .reduce((sum, { amount }) => sum + minorOf(amount), 0);

function moneyOf(minor: number, like: Money): Money {
  const decimals = DECIMALS[like.currency_code] ?? 2;
  return { currency_code: like.currency_code, value: (minor / 100).toFixed(decimals) };
}

const openDisputes = (store: PaypalStore, captureId: string) =>
  [...store.disputes.values()].filter(it => it.captureId === captureId && it.status !== 'RESOLVED');

/** A bank or PayPal has taken the money from the seller. */
const isTaken = (store: PaypalStore, captureId: string): boolean =>
  [...store.disputes.values()].some(
    ({ captureId: of, dispute_outcome: outcome }) =>
      of === captureId && ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'].includes(outcome?.outcome_code ?? ''),
  );

export function refund(views: Views, captureId: string, amount: Money | undefined, status = 'COMPLETED'): HeldRefund {
  const { store } = views;
  const captured = store.captures.get(captureId);
  if (!captured) throw notFound();
  if (captured.status === 'PENDING') throw unprocessable('PENDING_CAPTURE');
  const left = minorOf(captured.amount) - returnedOf(store, captureId);
  if (left === 0 || captured.status === 'REFUNDED') throw unprocessable('CAPTURE_FULLY_REFUNDED');
  if (openDisputes(store, captureId).some(it => it.dispute_life_cycle_stage !== 'INQUIRY')) {
    throw unprocessable('TRANSACTION_DISPUTED');
  }
  if (isTaken(store, captureId)) throw unprocessable('REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK');
  if (amount && minorOf(amount) > left) throw unprocessable('REFUND_AMOUNT_EXCEEDED', '/amount/value');
  const made: HeldRefund = {
    id: store.newId('3'),
    status,
    amount: amount ?? moneyOf(left, captured.amount),
    captureId,
    madeAt: store.nowSeconds(),
  };
  store.refunds.set(made.id, made);
  captured.status = minorOf(made.amount) === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  for (const inquiry of openDisputes(store, captureId)) {
    Object.assign(inquiry, { status: 'RESOLVED', dispute_outcome: { outcome_code: 'CANCELED_BY_BUYER' } });
  }
  store.move('refunded', captured.orderId);
  store.emit(
    status === 'PENDING' ? 'PAYMENT.REFUND.PENDING' : 'PAYMENT.CAPTURE.REFUNDED',
    'refund',
    refundView(views, made),
  );
  return made;
}

/** PayPal or a bank takes the money back. No refund is made of it, and PayPal does not always say why. */
export function reverse(views: Views, captureId: string, reason: string | null): void {
  const { store } = views;
  const captured = store.captures.get(captureId)!;
  const id = store.newId('4');
  const { amount } = captured;
  Object.assign(captured, { status: 'REFUNDED', ...(reason !== null && { status_details: { reason } }) });
  store.booked.push({
    id,
    code: 'T1106',
    amount: { ...amount, value: `-${amount.value}` },
    madeAt: store.nowSeconds(),
    captureId,
  });
  const reversal = { id, status: 'COMPLETED', amount, captureId, madeAt: store.nowSeconds() };
  store.emit('PAYMENT.CAPTURE.REVERSED', 'refund', refundView(views, reversal));
}

/** A refund that was done, or was under way, does not arrive. */
export function failRefund(views: Views, made: HeldRefund): void {
  const { store } = views;
  made.status = 'FAILED';
  const captured = store.captures.get(made.captureId)!;
  captured.status = returnedOf(store, made.captureId) > 0 ? 'PARTIALLY_REFUNDED' : 'COMPLETED';
  store.emit('PAYMENT.REFUND.FAILED', 'refund', refundView(views, made));
}

export interface DisputeState {
  status: string;
  dispute_life_cycle_stage: string;
  dispute_outcome?: { outcome_code: string };
  /** A part of the capture; without it, all of it. */
  value?: string;
  /** What PayPal takes from the seller for it, once it is no inquiry. */
  fee?: string;
}

const feeMovement = (amount: { currency_code: string; value: string }, initiated_time: string) => ({
  affected_party: 'SELLER',
  amount,
  initiated_time,
  type: 'DEBIT',
  reason: 'DISPUTE_FEE',
});

export function openDispute(views: Views, captureId: string, given: DisputeState): string {
  const { store } = views;
  const { value, fee, ...state } = given;
  const { currency_code } = store.captures.get(captureId)!.amount;
  const id = `PP-D-${store.newId('').slice(-6)}`;
  const now = store.nowSeconds();
  const dispute = {
    dispute_id: id,
    create_time: store.isoOf(now),
    reason: 'UNAUTHORISED',
    seller_response_due_date: store.isoOf(now + 10 * DAY),
    ...(value !== undefined && { dispute_amount: { currency_code, value } }),
    ...(fee !== undefined && { money_movements: [feeMovement({ currency_code, value: fee }, store.isoOf(now))] }),
    ...state,
    captureId,
    updatedAt: now,
  };
  store.disputes.set(id, dispute);
  store.emit('CUSTOMER.DISPUTE.CREATED', 'dispute', disputeView(views, dispute, false));
  return id;
}

/** The buyer was not content with the talk: the same case goes on as a claim, and PayPal takes its fee. */
export function escalateDispute(views: Views, id: string, fee: string): void {
  const { store } = views;
  const dispute = store.disputes.get(id)!;
  const now = store.nowSeconds();
  const { currency_code } = store.captures.get(dispute.captureId)!.amount;
  Object.assign(dispute, {
    status: 'WAITING_FOR_SELLER_RESPONSE',
    dispute_life_cycle_stage: 'CHARGEBACK',
    evidences: undefined,
    money_movements: [feeMovement({ currency_code, value: fee }, store.isoOf(now))],
    updatedAt: now,
  });
  store.emit('CUSTOMER.DISPUTE.UPDATED', 'dispute', disputeView(views, dispute, false));
}

interface GivenEvidence {
  evidence_type: string;
  notes?: string;
  documents?: { name: string }[];
}

/** PayPal hears the seller while it waits for the seller, in time, and once. */
export function provideEvidence(views: Views, id: string, evidences: readonly GivenEvidence[]): void {
  const { store } = views;
  const dispute = store.disputes.get(id);
  if (!dispute) throw notFound();
  const isLate = Date.parse(dispute.seller_response_due_date!) / 1000 < store.nowSeconds();
  if (dispute.status !== 'WAITING_FOR_SELLER_RESPONSE' || isLate) {
    throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE');
  }
  Object.assign(dispute, {
    status: 'UNDER_REVIEW',
    evidences: evidences.map(it => ({ ...it, source: 'SUBMITTED_BY_SELLER' })),
    updatedAt: store.nowSeconds(),
  });
  store.emit('CUSTOMER.DISPUTE.UPDATED', 'dispute', disputeView(views, dispute, false));
}

export function closeDispute(views: Views, id: string, outcome: string): void {
  const dispute = views.store.disputes.get(id)!;
  Object.assign(dispute, {
    status: 'RESOLVED',
    dispute_outcome: { outcome_code: outcome },
    updatedAt: views.store.nowSeconds(),
  });
  views.store.emit('CUSTOMER.DISPUTE.RESOLVED', 'dispute', disputeView(views, dispute, false));
}

/** The seller gives the money up, while PayPal waits for the seller. */
export function acceptClaim(views: Views, id: string): void {
  const dispute = views.store.disputes.get(id);
  if (!dispute) throw notFound();
  if (dispute.status !== 'WAITING_FOR_SELLER_RESPONSE') {
    throw unprocessable('ACTION_NOT_ALLOWED_IN_CURRENT_DISPUTE_STATE');
  }
  closeDispute(views, id, 'ACCEPTED');
}
