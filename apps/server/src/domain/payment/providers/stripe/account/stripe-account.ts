import { reasonOf } from '@coinslot/texts/reasons';
import { METHODS } from '../../../methods/method-table.ts';
import type { GatewayAbilities } from '../../../methods/methods.ts';
import { keyIssues } from '../../base/problems.ts';
import type { KeyRules } from '../../base/provider.ts';
import { fromStripeAmount, stripeStep, toStripeAmount } from '../stripe-amount.ts';

/** Stripe has them, but not where the server confirms the payment, as ours does. */
const NOT_FROM_SERVER = ['blik', 'acss_debit'];
/** Others have them. */
const NOT_OFFERED = [...NOT_FROM_SERVER, 'kbc', 'mb_way', 'sepa_transfer'];
const STRIPE_METHODS = new Set(METHODS.map(({ id }) => id).filter(id => !NOT_OFFERED.includes(id)));

/** The least that Stripe charges, in minor units, and of which currencies. What is not here may be as small as one. */
const STRIPE_MINIMUMS: readonly (readonly [min: number, currencies: string])[] = [
  [30, 'GBP'],
  [50, 'AUD BRL CAD CHF EUR INR JPY NZD SGD USD'],
  [100, 'BGN'],
  [200, 'AED MYR PLN RON'],
  [250, 'DKK'],
  [300, 'NOK SEK'],
  [400, 'HKD'],
  [1_000, 'MXN THB'],
  [1_500, 'CZK'],
  [17_500, 'HUF'],
];

const stripeMinimum = (currency: string): number =>
  STRIPE_MINIMUMS.find(([, currencies]) => currencies.includes(currency))?.[0] ?? 1;

/** Eight digits as Stripe counts, whatever they stand for; for rupiahs twelve. An amount that was rounded up is one too many. */
function stripeMaximum(currency: string): number {
  const most = currency === 'IDR' ? 999_999_999_999 : 99_999_999;
  const max = fromStripeAmount(most, currency);
  return (toStripeAmount(max, currency) ?? 0) > most ? max - 1 : max;
}

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
const KEPT_BY_MANDATE =
  'link amazon_pay cashapp revolut_pay kakao_pay naver_pay kr_card sepa_debit us_bank_account bacs_debit au_becs_debit'.split(
    ' ',
  );

export const keptFor = (method: string): 'on_session' | 'off_session' | null =>
  method === 'card' ? 'on_session' : KEPT_BY_MANDATE.includes(method) ? 'off_session' : null;

export const STRIPE_ABILITIES: GatewayAbilities = {
  methods: STRIPE_METHODS,
  savesMethods: true,
  currencies: STRIPE_CURRENCIES,
  amountStep: stripeStep,
  changes: Object.fromEntries(['card', ...KEPT_BY_MANDATE].map(id => [id, { canSave: true }])),
  amountRange: currency => ({ min: stripeMinimum(currency), max: stripeMaximum(currency) }),
};

/** Wallets around a card are cards to Stripe. All other methods it calls as we do. */
const IN_CARD: readonly string[] = ['apple_pay', 'google_pay'];

export const typeOf = (method: string): string => (IN_CARD.includes(method) ? 'card' : method);

/** Stripe's type and the wallet around a card, as the word that our table has for it. */
export function methodOf(type: string, wallet: string | null = null): string {
  if (wallet !== null && IN_CARD.includes(wallet)) return wallet;
  return METHODS.find(({ id }) => typeOf(id) === type)?.id ?? type;
}

const SECRET = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{6,250}$/;
const PUBLISHABLE = /^pk_(test|live)_[A-Za-z0-9_]{6,250}$/;
const CALLBACK = /^whsec_[A-Za-z0-9+/=_-]{6,250}$/;

export const STRIPE_KEYS: KeyRules = {
  issues: ({ secretKey, publishableKey, callbackSecret }) =>
    keyIssues(why => reasonOf('stripe.key', why), {
      secret_key: PUBLISHABLE.test(secretKey) ? 'secret_key_publishable' : !SECRET.test(secretKey) && 'secret_key',
      publishable_key: SECRET.test(publishableKey)
        ? 'publishable_key_secret'
        : !PUBLISHABLE.test(publishableKey) && 'publishable_key',
      callback_secret: callbackSecret !== null && !CALLBACK.test(callbackSecret) && 'callback_secret',
    }),
  modeOf({ secretKey, publishableKey }) {
    const [secret, publishable] = [SECRET.exec(secretKey)?.[1], PUBLISHABLE.exec(publishableKey)?.[1]];
    if (secret !== publishable) return 'mixed';
    return secret === 'test' ? 'test' : 'live';
  },
  names: { publishableKey: 'Publishable key', secretKey: 'Secret key', callbackSecret: 'Callback signing secret' },
};
