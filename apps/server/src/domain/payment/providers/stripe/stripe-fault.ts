import { type FaultFacts, type FaultRules, ProviderFault } from '../base/fault.ts';
import type { AccountProblem, PaymentProblem } from '../base/problems.ts';

/** What Stripe's errors have in common, as far as this folder looks. */
export interface StripeError {
  statusCode?: number | undefined;
  rawType?: string | undefined;
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
  message?: string | undefined;
  requestId?: string | undefined;
}

/** The part of it that tells why a bank or a check said no; an intent and a charge carry the same. */
export interface StripeDecline {
  type?: string | undefined;
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
  param?: string | null | undefined;
}

interface StripeFacts extends FaultFacts {
  type: string | null;
  declineCode: string | null;
  /** Keys of the other mode were used than the object belongs to. */
  isOtherMode: boolean;
}

/**
 * In plain words, for the payment's record. The page does not say that a card is lost or stolen: it has words
 * of its own for these.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  approve_with_id: 'The bank asks to try again',
  authentication_required: 'The bank wants to know who pays',
  call_issuer: 'The bank declined and gave no reason',
  card_declined: 'The card was declined',
  card_not_supported: 'The card does not do this kind of purchase',
  card_velocity_exceeded: 'The limit of the card is reached',
  currency_not_supported: 'The card does not pay in this currency',
  do_not_honor: 'The bank declined and gave no reason',
  duplicate_transaction: 'The bank saw the same payment a moment ago',
  expired_card: 'Expired card',
  fraudulent: 'The payment was taken for fraud',
  generic_decline: 'The bank declined and gave no reason',
  highest_risk_level: 'The payment was taken for fraud',
  incorrect_cvc: 'The security code is wrong',
  incorrect_number: 'The card number is wrong',
  incorrect_zip: 'The postal code does not fit the card',
  insufficient_funds: 'Insufficient funds',
  invalid_account: 'The card or its account is not valid',
  invalid_cvc: 'The security code is wrong',
  invalid_expiry_month: 'The expiry date is wrong',
  invalid_expiry_year: 'The expiry date is wrong',
  invalid_number: 'The card number is wrong',
  issuer_not_available: 'The bank cannot be reached',
  lost_card: 'Lost card',
  payment_intent_authentication_failure: '3-D Secure authentication failed',
  payment_intent_payment_attempt_expired: 'The time to pay is over',
  payment_intent_payment_attempt_failed: 'The payment was not completed',
  payment_method_customer_decline: 'The player declined the payment',
  payment_method_provider_decline: 'The payment method declined',
  payment_method_provider_timeout: 'The payment method did not answer',
  pickup_card: 'The card cannot be used',
  processing_error: 'The card could not be processed',
  restricted_card: 'The card cannot be used',
  stolen_card: 'Stolen card',
  transaction_not_allowed: 'The card does not do this kind of purchase',
  try_again_later: 'The bank asks to try again later',
  withdrawal_count_limit_exceeded: 'The limit of the card is reached',
};

/** In the table, so said by a bank, a method or the player. */
export const isKnownDecline = (code: string): boolean => Object.hasOwn(DESCRIPTIONS, code);

export function declineOf({ code, decline_code: declineCode }: StripeDecline): { code: string; reason: string } {
  const said = declineCode ?? code ?? 'card_declined';
  return { code: said, reason: DESCRIPTIONS[said] ?? DESCRIPTIONS[code ?? ''] ?? 'Payment declined' };
}

function accountProblemOf({ statusCode, code, isOtherMode }: StripeFacts): AccountProblem | null {
  if (code === 'api_key_expired' || code === 'platform_api_key_expired') return 'provider_key_revoked';
  if (isOtherMode) return 'provider_key_wrong_mode';
  if (code === 'testmode_charges_only' || code === 'account_invalid') return 'provider_account_not_active';
  if (statusCode === 401) return 'provider_key_invalid';
  return statusCode === 403 ? 'provider_permission_missing' : null;
}

const METHOD_CODES: readonly string[] = [
  'payment_method_unactivated',
  'payment_method_not_available',
  'payment_intent_incompatible_payment_method',
  'payment_method_currency_mismatch',
];

function paymentProblemOf({ statusCode, code, param }: StripeFacts): PaymentProblem {
  if (statusCode === 429) return 'provider_busy';
  if (code === 'amount_too_small') return 'amount_below_minimum';
  if (code === 'amount_too_large' || code === 'charge_exceeds_transaction_limit') return 'amount_above_maximum';
  if (param === 'currency' || code === 'invalid_currency') return 'currency_unsupported';
  if (METHOD_CODES.includes(code) || param?.startsWith('payment_method')) return 'method_unavailable';
  return 'provider_refused';
}

/** What no later call changes, and why. Any other refusal may pass when its cause does. */
const FINAL: Readonly<Record<string, string>> = {
  capture_charge_authorization_expired: 'The reservation has expired; the bank holds the money no more.',
  charge_expired_for_capture: 'The reservation has expired; the bank holds the money no more.',
  capture_unauthorized_payment: 'The bank never reserved the money.',
  charge_not_refundable: 'The payment method cannot return money.',
  refund_not_supported: 'The payment method cannot return money.',
  amount_too_large: 'More was asked for than the provider holds.',
  amount_too_small: 'The amount is below the least that the payment provider takes.',
  charge_exceeds_transaction_limit: 'The amount is above the most that the payment method takes.',
};

/** What passes: a person puts it right, or time does. */
const PASSING: Readonly<Record<string, string>> = {
  charge_disputed: 'The bank disputes this payment; its money cannot be returned twice.',
  refund_disputed_payment: 'The bank disputes this payment; its money cannot be returned twice.',
  balance_insufficient: 'The balance at the provider is too low. Add money there and refund again.',
  insufficient_funds: 'The balance at the provider is too low. Add money there and refund again.',
};

/** Said by a bank, though Stripe does not call it a decline. */
const BANKS: readonly string[] = [
  'capture_charge_authorization_expired',
  'charge_expired_for_capture',
  'charge_not_refundable',
  'refund_not_supported',
  'charge_disputed',
  'refund_disputed_payment',
];

const RULES: FaultRules<StripeFacts> = {
  title: 'Stripe',
  isUncertain: ({ statusCode, type }) =>
    statusCode === undefined || statusCode >= 500 || statusCode === 409 || type === 'idempotency_error',
  // Answered, so stored under its key for a day or longer: the same key gives the same error whatever has changed.
  isStored: ({ statusCode, type }) =>
    statusCode !== undefined && statusCode !== 409 && statusCode !== 429 && type !== 'idempotency_error',
  accountProblemOf,
  paymentProblemOf,
  declineOf: ({ statusCode, code, declineCode }) =>
    statusCode === 402 || BANKS.includes(code) || isKnownDecline(code)
      ? declineOf({ code, decline_code: declineCode })
      : null,
  final: FINAL,
  passing: PASSING,
  banks: BANKS,
  areDeclinesFinal: true,
};

export function stripeFault(error: StripeError): ProviderFault<StripeFacts> {
  const { statusCode, rawType, code, decline_code: declineCode, param, message = '', requestId } = error;
  const isOtherMode = code === 'livemode_mismatch' || /similar object exists in (test|live) mode/.test(message);
  const unnamed = statusCode === 402 ? 'card_declined' : (rawType ?? 'provider_refused');
  const facts = { statusCode, code: code ?? unnamed, param, requestId, type: rawType ?? null };
  return new ProviderFault({ ...facts, declineCode: declineCode ?? null, isOtherMode }, RULES);
}

/** Null: not an error of Stripe's package. */
export function stripeFaultOf(error: unknown): ProviderFault<StripeFacts> | null {
  const { type } = (error ?? {}) as { type?: unknown };
  return typeof type === 'string' && type.startsWith('Stripe') ? stripeFault(error as StripeError) : null;
}
