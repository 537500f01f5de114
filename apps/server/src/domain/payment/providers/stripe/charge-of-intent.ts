import type Stripe from 'stripe';
import { isUndecided, ownRefusal, refusal } from '../base/charges.ts';
import {
  type Charge,
  type ChargeRisk,
  type ChargeStatus,
  type Dispute,
  type DisputeStatus,
  type EvidenceStage,
  type Fee,
  OutcomeUnknown,
  type Refusal,
  type RiskCheck,
} from '../base/gateway.ts';
import { shopProblemText } from '../base/problems.ts';
import { methodOf } from './account/stripe-account.ts';
import { isVoucher, nextActionOf } from './next-action.ts';
import { isUnderWay, refundFailureOf } from './refund-failure.ts';
import { fromStripeAmount } from './stripe-amount.ts';
import { declineOf, isKnownDecline, type StripeDecline } from './stripe-fault.ts';

const HOUR_SECONDS = 3_600;
const PENDING_REFUND_SECONDS = 6 * HOUR_SECONDS;
const OPEN_DISPUTE_SECONDS = 24 * HOUR_SECONDS;

const objectOf = <T extends object>(value: T | string | null | undefined): T | null =>
  typeof value === 'object' ? value : null;

interface MethodSeen {
  type: string;
  brand: string | null;
  last4: string | null;
  country: string | null;
  wallet: string | null;
}

/** A charge and a method tell the same facts under the same words. */
function seenIn(details: object | null | undefined): MethodSeen | null {
  const { type } = (details ?? {}) as { type?: unknown };
  if (typeof type !== 'string') return null;
  const own = ((details as Record<string, unknown>)[type] ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  const wallet = (own.wallet ?? {}) as Record<string, unknown>;
  return {
    type,
    brand: text(own.brand),
    last4: text(own.last4),
    country: text(own.country),
    wallet: text(wallet.type),
  };
}

function methodSeen(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): MethodSeen | null {
  return (
    seenIn(charge?.payment_method_details) ??
    seenIn(objectOf(intent.payment_method)) ??
    seenIn(intent.last_payment_error?.payment_method)
  );
}

/** Why it was declined. Whatever changes an intent may clear its error; the charge that failed stays as it is. */
function refusalIn(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): StripeDecline | null {
  if (intent.last_payment_error) return intent.last_payment_error;
  return charge?.status === 'failed'
    ? { code: charge.failure_code, decline_code: charge.outcome?.reason ?? null }
    : null;
}

const isRefundUnderWay = (charge: Stripe.Charge): boolean => (charge.refunds?.data ?? []).some(isUnderWay);

function statusOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): ChargeStatus {
  switch (intent.status) {
    case 'requires_action':
      return isVoucher(intent) ? 'processing' : 'requires_action';
    case 'requires_confirmation':
      return 'requires_action';
    case 'processing':
      return 'processing';
    case 'requires_capture':
      return 'authorized';
    case 'succeeded':
      return charge?.refunded && !isRefundUnderWay(charge) ? 'refunded' : 'captured';
    case 'canceled':
      return refusalIn(intent, charge) ? 'declined' : 'voided';
    // It was confirmed when it was made, so it comes back here only after a no.
    case 'requires_payment_method':
      return 'declined';
    default:
      // A status that Stripe has not invented yet: nothing is concluded from it.
      throw new OutcomeUnknown(`Stripe answered with the status ${String(intent.status)}.`);
  }
}

/** Stripe's words, each with ours. A word that is not here yet is never read as won. */
const DISPUTE_STATUSES: Readonly<Record<string, DisputeStatus>> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
  prevented: 'prevented',
};

const disputeStatus = ({ status }: Stripe.Dispute): DisputeStatus => {
  const known = DISPUTE_STATUSES[status];
  if (known) return known;
  return status.startsWith('appeal_') ? 'open' : 'unclear';
};

/** Zero or null: this bank takes no evidence. */
const dueByOf = ({ evidence_details: details }: Stripe.Dispute): number | null => details?.due_by || null;

const NEEDING: readonly string[] = ['needs_response', 'warning_needs_response', 'appeal_needs_response'];

/** An inquiry that was answered and then became a chargeback needs an answer again. */
function evidenceStageOf(dispute: Stripe.Dispute): EvidenceStage {
  if (NEEDING.includes(dispute.status) && dueByOf(dispute) !== null) return 'needed';
  return (dispute.evidence_details?.submission_count ?? 0) > 0 ? 'submitted' : 'closed';
}

/** What Stripe kept for itself; it may give the fee of a won dispute back. */
function disputeFee({ balance_transactions: booked }: Stripe.Dispute): Fee | null {
  const [first] = booked;
  if (!first) return null;
  const fee = booked.reduce((sum, entry) => sum + entry.fee, 0);
  const currency = first.currency.toUpperCase();
  return { amountMinor: fromStripeAmount(fee, currency), currency };
}

export function readDispute(dispute: Stripe.Dispute): Dispute {
  const dueBy = dueByOf(dispute);
  const currency = dispute.currency.toUpperCase();
  return {
    id: dispute.id,
    amountMinor: fromStripeAmount(dispute.amount, currency),
    currency,
    fee: disputeFee(dispute),
    status: disputeStatus(dispute),
    reason: dispute.reason,
    evidenceDueAt: dueBy === null ? null : new Date(dueBy * 1000),
    networkCode: dispute.payment_method_details?.card?.network_reason_code ?? dispute.network_reason_code ?? null,
    evidenceStage: evidenceStageOf(dispute),
  };
}

/** What was captured, or else what would be. */
const amountIn = (intent: Stripe.PaymentIntent): number =>
  intent.status === 'succeeded' ? intent.amount_received : intent.amount;

function askAgainIn(status: ChargeStatus, charge: Stripe.Charge | null, disputes: readonly Dispute[]): number | null {
  if (status === 'processing') return HOUR_SECONDS;
  if (disputes.some(isUndecided)) return OPEN_DISPUTE_SECONDS;
  return charge && status === 'captured' && isRefundUnderWay(charge) ? PENDING_REFUND_SECONDS : null;
}

/** A reservation that was released counts as returned at Stripe too, though the money was never captured. */
const returnedOf = (intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): number =>
  intent.status === 'canceled' ? 0 : (charge?.amount_refunded ?? 0);

/** Stripe calls some declines of a method a wrong request; the table knows them. What it does not know is the shop's. */
const isBanks = ({ type, code }: StripeDecline): boolean =>
  type === undefined || type === 'card_error' || isKnownDecline(code ?? '');

function declineIn(said: StripeDecline | null, status: ChargeStatus): Refusal | null {
  if (status !== 'declined') return null;
  if (said === null) return ownRefusal('bank', 'canceled');
  const { code, reason } = declineOf(said);
  return refusal(isBanks(said) ? 'bank' : 'shop', code, reason, { param: said.param ?? null });
}

const LEVELS: Readonly<Record<string, ChargeRisk['level']>> = {
  normal: 'normal',
  elevated: 'elevated',
  highest: 'highest',
};

const RESULTS: Readonly<Record<string, RiskCheck['result']>> = {
  pass: 'passed',
  fail: 'failed',
  unavailable: 'unchecked',
  unchecked: 'unchecked',
  authenticated: 'passed',
  failed: 'failed',
};

function checksOf(card: Stripe.Charge.PaymentMethodDetails.Card | undefined): RiskCheck[] {
  const said: [RiskCheck['what'], string | null | undefined][] = [
    ['security_code', card?.checks?.cvc_check],
    ['postal_code', card?.checks?.address_postal_code_check],
    ['address', card?.checks?.address_line1_check],
    ['three_d_secure', card?.three_d_secure?.result],
  ];
  return said.flatMap(([what, word]) => {
    const result = RESULTS[word ?? ''];
    return result ? [{ what, result }] : [];
  });
}

/** What Radar and the bank said of the payer, in our words; a word that is not known here is left out. */
function riskOfCharge(charge: Stripe.Charge | null): ChargeRisk | null {
  if (!charge) return null;
  const level = LEVELS[charge.outcome?.risk_level ?? ''] ?? null;
  const score = charge.outcome?.risk_score ?? null;
  const checks = checksOf(charge.payment_method_details?.card);
  return level === null && score === null && checks.length === 0 ? null : { level, score, checks };
}

/** A studio member should look at it; no money has moved because of that. */
function warningOf(
  { review }: Stripe.PaymentIntent,
  warnings: readonly Stripe.Radar.EarlyFraudWarning[],
): Charge['warning'] {
  // Not actionable: it was refunded or disputed since.
  const open = warnings.find(({ actionable }) => actionable);
  if (open) return { kind: 'fraud_warning', reason: open.fraud_type };
  const seen = objectOf(review);
  return seen?.open ? { kind: 'review', reason: seen.reason } : null;
}

function feeIn(charge: Stripe.Charge | null): Charge['fee'] {
  const booked = objectOf(charge?.balance_transaction);
  if (!booked) return null;
  const currency = booked.currency.toUpperCase();
  return { amountMinor: fromStripeAmount(booked.fee, currency), currency };
}

/** What Stripe holds, in our words. Pure: the same object means the same, from every caller and by every way. */
export function chargeOfIntent(
  intent: Stripe.PaymentIntent,
  given: readonly Stripe.Dispute[] = [],
  warnings: readonly Stripe.Radar.EarlyFraudWarning[] = [],
): Charge {
  const charge = objectOf(intent.latest_charge);
  const currency = intent.currency.toUpperCase();
  const status = statusOf(intent, charge);
  const seen = methodSeen(intent, charge);
  const disputes = given.map(readDispute);
  const decline = declineIn(refusalIn(intent, charge), status);
  const nextAction = nextActionOf(intent);
  return {
    status,
    amountMinor: fromStripeAmount(amountIn(intent), currency),
    currency,
    brand: seen?.brand ?? null,
    last4: seen?.last4 ?? null,
    country: seen?.country ?? null,
    responseCode: decline?.whose === 'shop' ? 'provider_refused' : (decline?.code ?? null),
    responseDescription: decline?.whose === 'shop' ? shopProblemText('provider_refused') : (decline?.reason ?? null),
    challengeUrl: nextAction?.redirectUrl ?? null,
    disputes,
    askAgainInSeconds: askAgainIn(status, charge, disputes),
    method: seen && methodOf(seen.type, seen.wallet),
    providerId: intent.id,
    nextAction,
    fee: feeIn(charge),
    refundedMinor: fromStripeAmount(returnedOf(intent, charge), currency),
    declinedBy: decline?.whose ?? null,
    refusal: decline,
    refundFailure: status === 'captured' ? refundFailureOf(charge?.refunds?.data ?? []) : null,
    warning: warningOf(intent, warnings),
    risk: riskOfCharge(charge),
  };
}
