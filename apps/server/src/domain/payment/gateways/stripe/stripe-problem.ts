import type { Refusal } from '../gateway.ts';
import { declineOf, isKnownDecline } from './decline.ts';

/** What Stripe's errors have in common, as far as anybody here looks. */
export interface StripeFault {
  statusCode?: number | undefined;
  rawType?: string | undefined;
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
  message?: string | undefined;
  requestId?: string | undefined;
}

/** Why the provider cannot serve the studio at all: nothing that a player could do otherwise. */
export const ACCOUNT_PROBLEMS = {
  provider_key_invalid: 'The payment provider does not know the secret key.',
  provider_key_revoked: 'The secret key was revoked or has expired at the payment provider.',
  provider_key_wrong_mode:
    'The keys belong to the other mode of the payment provider (test instead of live, or live instead of test).',
  provider_permission_missing: 'The secret key is restricted and may not do this.',
  provider_account_not_active: 'The account at the payment provider may not take payments yet.',
} as const;

/** Why this one payment cannot be taken, whatever the player does. */
export const PAYMENT_PROBLEMS = {
  currency_unsupported: 'The payment provider does not take this currency.',
  amount_below_minimum: 'The amount is below the least that the payment provider takes.',
  amount_above_maximum: 'The amount is above the most that the payment provider takes.',
  method_unavailable: 'The payment method is not switched on at the payment provider, or not for this payment.',
  provider_busy: 'The payment provider has too much to do. Nothing was charged; try again.',
  provider_refused: 'The payment provider refused the payment.',
} as const;

export type AccountProblem = keyof typeof ACCOUNT_PROBLEMS;
export type PaymentProblem = keyof typeof PAYMENT_PROBLEMS;

const isOtherMode = ({ message = '', code }: StripeFault): boolean =>
  code === 'livemode_mismatch' || /similar object exists in (test|live) mode/.test(message);

export function accountProblemOf(fault: StripeFault): AccountProblem | null {
  const { statusCode, code } = fault;
  if (code === 'api_key_expired' || code === 'platform_api_key_expired') return 'provider_key_revoked';
  if (isOtherMode(fault)) return 'provider_key_wrong_mode';
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

function paymentProblemOf({ statusCode, code = '', param = '' }: StripeFault): PaymentProblem {
  if (statusCode === 429) return 'provider_busy';
  if (code === 'amount_too_small') return 'amount_below_minimum';
  if (code === 'amount_too_large' || code === 'charge_exceeds_transaction_limit') return 'amount_above_maximum';
  if (param === 'currency' || code === 'invalid_currency') return 'currency_unsupported';
  if (METHOD_CODES.includes(code) || param.startsWith('payment_method')) return 'method_unavailable';
  return 'provider_refused';
}

/** The request never reached the point where money moves, or the outcome is not known. */
export const isUncertain = ({ statusCode, rawType }: StripeFault): boolean =>
  statusCode === undefined || statusCode >= 500 || statusCode === 409 || rawType === 'idempotency_error';

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

const isBanks = ({ statusCode, code = '' }: StripeFault): boolean =>
  statusCode === 402 || BANKS.includes(code) || isKnownDecline(code);

const traceOf = ({ param, requestId }: StripeFault): Pick<Refusal, 'param' | 'requestId'> => ({
  param: param ?? null,
  requestId: requestId ?? null,
});

/** An error that says for sure that no money was taken, for the payment's record. */
export function refusalOf(fault: StripeFault): Refusal {
  if (isBanks(fault)) {
    const { code, description } = declineOf(fault);
    return { whose: 'bank', code, reason: description, isFinal: true, ...traceOf(fault) };
  }
  const account = accountProblemOf(fault);
  const code = account ?? paymentProblemOf(fault);
  const reason = account ? ACCOUNT_PROBLEMS[account] : PAYMENT_PROBLEMS[code as PaymentProblem];
  return { whose: 'shop', code, reason, isFinal: false, ...traceOf(fault) };
}

/** The same for a capture, a release or a refund, which say no for reasons of their own. */
export function stepRefusalOf(fault: StripeFault): Refusal {
  const { code = 'provider_refused' } = fault;
  const final = FINAL[code];
  const passing = PASSING[code];
  if (final === undefined && passing === undefined) {
    const { code: said, reason, ...rest } = refusalOf(fault);
    // The provider's own word says more than our collective one.
    return { code: said === 'provider_refused' ? code : said, reason, ...rest };
  }
  const whose = isBanks(fault) ? 'bank' : 'shop';
  return { whose, code, reason: final ?? passing!, isFinal: final !== undefined, ...traceOf(fault) };
}
