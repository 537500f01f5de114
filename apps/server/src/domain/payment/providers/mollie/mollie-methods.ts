import type { MethodAbilities } from '../../methods/method-table.ts';
import type { GatewayAbilities } from '../../methods/methods.ts';
import { MOLLIE_CURRENCIES } from './wire/mollie-amount.ts';

/** Our word → Mollie's. */
const NAMES = {
  card: 'creditcard',
  paypal: 'paypal',
  ideal: 'ideal',
  bancontact: 'bancontact',
  blik: 'blik',
  p24: 'przelewy24',
  eps: 'eps',
  kbc: 'kbc',
  satispay: 'satispay',
  twint: 'twint',
  mb_way: 'mbway',
  klarna: 'klarna',
  sepa_transfer: 'banktransfer',
} as const;

type MollieName = (typeof NAMES)[keyof typeof NAMES];

/**
 * Mollie holds the money of these until it is captured (docs.mollie.com/docs/place-a-hold-for-a-payment). All others are captured
 * when the player pays.
 */
const RESERVED: readonly string[] = ['card', 'klarna'];

/** Klarna's maximum depends on the country too; the highest of a currency stands here, and Klarna decides for each payment. */
const KLARNA_MOST = {
  EUR: 1_400_000,
  GBP: 400_000,
  DKK: 10_000_000,
  NOK: 10_000_000,
  SEK: 15_000_000,
  CHF: 500_000,
  PLN: 2_000_000,
  CZK: 10_000_000,
};

/**
 * Minor units of the currency, each by "Key information" of docs.mollie.com/docs/<name>, as it stood in 2026. Cards are limited to
 * 10,000 EUR until Mollie raises it for an account, and PayPal's page has none: there the account decides. What is beyond a limit
 * Mollie refuses with a clear no.
 */
const LIMITS: Readonly<Record<string, MethodAbilities['limits']>> = {
  // docs/ideal
  ideal: { EUR: { min: 1, max: 5_000_000 } },
  // docs/bancontact: 1,500 EUR at most in the app; with the card there is no limit.
  bancontact: { EUR: { min: 2 } },
  // docs/blik
  blik: { PLN: { min: 1, max: 5_000_000 } },
  // docs/eps
  eps: { EUR: { min: 100, max: 1_000_000 } },
  // docs/kbc
  kbc: { EUR: { min: 1, max: 5_000_000 } },
  // docs/klarna: 1.00 EUR "or equivalent" at least.
  klarna: Object.fromEntries(
    Object.entries(KLARNA_MOST).map(([currency, max]) => [currency, { ...(currency === 'EUR' && { min: 100 }), max }]),
  ),
  // docs/mbways
  mb_way: { EUR: { min: 1, max: 500_000 } },
  // docs/przelewy24
  p24: { EUR: { min: 1, max: 5_500_000 }, PLN: { min: 1, max: 5_500_000 } },
  // docs/satispay
  satispay: { EUR: { min: 1, max: 5_000_000 } },
  // docs/twint: no maximum for a purchase.
  twint: { CHF: { min: 1 } },
  // docs/bank-transfer
  sepa_transfer: { EUR: { min: 1, max: 100_000_000 } },
};

const CURRENCIES_OF: Readonly<Record<string, readonly string[]>> = {
  paypal: 'AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PHP PLN SEK SGD THB USD'.split(' '),
  klarna: Object.keys(KLARNA_MOST),
};

const changesOf = (id: string): Partial<MethodAbilities> => ({
  // The player types everything on Mollie's pages.
  leavesPage: true,
  canReserve: RESERVED.includes(id),
  canSave: false,
  ...(LIMITS[id] && { limits: LIMITS[id] }),
  ...(CURRENCIES_OF[id] && { currencies: CURRENCIES_OF[id] }),
});

const IDS = Object.keys(NAMES);

export const MOLLIE_ABILITIES: GatewayAbilities = {
  methods: new Set(IDS),
  // Name and postal address of the payer are "required for klarna" (payment-address in github.com/mollie/openapi, specs.yaml).
  wantAddress: new Set(['klarna']),
  savesMethods: false,
  currencies: MOLLIE_CURRENCIES,
  amountRange: () => ({ min: 1, max: 999_999_999 }),
  amountStep: () => 1,
  changes: Object.fromEntries(IDS.map(id => [id, changesOf(id)])),
};

/** In which currencies each of our methods is looked for in Mollie's list, which has those for euros alone by itself. */
export const LISTED_IN: readonly string[] = ['EUR', 'CHF', 'PLN'];

/** Null: Mollie does not take it from us. */
export const mollieNameOf = (id: string): MollieName | null =>
  Object.hasOwn(NAMES, id) ? NAMES[id as keyof typeof NAMES] : null;

const OURS = new Map<string, string>(Object.entries(NAMES).map(([id, name]) => [name, id]));

export const methodOf = (name: string | null | undefined): string | null => OURS.get(name ?? '') ?? null;

export const isReserved = (id: string): boolean => RESERVED.includes(id);
