import type { Refusal } from '../base/gateway.ts';
import { type AccountProblem, type PaymentProblem, SHOP_PROBLEMS, type ShopProblem } from '../base/problems.ts';
import { declineOf, isKnownDecline } from './decline.ts';

/** What Stripe's errors have in common, as far as this gateway looks. */
export interface StripeFault {
  statusCode?: number | undefined;
  rawType?: string | undefined;
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
  message?: string | undefined;
  requestId?: string | undefined;
}

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

/** Answered, so stored under its key for a day or longer: the same key gives the same error whatever has changed. */
export const isStored = ({ statusCode, rawType }: StripeFault): boolean =>
  statusCode !== undefined && statusCode !== 409 && statusCode !== 429 && rawType !== 'idempotency_error';

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

/** Our word for an error that is the shop's. */
export const shopProblemOf = (fault: StripeFault): ShopProblem => accountProblemOf(fault) ?? paymentProblemOf(fault);

/** An error that says for sure that no money was taken. The provider's own words may quote what they were given. */
export function refusalOf(fault: StripeFault): Refusal {
  if (isBanks(fault)) {
    const { code, description } = declineOf(fault);
    return { whose: 'bank', code, reason: description, isFinal: true, ...traceOf(fault) };
  }
  const problem = shopProblemOf(fault);
  const code = fault.code ?? fault.rawType ?? problem;
  return { whose: 'shop', code, reason: SHOP_PROBLEMS[problem], isFinal: false, ...traceOf(fault) };
}

/** The same for a capture, a release or a refund, which say no for reasons of their own. */
export function stepRefusalOf(fault: StripeFault): Refusal {
  const { code = '' } = fault;
  const final = FINAL[code];
  const reason = final ?? PASSING[code];
  if (reason === undefined) return refusalOf(fault);
  const whose = isBanks(fault) ? 'bank' : 'shop';
  return { whose, code, reason, isFinal: final !== undefined, ...traceOf(fault) };
}
