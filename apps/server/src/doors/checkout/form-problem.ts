import type { FormProblem } from '@coinslot/checkout-page';
import type { Payment } from '../../domain/payment/payment.ts';
import type { ShopProblem } from '../../domain/payment/providers/base/problems.ts';

const BY_RESPONSE_CODE: Record<string, FormProblem> = {
  '2014': 'test_cards_only',
  '2051': 'insufficient_funds',
  '2054': 'card_expired',
  '2065': 'challenge_failed',
  // Not the bank's own word: a thief need not learn that the card is known as lost or stolen.
  '3041': 'card_blocked',
  '3043': 'card_blocked',
  lost_card: 'card_blocked',
  stolen_card: 'card_blocked',
  pickup_card: 'card_blocked',
  restricted_card: 'card_blocked',
  insufficient_funds: 'insufficient_funds',
  expired_card: 'card_expired',
  authentication_required: 'challenge_failed',
  payment_intent_authentication_failure: 'challenge_failed',
  // The player canceled at the bank or the provider.
  payment_method_customer_decline: 'abandoned',
  payment_intent_payment_attempt_expired: 'abandoned',
  payment_intent_payment_attempt_failed: 'abandoned',
  canceled: 'abandoned',
  '2012': 'abandoned',
  '2025': 'saved_gone',
};

/** Nothing that a player can fix, and never shown as the bank's no. The whole list, so that none is forgotten. */
const BY_SHOP_PROBLEM: Record<ShopProblem, FormProblem> = {
  provider_key_invalid: 'provider_keys',
  provider_key_revoked: 'provider_keys',
  provider_key_wrong_mode: 'provider_keys',
  provider_permission_missing: 'provider_keys',
  provider_account_not_active: 'provider_keys',
  provider_not_connected: 'provider_keys',
  provider_refused: 'provider_keys',
  // Nothing was done, and the same may go through a moment later.
  provider_busy: 'abandoned',
  currency_unsupported: 'currency',
  amount_not_exact: 'currency',
  amount_below_minimum: 'amount_low',
  amount_above_maximum: 'amount_high',
  method_unavailable: 'method',
  saved_method_gone: 'saved_gone',
  given_up: 'abandoned',
};

const PROBLEMS: Readonly<Record<string, FormProblem>> = { ...BY_RESPONSE_CODE, ...BY_SHOP_PROBLEM };

type LastTry = Pick<Payment, 'status' | 'responseCode' | 'responseDescription'>;

/** What the form says on top about the last try, or null when there is nothing to say. */
export function formProblem(payment: LastTry | null): FormProblem | null {
  if (payment?.status === 'abandoned') return 'abandoned';
  if (payment?.status !== 'declined') return null;
  return PROBLEMS[payment.responseCode ?? ''] ?? 'declined';
}

export function formProblemDetail(payment: LastTry | null): string | null {
  if (payment?.status !== 'declined') return null;
  const detail = [payment.responseCode, payment.responseDescription].filter(Boolean).join(' ');
  return detail === '' ? null : detail;
}
