export interface Decline {
  code: string;
  description: string;
}

/** The part of Stripe's errors that tells why a bank or a check said no. */
export interface StripeRefusal {
  type?: string | undefined;
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
  param?: string | null | undefined;
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

export function declineOf({ code, decline_code: declineCode }: StripeRefusal): Decline {
  const said = declineCode ?? code ?? 'card_declined';
  return { code: said, description: DESCRIPTIONS[said] ?? DESCRIPTIONS[code ?? ''] ?? 'Payment declined' };
}
