import { reasonOf } from '@coinslot/texts/reasons';
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

/** What no later call changes. Any other refusal may pass when its cause does. */
const FINAL: readonly string[] = [
  'AUTHORIZATION_EXPIRED',
  'AUTHORIZATION_DENIED',
  'AUTH_CAPTURE_CURRENCY_MISMATCH',
  'MAX_CAPTURE_AMOUNT_EXCEEDED',
  'REFUND_TIME_LIMIT_EXCEEDED',
  'PARTIAL_REFUND_NOT_ALLOWED',
];

const RULES: FaultRules<FaultFacts> = {
  title: 'PayPal',
  // No answer, a fault of PayPal's, or another call is at it.
  isUncertain: ({ statusCode }) =>
    statusCode === undefined || statusCode >= 500 || statusCode === 409 || statusCode === 429,
  isStored: ({ statusCode }) => statusCode !== undefined && statusCode !== 429,
  isMissing: ({ statusCode }) => statusCode === 404,
  accountProblemOf,
  paymentProblemOf: ({ code }) => PAYMENT_PROBLEMS_OF[code] ?? 'provider_refused',
  declineOf({ code }) {
    const reason = reasonOf('paypal.decline', code);
    return reason === undefined ? null : { code, reason };
  },
  final: FINAL,
  stepReasonOf: code => reasonOf('paypal.step', code),
  banks: ['AUTHORIZATION_EXPIRED', 'TRANSACTION_DISPUTED', 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'],
  areDeclinesFinal: false,
};

export const paypalFault = (facts: FaultFacts): ProviderFault => new ProviderFault(facts, RULES);

export const paypalFaultOf = (error: unknown): ProviderFault | null => (error instanceof ProviderFault ? error : null);
