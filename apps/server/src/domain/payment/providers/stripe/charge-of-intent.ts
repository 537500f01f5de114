import type Stripe from 'stripe';
import type { Charge, ChargeStatus, Dispute, Refusal } from '../base/charge-shape.ts';
import { isUndecided, ownRefusal, refusal } from '../base/charges.ts';
import { OutcomeUnknown } from '../base/gateway.ts';
import { shopProblemText } from '../base/problems.ts';
import { methodOf } from './account/stripe-account.ts';
import { disputeOf } from './dispute-of-charge.ts';
import { isVoucher, nextActionOf } from './next-action.ts';
import { isUnderWay, refundFailureOf } from './refund-failure.ts';
import { riskOfCharge } from './risk-of-charge.ts';
import { expandedOf, methodSeen } from './seen-method.ts';
import { fromStripeAmount } from './stripe-amount.ts';
import { declineOf, isKnownDecline, type StripeDecline } from './stripe-fault.ts';

const HOUR_SECONDS = 3_600;
const PENDING_REFUND_SECONDS = 6 * HOUR_SECONDS;
const OPEN_DISPUTE_SECONDS = 24 * HOUR_SECONDS;

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

/** A studio member should look at it; no money has moved because of that. */
function warningOf(
  { review }: Stripe.PaymentIntent,
  warnings: readonly Stripe.Radar.EarlyFraudWarning[],
): Charge['warning'] {
  // Not actionable: it was refunded or disputed since.
  const open = warnings.find(({ actionable }) => actionable);
  if (open) return { kind: 'fraud_warning', reason: open.fraud_type };
  const seen = expandedOf(review);
  return seen?.open ? { kind: 'review', reason: seen.reason } : null;
}

function feeIn(charge: Stripe.Charge | null): Charge['fee'] {
  const booked = expandedOf(charge?.balance_transaction);
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
  const charge = expandedOf(intent.latest_charge);
  const currency = intent.currency.toUpperCase();
  const status = statusOf(intent, charge);
  const seen = methodSeen(intent, charge);
  const disputes = given.map(disputeOf);
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
