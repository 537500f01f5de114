import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCIES } from '../../../kit/money.ts';
import { STRIPE_ABILITIES } from '../providers/stripe/account/stripe-account.ts';
import { SIMULATED_LIVE_ABILITIES } from './live-routing.ts';
import { FAVORITES, findMethod, METHODS } from './method-table.ts';
import { countryOfPlayer, type MethodFacts, type OfferedMethods, offerMethods } from './methods.ts';

const FIXED = ['card', 'apple_pay', 'google_pay'];
const NOBODY_SWITCHED = new Map<string, boolean>();

const facts = (more: Partial<MethodFacts>): MethodFacts => ({
  currency: 'EUR',
  country: null,
  amountMinor: 499,
  switches: NOBODY_SWITCHED,
  abilities: STRIPE_ABILITIES,
  ...more,
});

const idsOf = (offer: OfferedMethods): string[] => ('methods' in offer ? offer.methods.map(({ id }) => id) : []);
const offered = (more: Partial<MethodFacts>): string[] => idsOf(offerMethods(facts(more)));

const CARDS_ONLY = { ...SIMULATED_LIVE_ABILITIES, methods: new Set(['card']) };

const anyFacts: fc.Arbitrary<MethodFacts> = fc.record({
  currency: fc.constantFrom(...CURRENCIES.keys()),
  country: fc.option(fc.constantFrom('DE', 'NL', 'BR', 'MX', 'US', 'JP', 'KR', 'PT', 'ZZ', ...Object.keys(FAVORITES))),
  amountMinor: fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 10_000_000_000_000 })),
  switches: fc
    .array(fc.tuple(fc.constantFrom(...METHODS.map(({ id }) => id)), fc.boolean()))
    .map(entries => new Map(entries)),
  abilities: fc.constantFrom(STRIPE_ABILITIES, CARDS_ONLY, SIMULATED_LIVE_ABILITIES),
});

describe('the table', () => {
  test('holds cards, Apple Pay and Google Pay, which are always on, and many more, each once', () => {
    const ids = METHODS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(METHODS.filter(({ canSwitchOff }) => !canSwitchOff).map(({ id }) => id)).toEqual(FIXED);
    expect(ids.filter(id => !FIXED.includes(id)).length).toBeGreaterThanOrEqual(25);
  });

  test('speaks only of currencies, countries and methods that there are', () => {
    for (const { currencies, countries, limits } of METHODS) {
      if (currencies !== 'any') for (const currency of currencies) expect(CURRENCIES.has(currency)).toBe(true);
      if (countries !== 'any') for (const country of countries) expect(country).toMatch(/^[A-Z]{2}$/);
      for (const currency of Object.keys(limits)) expect(currencies).toContain(currency);
    }
    for (const ids of Object.values(FAVORITES)) for (const id of ids) expect(findMethod(id)?.id).toBe(id);
    for (const currency of STRIPE_ABILITIES.currencies ?? [])
      expect([currency, CURRENCIES.has(currency)]).toEqual([currency, true]);
  });

  test('what can neither be held nor returned is off by default', () => {
    const risky = METHODS.filter(({ canReserve, canRefund }) => !canReserve && !canRefund);
    expect(risky.map(({ id }) => id)).toEqual(['oxxo', 'boleto']);
    expect(risky.filter(({ onByDefault }) => onByDefault)).toEqual([]);
  });
});

describe('whatever the facts', () => {
  test('only what fits currency, country, amount, switches and gateway is shown, each once', () => {
    fc.assert(
      fc.property(anyFacts, given => {
        const offer = offerMethods(given);
        if ('missing' in offer) return;
        expect(new Set(offer.methods).size).toBe(offer.methods.length);
        for (const method of offer.methods) {
          expect(given.abilities.methods.has(method.id)).toBe(true);
          if (method.currencies !== 'any') expect(method.currencies).toContain(given.currency);
          if (method.countries !== 'any') expect(method.countries).toContain(given.country);
          if (method.canSwitchOff && given.switches.has(method.id)) expect(given.switches.get(method.id)).toBe(true);
          const { min = 0, max = Number.POSITIVE_INFINITY } = method.limits[given.currency] ?? {};
          expect(given.amountMinor).toBeGreaterThanOrEqual(min);
          expect(given.amountMinor).toBeLessThanOrEqual(max);
        }
      }),
    );
  });

  test('nothing that fits is left out', () => {
    fc.assert(
      fc.property(anyFacts, given => {
        const all = new Map(METHODS.map(({ id }) => [id, true] as const));
        const most = idsOf(offerMethods({ ...given, switches: all }));
        const shown = new Set(idsOf(offerMethods(given)));
        for (const id of most) {
          const method = findMethod(id)!;
          const isOn = !method.canSwitchOff || (given.switches.get(id) ?? method.onByDefault);
          expect([id, shown.has(id)]).toEqual([id, isOn]);
        }
      }),
    );
  });

  test('a switch changes its own method and no other', () => {
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...METHODS), fc.boolean(), (given, { id }, on) => {
        const before = idsOf(offerMethods(given)).filter(shown => shown !== id);
        const after = idsOf(offerMethods({ ...given, switches: new Map([...given.switches, [id, on]]) }));
        expect(after.filter(shown => shown !== id)).toEqual(before);
      }),
    );
  });

  test('cards can always be paid with where anything can, and no switch takes the four away', () => {
    fc.assert(
      fc.property(anyFacts, given => {
        const off = new Map(METHODS.map(({ id }) => [id, false] as const));
        const offer = offerMethods({ ...given, switches: off });
        if ('missing' in offer) {
          expect(offer.missing).not.toBe('method');
          return;
        }
        expect(offer.methods.map(({ id }) => id)).toContain('card');
        expect(FIXED).toEqual(expect.arrayContaining(offer.methods.map(({ id }) => id)));
      }),
    );
  });

  test('a provider of cards alone shows cards and nothing else', () => {
    fc.assert(
      fc.property(anyFacts, given => {
        expect(idsOf(offerMethods({ ...given, abilities: CARDS_ONLY }))).toEqual(['card']);
      }),
    );
  });

  test('a favorite of the country stands before everything that is none', () => {
    fc.assert(
      fc.property(anyFacts, given => {
        const favorites = FAVORITES[given.country ?? ''] ?? [];
        const isFavorite = idsOf(offerMethods(given)).map(id => favorites.includes(id));
        expect(isFavorite.toSorted((one, other) => Number(other) - Number(one))).toEqual(isFavorite);
      }),
    );
  });
});

test.each([
  ['NL', 'EUR', 'ideal'],
  ['BE', 'EUR', 'bancontact'],
  ['PL', 'PLN', 'p24'],
  ['BR', 'BRL', 'pix'],
  ['KR', 'KRW', 'kakao_pay'],
  ['SE', 'SEK', 'swish'],
  ['DE', 'EUR', 'paypal'],
  ['US', 'USD', 'card'],
  ['FR', 'EUR', 'card'],
])('in %s with %s the first is %s', (country, currency, first) => {
  expect(offered({ country, currency, amountMinor: 5_000 })[0]).toBe(first);
});

test('a player without a country sees only what is open in every country', () => {
  expect(offered({ country: null })).toEqual(['card', 'apple_pay', 'google_pay', 'paypal', 'link']);
});

test('an amount outside a method‘s limits hides it, one on the limit does not', () => {
  const switches = new Map([['oxxo', true]]);
  const at = (amountMinor: number) =>
    offered({ country: 'MX', currency: 'MXN', switches, amountMinor }).includes('oxxo');
  expect([at(999), at(1_000), at(1_000_000), at(1_000_001)]).toEqual([false, true, true, false]);
});

test('BLIK is first in Poland where the gateway takes its code, and Stripe does not from a server', () => {
  const inPoland = { country: 'PL', currency: 'PLN', amountMinor: 5_000 };
  expect(offered({ ...inPoland, abilities: SIMULATED_LIVE_ABILITIES })[0]).toBe('blik');
  expect(offered(inPoland)).not.toContain('blik');
});

test.each([
  ['USD', 99_999_999],
  // Twelve digits, so that a rupiah price of some size can be paid at all.
  ['IDR', 999_999_999_999],
  // Given to Stripe with two more digits than the currency has.
  ['ISK', 999_999],
])('the most that Stripe takes of %s is %i', (currency, max) => {
  expect(offered({ currency, amountMinor: max })).toContain('card');
  expect(offerMethods(facts({ currency, amountMinor: max + 1 }))).toEqual({ missing: 'amount_high' });
});

test('what works without script has nothing to type in', () => {
  const without = METHODS.filter(({ leavesPage }) => leavesPage).map(({ id }) => id);
  expect(without).toEqual(expect.arrayContaining(['ideal', 'paypal', 'p24']));
  for (const asksForMore of ['bancontact', 'eps', 'fpx', 'blik', 'card']) expect(without).not.toContain(asksForMore);
});

test('a won price below a hundred can be paid by card only', () => {
  const inKorea = (amountMinor: number) => offered({ country: 'KR', currency: 'KRW', amountMinor });
  expect(inKorea(100)).toContain('kakao_pay');
  expect(inKorea(99)).not.toContain('kakao_pay');
  expect(inKorea(99)).toContain('card');
});

test('why a player cannot pay has its own word', () => {
  expect(offerMethods(facts({ currency: 'IRR' }))).toEqual({ missing: 'currency' });
  expect(offerMethods(facts({ amountMinor: 49 }))).toEqual({ missing: 'amount_low' });
  expect(offerMethods(facts({ amountMinor: 100_000_000 }))).toEqual({ missing: 'amount_high' });
  const cannot = { ...STRIPE_ABILITIES, methods: new Set(['ideal']) };
  expect(offerMethods(facts({ abilities: cannot, country: 'FR' }))).toEqual({ missing: 'method' });
});

test.each([
  [{ country: 'at' }, 'AT'],
  [{ currency: 'PLN', locale: 'en-US' }, 'PL'],
  [{ locale: 'pt-BR' }, 'BR'],
  [{ locale: 'zh-Hans-CN' }, 'CN'],
  [{ acceptLanguage: 'nl-NL,nl;q=0.9,en-US;q=0.8' }, 'NL'],
  [{ locale: 'de' }, null],
  [{ acceptLanguage: 'de' }, null],
])('%j is in %s', (known, country) => {
  const nothing = { country: null, currency: 'EUR', locale: null, acceptLanguage: null };
  expect(countryOfPlayer({ ...nothing, ...known })).toBe(country);
});
