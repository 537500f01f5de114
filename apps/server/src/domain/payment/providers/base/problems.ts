import type { DashboardLocale } from '@coinslot/contract';

/** The same in every language of the dashboard; a missing one does not compile. */
export type Advice = Readonly<Record<DashboardLocale, string>>;

/** Why the provider cannot serve the studio at all: nothing that a player could do otherwise. */
export const ACCOUNT_PROBLEMS = {
  provider_key_invalid: 'The payment provider does not know the secret key.',
  provider_key_revoked: 'The secret key was revoked or has expired at the payment provider.',
  provider_key_wrong_mode:
    'The keys belong to the other mode of the payment provider (test instead of live, or live instead of test).',
  provider_permission_missing: 'The secret key is restricted and may not do this.',
  provider_account_not_active: 'The account at the payment provider may not take payments yet.',
} as const;

/** The same for members, in the languages of the dashboard. */
export const ACCOUNT_PROBLEM_TEXTS: Readonly<Record<AccountProblem, Advice>> = {
  provider_key_invalid: {
    en: ACCOUNT_PROBLEMS.provider_key_invalid,
    de: 'Der Zahlungsanbieter kennt den geheimen Schlüssel nicht.',
  },
  provider_key_revoked: {
    en: ACCOUNT_PROBLEMS.provider_key_revoked,
    de: 'Der geheime Schlüssel wurde beim Zahlungsanbieter widerrufen oder ist abgelaufen.',
  },
  provider_key_wrong_mode: {
    en: ACCOUNT_PROBLEMS.provider_key_wrong_mode,
    de: 'Die Schlüssel gehören zum anderen Modus des Zahlungsanbieters (Test statt Live oder Live statt Test).',
  },
  provider_permission_missing: {
    en: ACCOUNT_PROBLEMS.provider_permission_missing,
    de: 'Der geheime Schlüssel ist eingeschränkt und darf das nicht.',
  },
  provider_account_not_active: {
    en: ACCOUNT_PROBLEMS.provider_account_not_active,
    de: 'Das Konto beim Zahlungsanbieter darf noch keine Zahlungen annehmen.',
  },
};

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

export type AccountProblem = keyof typeof ACCOUNT_PROBLEMS;
export type PaymentProblem = keyof typeof PAYMENT_PROBLEMS;

/** The response codes of a payment that the shop, not a bank, declined: a closed list, whichever provider it was. */
export type ShopProblem = AccountProblem | PaymentProblem;

export const SHOP_PROBLEMS: Readonly<Record<ShopProblem, string>> = { ...ACCOUNT_PROBLEMS, ...PAYMENT_PROBLEMS };
