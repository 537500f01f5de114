import { invalid, unexpectedState } from './double-error.ts';
import type {
  Booked,
  DoubleCharge,
  DoubleDispute,
  DoublePayout,
  DoubleReview,
  FraudWarning,
  Intent,
  Method,
  Refund,
} from './objects.ts';
import type { Store } from './store.ts';

const FEE_PERCENT = 3;
const DISPUTE_FEE = 1_500;

const detailsOf = (method: Method): Record<string, unknown> => ({
  type: method.type,
  [method.type]: method[method.type],
});

interface Booking {
  amount: number;
  currency: string;
  fee?: number;
  source: string;
  type: string;
  category?: string;
}

function bookEntry(store: Store, { amount, currency, fee = 0, source, type, category = type }: Booking): Booked {
  const { balance } = store;
  const rate = balance && balance.currency !== currency ? balance.rate : null;
  const inBalance = (value: number): number => Math.round(value * (rate ?? 1));
  const booked: Booked = {
    id: store.newId('txn'),
    object: 'balance_transaction',
    amount: inBalance(amount),
    currency: rate === null ? currency : balance!.currency,
    exchange_rate: rate,
    fee: inBalance(fee),
    net: inBalance(amount) - inBalance(fee),
    created: store.nowSeconds(),
    source,
    status: 'available',
    reporting_category: category,
    type,
  };
  store.booked.set(booked.id, booked);
  return booked;
}

function book(store: Store, charge: DoubleCharge): void {
  const { amount_captured: amount, currency, id: source } = charge;
  const fee = Math.round((amount * FEE_PERCENT) / 100);
  charge.balance_transaction = bookEntry(store, { amount, currency, fee, source, type: 'charge' }).id;
}

/** All that is in a balance goes to the bank, as Stripe does every day by itself. */
export function payOut(store: Store, currency: string): DoublePayout {
  const open = [...store.booked.values()].filter(
    entry => entry.currency === currency && entry.type !== 'payout' && !store.paidOut.has(entry.id),
  );
  const amount = open.reduce((sum, { net }) => sum + net, 0);
  const payout: DoublePayout = {
    id: store.newId('po'),
    object: 'payout',
    amount,
    arrival_date: store.nowSeconds(),
    automatic: true,
    created: store.nowSeconds(),
    currency,
    status: 'paid',
  };
  store.payouts.set(payout.id, payout);
  for (const { id } of open) store.paidOut.set(id, payout.id);
  const booked = bookEntry(store, { amount: -amount, currency, source: payout.id, type: 'payout' });
  store.paidOut.set(booked.id, payout.id);
  return payout;
}

function makeCharge(store: Store, intent: Intent, method: Method, captured: boolean): DoubleCharge {
  const charge: DoubleCharge = {
    id: store.newId('ch'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: captured ? intent.amount : 0,
    amount_refunded: 0,
    balance_transaction: null,
    captured,
    created: store.nowSeconds(),
    currency: intent.currency,
    customer: intent.customer,
    disputed: false,
    failure_code: null,
    livemode: intent.livemode,
    metadata: {},
    outcome: { network_status: 'approved_by_network', risk_level: 'normal', risk_score: 12, type: 'authorized' },
    paid: true,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method),
    refunded: false,
    status: 'succeeded',
  };
  store.charges.set(charge.id, charge);
  intent.latest_charge = charge.id;
  if (captured) book(store, charge);
  return charge;
}

/** The bank says yes: reserved, or captured at once. */
export function approve(store: Store, intent: Intent, method: Method): void {
  intent.next_action = null;
  if (intent.payment_method_options[method.type]?.capture_method === 'manual') {
    makeCharge(store, intent, method, false);
    intent.status = 'requires_capture';
    intent.amount_capturable = intent.amount;
    store.move('authorized', intent, intent.amount);
    store.emit('payment_intent.amount_capturable_updated', intent);
    return;
  }
  makeCharge(store, intent, method, true);
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  store.move('captured', intent, intent.amount);
  store.emit('payment_intent.succeeded', intent);
}

export function decline(store: Store, intent: Intent, method: Method, code: string, declineCode?: string): void {
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  intent.payment_method = null;
  intent.last_payment_error = {
    type: 'card_error',
    code,
    ...(declineCode !== undefined && { decline_code: declineCode }),
    message: 'Your card was declined.',
    payment_method: method,
  };
  store.emit('payment_intent.payment_failed', intent);
}

export function capture(store: Store, intent: Intent, amount: number): void {
  if (intent.status !== 'requires_capture') {
    throw unexpectedState(`This PaymentIntent could not be captured because it is ${intent.status}.`, intent);
  }
  const charge = store.charges.get(intent.latest_charge!)!;
  charge.captured = true;
  charge.amount_captured = amount;
  book(store, charge);
  intent.status = 'succeeded';
  intent.amount_capturable = 0;
  intent.amount_received = amount;
  store.move('captured', intent, amount);
  store.emit('payment_intent.succeeded', intent);
}

/** What was held goes back, and Stripe calls that a refund too. */
function release(store: Store, intent: Intent): void {
  const charge = store.charges.get(intent.latest_charge!)!;
  const made: Refund = {
    id: store.newId('re'),
    object: 'refund',
    amount: charge.amount,
    charge: charge.id,
    created: store.nowSeconds(),
    currency: intent.currency,
    metadata: {},
    payment_intent: intent.id,
    reason: null,
    status: 'succeeded',
  };
  store.refunds.set(made.id, made);
  charge.amount_refunded = charge.amount;
  charge.refunded = true;
  store.move('canceled', intent, intent.amount);
  store.emit('charge.refunded', charge);
}

export function cancel(store: Store, intent: Intent): void {
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    throw unexpectedState(`You cannot cancel this PaymentIntent because it is ${intent.status}.`, intent);
  }
  if (intent.status === 'requires_capture') release(store, intent);
  intent.status = 'canceled';
  intent.amount_capturable = 0;
  intent.canceled_at = store.nowSeconds();
  intent.next_action = null;
  store.emit('payment_intent.canceled', intent);
}

function applyRefund(store: Store, made: Refund): void {
  const charge = store.charges.get(made.charge)!;
  const intent = store.intents.get(made.payment_intent)!;
  charge.amount_refunded += made.amount;
  charge.refunded = charge.amount_refunded >= charge.amount_captured;
  bookEntry(store, { amount: -made.amount, currency: made.currency, source: made.id, type: 'refund' });
  store.move('refunded', intent, made.amount);
  // A bank that only asked is content with the money.
  for (const dispute of disputesOf(store, charge)) {
    if (!dispute.status.startsWith('warning_')) continue;
    dispute.status = 'warning_closed';
    store.emit('charge.dispute.closed', dispute);
  }
  // What was refunded in time is no cause for a dispute any more.
  for (const warning of store.warnings.values()) if (warning.charge === charge.id) warning.actionable = false;
  store.emit('charge.refunded', charge);
}

const disputesOf = (store: Store, { id }: DoubleCharge): DoubleDispute[] =>
  [...store.disputes.values()].filter(({ charge }) => charge === id);

export function refund(
  store: Store,
  intent: Intent,
  amount: number,
  given: { metadata: Record<string, string>; reason: string | null; isSlow: boolean; instructions?: string | null },
): Refund {
  const charge = store.charges.get(intent.latest_charge!)!;
  const made: Refund = {
    id: store.newId('re'),
    object: 'refund',
    amount,
    charge: charge.id,
    created: store.nowSeconds(),
    currency: intent.currency,
    metadata: given.metadata,
    payment_intent: intent.id,
    reason: given.reason,
    status: given.isSlow ? 'pending' : 'succeeded',
    ...(given.instructions && { instructions_email: given.instructions }),
  };
  store.refunds.set(made.id, made);
  applyRefund(store, made);
  store.emit('refund.created', made);
  return made;
}

/** The bank could not do it after all: the money is back in the studio's balance. */
export function failRefund(store: Store, refunded: Refund): void {
  const charge = store.charges.get(refunded.charge)!;
  refunded.status = 'failed';
  refunded.failure_reason = 'expired_or_canceled_card';
  charge.amount_refunded -= refunded.amount;
  bookEntry(store, {
    amount: refunded.amount,
    currency: refunded.currency,
    source: refunded.id,
    type: 'refund_failure',
  });
  charge.refunded = false;
  const { payment_intent: of } = refunded;
  const at = store.movements.findLastIndex(({ kind, intentId }) => kind === 'refunded' && intentId === of);
  store.movements.splice(at, 1);
  store.emit('refund.failed', refunded);
}

const EVIDENCE_SECONDS = 9 * 86_400;

/** A bank takes the money at once, and the provider its fee; an inquiry takes nothing. */
function withdraw(store: Store, dispute: DoubleDispute, fee = DISPUTE_FEE): void {
  const { amount, currency, id: source } = dispute;
  const booked = bookEntry(store, { amount: -amount, currency, fee, source, type: 'adjustment', category: 'dispute' });
  dispute.balance_transactions.push(booked);
}

export function openDispute(
  store: Store,
  intent: Intent,
  status = 'needs_response',
  { amount }: { amount?: number } = {},
): DoubleDispute {
  const charge = store.charges.get(intent.latest_charge!)!;
  const dispute: DoubleDispute = {
    id: store.newId('dp'),
    object: 'dispute',
    balance_transactions: [],
    amount: amount ?? charge.amount_captured,
    charge: charge.id,
    created: store.nowSeconds(),
    currency: intent.currency,
    evidence: {},
    payment_method_details: {
      type: 'card',
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '10.4' },
    },
    evidence_details: {
      due_by: store.nowSeconds() + EVIDENCE_SECONDS,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: status.startsWith('warning'),
    livemode: intent.livemode,
    metadata: {},
    payment_intent: intent.id,
    reason: 'fraudulent',
    status,
  };
  store.disputes.set(dispute.id, dispute);
  charge.disputed = true;
  for (const warning of store.warnings.values()) if (warning.charge === charge.id) warning.actionable = false;
  store.move('disputed', intent, dispute.amount);
  // A prevented dispute costs no fee here, and never becomes one.
  if (!dispute.is_charge_refundable) withdraw(store, dispute, status === 'prevented' ? 0 : DISPUTE_FEE);
  store.emit('charge.dispute.created', dispute);
  store.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Staged or submitted. What is submitted stands, and what comes too late is not passed on. */
export function giveEvidence(store: Store, dispute: DoubleDispute, evidence: Record<string, string>, submit: boolean) {
  const { evidence_details: details } = dispute;
  if (!dispute.status.endsWith('needs_response')) {
    throw invalid(`This dispute is already ${dispute.status}; it can no longer be updated.`);
  }
  if (details.due_by !== null && store.nowSeconds() > details.due_by) {
    throw invalid('The deadline for submitting evidence for this dispute has passed.');
  }
  Object.assign(dispute.evidence, evidence);
  details.has_evidence = Object.keys(dispute.evidence).length > 0;
  if (submit) {
    details.submission_count += 1;
    dispute.status = dispute.status.startsWith('warning') ? 'warning_under_review' : 'under_review';
  }
  store.emit('charge.dispute.updated', dispute);
  return dispute;
}

/** The bank asked, and now it takes the money: the same dispute, with a new time for evidence. */
export function escalateInquiry(store: Store, dispute: DoubleDispute): void {
  dispute.status = 'needs_response';
  dispute.is_charge_refundable = false;
  dispute.evidence_details.due_by = store.nowSeconds() + EVIDENCE_SECONDS;
  withdraw(store, dispute);
  store.emit('charge.dispute.updated', dispute);
  store.emit('charge.dispute.funds_withdrawn', dispute);
}

export function closeDispute(store: Store, dispute: DoubleDispute, outcome: 'won' | 'lost'): void {
  const intent = store.intents.get(dispute.payment_intent)!;
  dispute.status = outcome;
  store.move(outcome === 'won' ? 'dispute_won' : 'charged_back', intent, dispute.amount);
  store.emit('charge.dispute.closed', dispute);
  if (outcome === 'lost') return;
  const { amount, currency, id: source } = dispute;
  if (dispute.balance_transactions.length > 0) {
    const given = { amount, currency, source, type: 'adjustment', category: 'dispute_reversal' };
    dispute.balance_transactions.push(bookEntry(store, given));
  }
  store.emit('charge.dispute.funds_reinstated', dispute);
}

/** The studio accepts that it is lost, while the bank still waits for it. */
export function giveUp(store: Store, dispute: DoubleDispute): DoubleDispute {
  if (dispute.status !== 'needs_response') throw invalid(`This dispute is already ${dispute.status}.`);
  closeDispute(store, dispute, 'lost');
  return dispute;
}

/** A bank tells of fraud. It moves nothing; a refund in time may avoid the dispute. */
export function warn(store: Store, intent: Intent): FraudWarning {
  const warning: FraudWarning = {
    id: store.newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: intent.latest_charge!,
    created: store.nowSeconds(),
    fraud_type: 'unauthorized_use_of_card',
    livemode: intent.livemode,
    payment_intent: intent.id,
  };
  store.warnings.set(warning.id, warning);
  store.emit('radar.early_fraud_warning.created', warning);
  return warning;
}

export function openReview(store: Store, intent: Intent): DoubleReview {
  const review: DoubleReview = {
    id: store.newId('prv'),
    object: 'review',
    charge: intent.latest_charge,
    created: store.nowSeconds(),
    open: true,
    payment_intent: intent.id,
    reason: 'rule',
  };
  store.reviews.set(review.id, review);
  intent.review = review.id;
  store.emit('review.opened', review);
  return review;
}

export function closeReview(store: Store, review: DoubleReview): void {
  review.open = false;
  review.reason = 'approved';
  store.emit('review.closed', review);
}
