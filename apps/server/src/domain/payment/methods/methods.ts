import { FAVORITES, findMethod, METHODS, type MethodAbilities, type PaymentMethod } from './method-table.ts';

/** What a gateway can do, in words that all gateways share. */
export interface GatewayAbilities {
  methods: ReadonlySet<string>;
  /** Of these, what the provider itself runs: its own connection is asked before another that only passes the method on. */
  ownMethods?: ReadonlySet<string>;
  /** Of these, what cannot be paid without the payer's name and address. Players are not asked for them, so it is never offered. */
  wantAddress?: ReadonlySet<string>;
  /** Keeps a method for the player's next order. */
  savesMethods: boolean;
  /** Null: any that we know. */
  currencies: ReadonlySet<string> | null;
  /** What one payment may be at all, whatever the method. Minor units. */
  amountRange: (currency: string) => { min: number; max: number };
  /** Amounts must be whole multiples of this, in minor units. */
  amountStep: (currency: string) => number;
  /** Where this connection can do more or less by a method than is usual. */
  changes: Readonly<Record<string, Partial<MethodAbilities>>>;
}

/** What the company's members switched. A method that they did not touch is as the table says. */
export type MethodSwitches = ReadonlyMap<string, boolean>;

export interface MethodFacts {
  currency: string;
  /** Null: unknown. Then only what is open in every country is shown. */
  country: string | null;
  amountMinor: number;
  switches: MethodSwitches;
  abilities: GatewayAbilities;
}

/** Why a player can pay with nothing. Each has its own words on the page. */
export type NoMethod = 'currency' | 'amount_low' | 'amount_high' | 'amount_not_exact' | 'method';

export type OfferedMethods = { methods: PaymentMethod[] } | { missing: NoMethod };

export const isSwitchedOn = (method: PaymentMethod, switches: MethodSwitches): boolean =>
  !method.canSwitchOff || (switches.get(method.id) ?? method.onByDefault);

const holds = (list: readonly string[] | 'any', value: string | null): boolean =>
  list === 'any' || (value !== null && list.includes(value));

function isInRange(method: PaymentMethod, currency: string, amountMinor: number): boolean {
  const { min = 0, max = Number.POSITIVE_INFINITY } = method.limits[currency] ?? {};
  return amountMinor >= min && amountMinor <= max;
}

const isOffered = (method: PaymentMethod, facts: MethodFacts): boolean =>
  facts.abilities.methods.has(method.id) &&
  !facts.abilities.wantAddress?.has(method.id) &&
  isSwitchedOn(method, facts.switches) &&
  holds(method.currencies, facts.currency) &&
  holds(method.countries, facts.country) &&
  isInRange(method, facts.currency, facts.amountMinor);

export function likeliestFirst<Method extends PaymentMethod>(methods: Method[], country: string | null): Method[] {
  const favorites = FAVORITES[country ?? ''] ?? [];
  const placeOf = ({ id }: PaymentMethod): number => {
    const place = favorites.indexOf(id);
    return place < 0 ? favorites.length : place;
  };
  // Sorting is stable: what is no favorite keeps the table's order.
  return methods.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Whether money that came by a method can go back the same way, as far as the connection says. */
export const isRefundable = (id: string, abilities: Pick<GatewayAbilities, 'changes'> | null): boolean =>
  abilities?.changes[id]?.canRefund ?? findMethod(id)?.canRefund ?? true;

/** What a player sees, the likeliest first; or why there is nothing to see. */
export function offerMethods(facts: MethodFacts): OfferedMethods {
  const { currency, amountMinor, abilities, country } = facts;
  if (abilities.currencies && !abilities.currencies.has(currency)) return { missing: 'currency' };
  const { min, max } = abilities.amountRange(currency);
  if (amountMinor < min) return { missing: 'amount_low' };
  if (amountMinor > max) return { missing: 'amount_high' };
  if (amountMinor % abilities.amountStep(currency) !== 0) return { missing: 'amount_not_exact' };
  const methods = METHODS.map(method => ({ ...method, ...abilities.changes[method.id] })).filter(method =>
    isOffered(method, facts),
  );
  return methods.length > 0 ? { methods: likeliestFirst(methods, country) } : { missing: 'method' };
}

/** Currencies that only one country uses: who pays in them is likely there. They begin with its code. */
const OF_ONE_COUNTRY = 'BRL CNY CZK DKK GBP INR JPY KRW MXN MYR NZD PLN SEK SGD THB'.split(' ');

const homeOf = (currency: string): string | null => (OF_ONE_COUNTRY.includes(currency) ? currency.slice(0, 2) : null);

const regionOf = (tag: string | null): string | null => /[-_]([A-Z]{2})(?:$|[-_;,])/i.exec(tag ?? '')?.[1] ?? null;

/** Where the player is, from the surest to the vaguest: the game's word, the currency, the locale, the browser. */
export function countryOfPlayer(known: {
  country: string | null;
  currency: string;
  locale: string | null;
  acceptLanguage: string | null;
}): string | null {
  const found = known.country ?? homeOf(known.currency) ?? regionOf(known.locale) ?? regionOf(known.acceptLanguage);
  return found?.toUpperCase() ?? null;
}
