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

/** Mollie holds the money of these until it is captured. All others are captured when the player pays. */
const RESERVED: readonly string[] = ['card', 'klarna'];

/** Minor units of the currency. What an account or a method takes beyond this, Mollie says itself. */
const LIMITS: Readonly<Record<string, MethodAbilities['limits']>> = {
  ideal: { EUR: { min: 1, max: 5_000_000 } },
  bancontact: { EUR: { min: 2, max: 5_000_000 } },
  eps: { EUR: { min: 100, max: 5_000_000 } },
  kbc: { EUR: { min: 2, max: 5_000_000 } },
  p24: { EUR: { max: 1_250_000 }, PLN: { max: 5_500_000 } },
  twint: { CHF: { max: 500_000 } },
  sepa_transfer: { EUR: { min: 2, max: 100_000_000 } },
};

const CURRENCIES_OF: Readonly<Record<string, readonly string[]>> = {
  paypal: 'AUD CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PHP PLN SEK SGD THB USD'.split(' '),
  klarna: 'CHF CZK DKK EUR GBP NOK PLN RON SEK'.split(' '),
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
  savesMethods: false,
  currencies: MOLLIE_CURRENCIES,
  amountRange: () => ({ min: 1, max: 999_999_999 }),
  amountStep: () => 1,
  changes: Object.fromEntries(IDS.map(id => [id, changesOf(id)])),
};

/** Null: Mollie does not take it from us. */
export const mollieNameOf = (id: string): MollieName | null =>
  Object.hasOwn(NAMES, id) ? NAMES[id as keyof typeof NAMES] : null;

const OURS = new Map<string, string>(Object.entries(NAMES).map(([id, name]) => [name, id]));

export const methodOf = (name: string | null | undefined): string | null => OURS.get(name ?? '') ?? null;

export const isReserved = (id: string): boolean => RESERVED.includes(id);
