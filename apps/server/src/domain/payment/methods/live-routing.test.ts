import { describe, expect, it } from 'vitest';
import type { Gateway } from '../providers/base/gateway.ts';
import { PAYPAL_ABILITIES } from '../providers/paypal/paypal-provider.ts';
import { STRIPE_ABILITIES } from '../providers/stripe/account/stripe-account.ts';
import { type LiveProvider, type LiveRouting, routeMethods } from './live-routing.ts';

const named = (name: string, abilities: LiveProvider['abilities'], more: Partial<LiveProvider> = {}): LiveProvider => ({
  gateway: { name } as Gateway,
  abilities,
  form: null,
  isTest: false,
  isSimulated: false,
  isSilent: false,
  ...more,
});
const stripe = named('stripe', STRIPE_ABILITIES);
const paypal = named('paypal', PAYPAL_ABILITIES);
const both: LiveRouting = { providers: [stripe, paypal], routes: new Map(), failsOver: false };
const facts = { currency: 'EUR', country: 'DE', amountMinor: 499, switches: new Map<string, boolean>() };

const takerOf = (routing: LiveRouting, method: string, more: Partial<typeof facts> = {}): string | undefined => {
  const offer = routeMethods(routing, { ...facts, ...more });
  return 'methods' in offer ? offer.methods.find(({ id }) => id === method)?.by.gateway.name : offer.missing;
};

describe('a method', () => {
  it('goes to the connection of the provider that runs it, else to the first that can take it', () => {
    expect(takerOf(both, 'paypal')).toBe('paypal');
    expect(takerOf(both, 'card')).toBe('stripe');
    expect(takerOf({ ...both, providers: [stripe] }, 'paypal')).toBe('stripe');
    expect(takerOf({ ...both, providers: [paypal] }, 'paypal', { currency: 'HUF', amountMinor: 50_000 })).toBe(
      'paypal',
    );
  });

  it('is not offered by a connection whose account cannot take it, as its provider says', () => {
    const closed = named('stripe', STRIPE_ABILITIES, { unavailable: new Set(['paypal']) });
    expect(takerOf({ ...both, providers: [closed] }, 'paypal')).toBeUndefined();
    expect(takerOf({ ...both, providers: [closed] }, 'card')).toBe('stripe');
    const wanted = { ...both, providers: [closed, paypal], routes: new Map([['paypal', 'stripe']]) };
    expect(takerOf(wanted, 'paypal')).toBe('paypal');
  });

  it('goes where the first matching rule says, by country, currency, method and amount', () => {
    const any = {
      games: null,
      account: null,
      countries: null,
      currencies: null,
      methods: null,
      minMinor: null,
      maxMinor: null,
      provider: 'stripe',
    };
    const ruled = (rules: LiveRouting['rules'], more: Partial<typeof facts> = {}) =>
      takerOf({ ...both, rules: rules! }, 'paypal', more);
    expect(ruled([any])).toBe('stripe');
    expect(ruled([{ ...any, countries: ['PL'] }])).toBe('paypal');
    expect(ruled([{ ...any, countries: ['PL', 'DE'] }])).toBe('stripe');
    expect(ruled([{ ...any, currencies: ['PLN'] }], { currency: 'PLN', country: 'PL' })).toBe('stripe');
    expect(ruled([{ ...any, methods: ['card'] }])).toBe('paypal');
    const small = { ...any, currencies: ['EUR'], maxMinor: 499 };
    expect(ruled([small])).toBe('stripe');
    expect(ruled([small], { amountMinor: 500 })).toBe('paypal');
    expect(ruled([{ ...any, currencies: ['EUR'], minMinor: 500 }])).toBe('paypal');
    expect(ruled([{ ...any, provider: 'paypal' }, any])).toBe('paypal');
    // The provider cannot take it: the next rule that matches decides.
    expect(ruled([{ ...any, provider: 'gone' }, any])).toBe('stripe');
  });

  it('is not offered where the first matching rule says so', () => {
    const none = {
      games: null,
      account: null,
      countries: ['DE'],
      currencies: null,
      methods: ['paypal'],
      minMinor: null,
      maxMinor: null,
      provider: null,
    };
    expect(takerOf({ ...both, rules: [none] }, 'paypal')).toBeUndefined();
    expect(takerOf({ ...both, rules: [none] }, 'card')).toBe('stripe');
    expect(takerOf({ ...both, rules: [none] }, 'paypal', { country: 'FR' })).toBe('paypal');
    const first = { ...none, provider: 'stripe' };
    expect(takerOf({ ...both, rules: [first, none] }, 'paypal')).toBe('stripe');
  });

  it('is never taken by a provider that the company does not want for it', () => {
    const refusals = new Map([['paypal', new Set(['stripe'])]]);
    expect(takerOf({ ...both, providers: [stripe], refusals }, 'paypal')).toBeUndefined();
    expect(takerOf({ ...both, refusals, routes: new Map([['paypal', 'stripe']]) }, 'paypal')).toBe('paypal');
    const silent = [stripe, named('paypal', PAYPAL_ABILITIES, { isSilent: true })];
    expect(takerOf({ ...both, providers: silent, refusals, failsOver: true }, 'paypal')).toBe('paypal');
  });

  it('passes by a connection whose provider takes no payments for it, where another can', () => {
    const refused = named('paypal', PAYPAL_ABILITIES, { isRefused: true });
    expect(takerOf({ ...both, providers: [stripe, refused] }, 'paypal')).toBe('stripe');
    expect(takerOf({ ...both, providers: [refused] }, 'paypal')).toBe('paypal');
  });

  it('goes where the company wants it, where that connection can', () => {
    const routed = { ...both, routes: new Map([['paypal', 'paypal']]) };
    expect(takerOf(routed, 'paypal')).toBe('paypal');
    expect(takerOf(routed, 'card')).toBe('stripe');
    const impossible = { ...both, routes: new Map([['paypal', 'stripe']]) };
    expect(takerOf(impossible, 'paypal', { currency: 'TWD', amountMinor: 10_000 })).toBe('paypal');
    expect(takerOf({ ...both, routes: new Map([['card', 'gone']]) }, 'card')).toBe('stripe');
  });

  it('leaves a silent connection only where the company switched that on and another can take it', () => {
    const silent = [stripe, named('paypal', PAYPAL_ABILITIES, { isSilent: true })];
    expect(takerOf({ ...both, providers: silent }, 'paypal')).toBe('paypal');
    const failsOver = { ...both, providers: silent, failsOver: true };
    expect(takerOf(failsOver, 'paypal')).toBe('stripe');
    expect(takerOf(failsOver, 'card')).toBe('stripe');
    const all = silent.map(one => ({ ...one, isSilent: true }));
    expect(takerOf({ ...failsOver, providers: all }, 'paypal')).toBe('paypal');
  });

  it('is offered once, in the order of the table and of the player’s country', () => {
    const offer = routeMethods(both, facts);
    const ids = 'methods' in offer ? offer.methods.map(({ id }) => id) : [];
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids.slice(0, 3)).toEqual(['paypal', 'klarna', 'card']);
  });

  it('that none can take says what comes closest', () => {
    expect(takerOf({ ...both, providers: [paypal] }, 'paypal', { currency: 'ISK' })).toBe('currency');
    expect(takerOf({ ...both, providers: [paypal] }, 'paypal', { currency: 'HUF', amountMinor: 150 })).toBe(
      'amount_not_exact',
    );
    expect(takerOf({ ...both, providers: [stripe, paypal] }, 'card', { amountMinor: 10, currency: 'ISK' })).not.toBe(
      'currency',
    );
  });
});

describe('several accounts of one provider', () => {
  const account = (id: string, currencies: string[] | null = null): LiveProvider =>
    named('stripe', STRIPE_ABILITIES, {
      account: { id, label: null },
      currencies: currencies && new Set(currencies),
    });
  const europe = account('europe', ['EUR', 'PLN']);
  const world = account('world');
  const routing: LiveRouting = { ...both, providers: [europe, world, paypal], gameId: 'game_1' };
  const any = { games: null, countries: null, currencies: null, methods: null, minMinor: null, maxMinor: null };
  const chosen = (more: Partial<LiveRouting>, visit: Partial<typeof facts> = {}, method = 'card') => {
    const offer = routeMethods({ ...routing, ...more }, { ...facts, ...visit });
    return 'methods' in offer ? offer.methods.find(({ id }) => id === method) : undefined;
  };

  it('take what their currencies say, the narrower first', () => {
    expect(chosen({})?.by).toBe(europe);
    expect(chosen({}, { currency: 'USD' })?.by).toBe(world);
    expect(routeMethods({ ...routing, providers: [europe] }, { ...facts, currency: 'USD' })).toEqual({
      missing: 'currency',
    });
  });

  it('are named by a rule, for its games alone, and only where their own scope allows it', () => {
    const rule = { ...any, provider: 'stripe', account: 'world' };
    expect(chosen({ rules: [rule] })?.by).toBe(world);
    expect(chosen({ rules: [{ ...rule, games: ['game_1'] }] })?.by).toBe(world);
    expect(chosen({ rules: [{ ...rule, games: ['game_2'] }] })?.by).toBe(europe);
    expect(chosen({ rules: [{ ...rule, account: 'europe' }] }, { currency: 'USD' })?.by).toBe(world);
    expect(chosen({ rules: [{ ...rule, account: 'gone' }] })?.by).toBe(europe);
  });

  it('stand in for each other only after every other provider', () => {
    const down = { failsOver: true, routes: new Map([['paypal', 'stripe']]) };
    expect(chosen(down, {}, 'paypal')).toMatchObject({ by: europe, fallback: paypal });
    expect(chosen({ ...down, providers: [europe, world] }, {}, 'paypal')).toMatchObject({
      by: europe,
      fallback: world,
    });
  });
});
