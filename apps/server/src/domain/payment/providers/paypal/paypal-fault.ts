import { type FaultFacts, type FaultRules, ProviderFault } from '../base/fault.ts';
import type { AccountProblem, PaymentProblem } from '../base/problems.ts';

const NOT_ACTIVE: readonly string[] = [
  'PAYEE_ACCOUNT_INVALID',
  'PAYEE_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYEE_ACCOUNT_RESTRICTED',
  'PAYEE_NOT_ENABLED_FOR_CARD_PROCESSING',
  'AUTH_CAPTURE_NOT_ENABLED',
];

function accountProblemOf({ statusCode, code }: FaultFacts): AccountProblem | null {
  if (NOT_ACTIVE.includes(code)) return 'provider_account_not_active';
  if (statusCode === 401) return 'provider_key_invalid';
  return statusCode === 403 ? 'provider_permission_missing' : null;
}

const PAYMENT_PROBLEMS_OF: Readonly<Record<string, PaymentProblem>> = {
  INVALID_CURRENCY_CODE: 'currency_unsupported',
  CURRENCY_NOT_SUPPORTED: 'currency_unsupported',
  DECIMAL_PRECISION: 'amount_not_exact',
  DECIMALS_NOT_SUPPORTED: 'amount_not_exact',
  CANNOT_BE_ZERO_OR_NEGATIVE: 'amount_below_minimum',
  MAX_VALUE_EXCEEDED: 'amount_above_maximum',
  TRANSACTION_RECEIVING_LIMIT_EXCEEDED: 'amount_above_maximum',
  TOKEN_ID_NOT_FOUND: 'saved_method_gone',
  TOKEN_EXPIRED: 'saved_method_gone',
  AGREEMENT_ALREADY_CANCELLED: 'saved_method_gone',
  BILLING_AGREEMENT_NOT_FOUND: 'saved_method_gone',
  MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE: 'saved_method_gone',
};

/** Said by the player's bank or by PayPal about the player, in plain words. */
const DECLINES: Readonly<Record<string, string>> = {
  INSTRUMENT_DECLINED: 'The bank declined what the player chose at PayPal',
  PAYER_CANNOT_PAY: 'PayPal does not let this player pay this',
  PAYER_ACCOUNT_RESTRICTED: 'The player’s PayPal account is restricted',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'The player’s PayPal account is closed',
  PAYEE_BLOCKED_TRANSACTION: 'The payment was taken for fraud',
  TRANSACTION_BLOCKED_BY_PAYEE: 'The payment was taken for fraud',
  TRANSACTION_REFUSED: 'PayPal declined and gave no reason',
  TRANSACTION_LIMIT_EXCEEDED: 'The limit of the player’s account is reached',
  COMPLIANCE_VIOLATION: 'PayPal may not process this payment',
  DOMESTIC_TRANSACTION_REQUIRED: 'PayPal takes this payment from the same country only',
  DECLINED_DUE_TO_RELATED_TXN: 'The bank declined',
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: 'It was tried too often',
  PAYMENT_SOURCE_DECLINED_BY_PROCESSOR: 'The bank declined what the player chose at PayPal',
  AUTHORIZATION_DENIED: 'PayPal reviewed the payment and declined it',
};

/** What no later call changes, and why. Any other refusal may pass when its cause does. */
const FINAL: Readonly<Record<string, string>> = {
  AUTHORIZATION_EXPIRED: 'The reservation has expired; PayPal holds the money no more.',
  AUTHORIZATION_DENIED: 'PayPal reviewed the reservation and declined it.',
  AUTH_CAPTURE_CURRENCY_MISMATCH: 'Another currency was asked for than PayPal holds.',
  MAX_CAPTURE_AMOUNT_EXCEEDED: 'More was asked for than PayPal holds.',
  REFUND_TIME_LIMIT_EXCEEDED: 'PayPal returns money for 180 days only. Return it another way.',
  PARTIAL_REFUND_NOT_ALLOWED: 'PayPal does not return a part of this payment.',
};

/** What passes: a person puts it right, or time does. */
const PASSING: Readonly<Record<string, string>> = {
  REFUND_FAILED_INSUFFICIENT_FUNDS: 'The balance at PayPal is too low. Add money there and refund again.',
  TRANSACTION_DISPUTED: 'The player disputes this payment; its money cannot be returned twice.',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK: 'The bank disputes this payment; its money cannot be returned twice.',
  PENDING_CAPTURE: 'PayPal still reviews the payment. It can be refunded once PayPal has the money.',
  PAYER_CANNOT_PAY: 'PayPal does not take the money from the player now.',
  TRANSACTION_REFUSED: 'PayPal refused and gave no reason. Ask its support with the request id.',
};

const RULES: FaultRules<FaultFacts> = {
  title: 'PayPal',
  // No answer, a fault of PayPal's, or another call is at it.
  isUncertain: ({ statusCode }) =>
    statusCode === undefined || statusCode >= 500 || statusCode === 409 || statusCode === 429,
  isStored: ({ statusCode }) => statusCode !== undefined && statusCode !== 429,
  accountProblemOf,
  paymentProblemOf: ({ code }) => PAYMENT_PROBLEMS_OF[code] ?? 'provider_refused',
  declineOf({ code }) {
    const reason = DECLINES[code];
    return reason === undefined ? null : { code, reason };
  },
  final: FINAL,
  passing: PASSING,
  banks: ['AUTHORIZATION_EXPIRED', 'TRANSACTION_DISPUTED', 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'],
  areDeclinesFinal: false,
};

export const paypalFault = (facts: FaultFacts): ProviderFault => new ProviderFault(facts, RULES);

export const paypalFaultOf = (error: unknown): ProviderFault | null => (error instanceof ProviderFault ? error : null);
