import { METHODS } from '../../../methods/method-table.ts';
import type { GatewayAbilities } from '../../../methods/methods.ts';
import { fromStripeAmount, stripeStep } from '../stripe-amount.ts';

/** Stripe has them, but not where the server confirms the payment, as ours does. */
const NOT_FROM_SERVER = ['blik', 'acss_debit'];
const STRIPE_METHODS = new Set(METHODS.map(({ id }) => id).filter(id => !NOT_FROM_SERVER.includes(id)));

/** The least that Stripe charges, in minor units. What is not here may be as small as one. */
const STRIPE_MINIMUM: Readonly<Record<string, number>> = {
  AED: 200,
  AUD: 50,
  BGN: 100,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1_500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  HUF: 17_500,
  INR: 50,
  JPY: 50,
  MXN: 1_000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1_000,
  USD: 50,
};

/** Eight digits as Stripe counts, whatever they stand for; for rupiahs twelve. */
const stripeMaximum = (currency: string): number =>
  Math.floor(fromStripeAmount(currency === 'IDR' ? 999_999_999_999 : 99_999_999, currency));

/** Presentment currencies of Stripe. */
const STRIPE_CURRENCIES = new Set(
  (
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC ' +
    'CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JPY KES ' +
    'KGS KHR KMF KRW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR ' +
    'NZD PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD ' +
    'TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW BHD JOD KWD OMR TND'
  ).split(' '),
);

/**
 * What Stripe keeps, and for which later payments. A card is kept for a player who is present, and its bank may ask again.
 * All others are kept by a mandate: with it they pay without their own page, and Stripe's types know no other use of most.
 */
const KEPT_FOR: Readonly<Record<string, 'on_session' | 'off_session'>> = {
  card: 'on_session',
  link: 'off_session',
  amazon_pay: 'off_session',
  cashapp: 'off_session',
  revolut_pay: 'off_session',
  kakao_pay: 'off_session',
  naver_pay: 'off_session',
  kr_card: 'off_session',
  sepa_debit: 'off_session',
  us_bank_account: 'off_session',
  bacs_debit: 'off_session',
  au_becs_debit: 'off_session',
};

export const keptFor = (method: string): 'on_session' | 'off_session' | null => KEPT_FOR[method] ?? null;

export const STRIPE_ABILITIES: GatewayAbilities = {
  methods: STRIPE_METHODS,
  savesMethods: true,
  currencies: STRIPE_CURRENCIES,
  amountStep: stripeStep,
  changes: Object.fromEntries(Object.keys(KEPT_FOR).map(id => [id, { canSave: true }])),
  amountRange: currency => ({ min: STRIPE_MINIMUM[currency] ?? 1, max: stripeMaximum(currency) }),
};

/** Wallets around a card are cards to Stripe. All other methods it calls as we do. */
const IN_CARD: readonly string[] = ['apple_pay', 'google_pay'];

export const typeOf = (method: string): string => (IN_CARD.includes(method) ? 'card' : method);

/** Stripe's type and the wallet around a card, as the word that our table has for it. */
export function methodOf(type: string, wallet: string | null = null): string {
  if (wallet !== null && IN_CARD.includes(wallet)) return wallet;
  return METHODS.find(({ id }) => typeOf(id) === type)?.id ?? type;
}
