import { advice } from '@coinslot/texts/advice';

/** Why the provider cannot serve the studio at all: nothing that a player could do otherwise. */
export type AccountProblem =
  | 'provider_key_invalid'
  | 'provider_key_revoked'
  | 'provider_key_wrong_mode'
  | 'provider_permission_missing'
  | 'provider_account_not_active';

/** In English, for the API and the command line; the dashboard shows the same in a member's language. */
export const accountProblemText = (problem: AccountProblem): string => advice.languages.en[problem];

/** Why this one payment cannot be taken, whatever the player does. */
export const PAYMENT_PROBLEMS = {
  currency_unsupported: 'The payment provider does not take this currency.',
  amount_below_minimum: 'The amount is below the least that the payment provider takes.',
  amount_above_maximum: 'The amount is above the most that the payment provider takes.',
  amount_not_exact: 'The payment provider takes fewer decimals of this currency than the amount has.',
  method_unavailable: 'The payment method is not switched on at the payment provider, or not for this payment.',
  saved_method_gone: 'The payment provider has the saved method no more.',
  provider_not_connected: 'The studio has connected no payment provider yet.',
  provider_busy: 'The payment provider has too much to do. Nothing was charged; try again.',
  provider_refused: 'The payment provider refused the request, which is a mistake of the setup or of the shop.',
  given_up: 'This payment was given up before it reached the provider.',
} as const;

export type PaymentProblem = keyof typeof PAYMENT_PROBLEMS;

/** The response codes of a payment that the shop, not a bank, declined: a closed list, whichever provider it was. */
export type ShopProblem = AccountProblem | PaymentProblem;

export const SHOP_PROBLEMS: Readonly<Record<ShopProblem, string>> = { ...advice.languages.en, ...PAYMENT_PROBLEMS };
