import { type Decline, declineOf } from './decline.ts';

/** What Stripe's errors have in common, as far as anybody here looks. */
export interface StripeFault {
  statusCode?: number | undefined;
  rawType?: string | undefined;
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
  message?: string | undefined;
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

/** The words on the payment's record for an error that says for sure that no money moved. */
export function refusalOf(fault: StripeFault): Decline {
  if (fault.statusCode === 402) return declineOf(fault);
  const account = accountProblemOf(fault);
  if (account) return { code: account, description: ACCOUNT_PROBLEMS[account] };
  const problem = paymentProblemOf(fault);
  return { code: problem, description: PAYMENT_PROBLEMS[problem] };
}
