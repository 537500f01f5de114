import { reasonOf, reasons } from '@coinslot/texts/reasons';
import { brokenOff, type FaultFacts, type FaultRules, ProviderFault } from '../base/fault.ts';
import type { AccountProblem, PaymentProblem } from '../base/problems.ts';

/** What Stripe's errors have in common, as far as this folder looks. */
export interface StripeError {
  /** The class of the package. */
  type?: string | undefined;
  statusCode?: number | undefined;
  rawType?: string | undefined;
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
  message?: string | undefined;
  requestId?: string | undefined;
  /** Why the connection failed. */
  detail?: unknown;
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

const descriptionOf = (code: string | null | undefined) => reasonOf('stripe.decline', code ?? '');

/** There are words for it, so it was said by a bank, a method or the player. */
export const isKnownDecline = (code: string): boolean => descriptionOf(code) !== undefined;

export function declineOf({ code, decline_code: declineCode }: StripeDecline): { code: string; reason: string } {
  const said = declineCode ?? code ?? 'card_declined';
  return { code: said, reason: descriptionOf(said) ?? descriptionOf(code) ?? reasons.languages.en['refusal.declined'] };
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

/** What no later call changes. Any other refusal may pass when its cause does. */
const FINAL: readonly string[] = [
  'capture_charge_authorization_expired',
  'charge_expired_for_capture',
  'capture_unauthorized_payment',
  'charge_not_refundable',
  'refund_not_supported',
  'amount_too_large',
  'amount_too_small',
  'charge_exceeds_transaction_limit',
];

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
  // Another 404 is not Stripe's word about what was asked for: an address that is wrong, or a proxy's.
  isMissing: ({ code }) => code === 'resource_missing',
  accountProblemOf,
  paymentProblemOf,
  declineOf: ({ statusCode, code, declineCode }) =>
    statusCode === 402 || BANKS.includes(code) || isKnownDecline(code)
      ? declineOf({ code, decline_code: declineCode })
      : null,
  final: FINAL,
  stepReasonOf: code => reasonOf('stripe.step', code),
  banks: BANKS,
  areDeclinesFinal: true,
};

const codeOf = (detail: unknown): unknown => (detail as { code?: unknown } | undefined)?.code;

export function stripeFault(error: StripeError): ProviderFault<StripeFacts> {
  const { statusCode, rawType, code, decline_code: declineCode, param, message = '', requestId } = error;
  const isOtherMode = code === 'livemode_mismatch' || /similar object exists in (test|live) mode/.test(message);
  const unnamed = statusCode === 402 ? 'card_declined' : (rawType ?? 'provider_refused');
  const facts = { statusCode, code: code ?? unnamed, param, requestId, type: rawType ?? null, said: message };
  const broken = error.type === 'StripeConnectionError' ? codeOf(error.detail) : undefined;
  const off = broken === undefined ? {} : brokenOff(broken, broken === 'ETIMEDOUT');
  return new ProviderFault({ ...facts, declineCode: declineCode ?? null, isOtherMode, ...off }, RULES);
}

/** Null: not an error of Stripe's package. */
export function stripeFaultOf(error: unknown): ProviderFault<StripeFacts> | null {
  const { type } = (error ?? {}) as { type?: unknown };
  return typeof type === 'string' && type.startsWith('Stripe') ? stripeFault(error as StripeError) : null;
}
