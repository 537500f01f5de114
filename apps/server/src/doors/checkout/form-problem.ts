import type { FormProblem } from '@coinslot/checkout-page';
import type { Payment } from '../../domain/payment/payment.ts';

const BY_RESPONSE_CODE: Record<string, FormProblem> = {
  '2014': 'test_cards_only',
  '2051': 'insufficient_funds',
  '2054': 'card_expired',
  '2065': 'challenge_failed',
  // Not the bank's own word: whoever holds a lost or stolen card need not be told that it is known.
  '3041': 'card_blocked',
  '3043': 'card_blocked',
};

type LastTry = Pick<Payment, 'status' | 'responseCode' | 'responseDescription'>;

/** What the form says on top about the last try, or null when there is nothing to say. */
export function formProblem(payment: LastTry | null): FormProblem | null {
  if (payment?.status === 'abandoned') return 'abandoned';
  if (payment?.status !== 'declined') return null;
  return BY_RESPONSE_CODE[payment.responseCode ?? ''] ?? 'declined';
}

export function formProblemDetail(payment: LastTry | null): string | null {
  if (payment?.status !== 'declined') return null;
  const detail = [payment.responseCode, payment.responseDescription].filter(Boolean).join(' ');
  return detail === '' ? null : detail;
}
