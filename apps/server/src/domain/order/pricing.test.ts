import type { CreateOrder, Sale } from '@coinslot/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CatalogPrice, isSaleActive, needsCatalog, type PricingFacts, priceOrder } from './pricing.ts';

const NOW = 1_800_000_000;
const known = (priceMinor: number | null, currency: string | null = 'USD', sale: Sale | null = null): CatalogPrice => ({
  name: 'Known name',
  description: 'Known description',
  imageUrl: null,
  priceMinor,
  currency: priceMinor === null ? null : currency,
  sale,
});

const sandbox = (catalog: Record<string, CatalogPrice> = {}): PricingFacts => ({
  catalog: new Map(Object.entries(catalog)),
  fallback: { amountMinor: 100, currency: 'USD' },
  nowSeconds: NOW,
});
const live = (catalog: Record<string, CatalogPrice> = {}): PricingFacts => ({ ...sandbox(catalog), fallback: null });

const order = (items: CreateOrder['items'], rest: Partial<CreateOrder> = {}): CreateOrder => ({
  player_id: 'p',
  items,
  ...rest,
});

const totalOf = (body: CreateOrder, facts: PricingFacts) => {
  const pricing = priceOrder(body, facts);
  return pricing.kind === 'priced' ? [pricing.total.amountMinor, pricing.total.currency] : pricing;
};

const codesOf = (body: CreateOrder, facts: PricingFacts) => {
  const pricing = priceOrder(body, facts);
  return pricing.kind === 'invalid' ? pricing.issues.map(issue => `${issue.pointer} ${issue.code}`) : pricing;
};

describe('the price of an order', () => {
  it('is its own, if it has one, whatever the items cost', () => {
    const body = order([{ sku: 'a', price_decimal: 5, currency: 'EUR' }, { sku: 'b' }], {
      price_decimal: 3.5,
      currency: 'EUR',
    });
    expect(totalOf(body, sandbox({ b: known(900) }))).toEqual([350, 'EUR']);
    expect(totalOf(order([{ sku: 'a' }], { price_decimal: 0, currency: 'USD' }), live())).toEqual([0, 'USD']);
  });

  it('is the sum of the request’s item prices, else the catalog’s, times quantity', () => {
    const body = order([
      { sku: 'a', price_decimal: 1.25, currency: 'USD', quantity: 4 },
      { sku: 'b', quantity: 3 },
    ]);
    expect(totalOf(body, live({ a: known(999), b: known(200) }))).toEqual([1_100, 'USD']);
  });

  it('in sandbox is the default for a sku that has none, in the currency of the rest', () => {
    expect(totalOf(order([{ sku: 'a' }, { sku: 'b', quantity: 2 }]), sandbox())).toEqual([300, 'USD']);
    expect(totalOf(order([{ sku: 'a' }], { currency: 'EUR' }), sandbox())).toEqual([100, 'EUR']);
    expect(totalOf(order([{ sku: 'a' }, { sku: 'b', price_decimal: 2, currency: 'GBP' }]), sandbox())).toEqual([
      300,
      'GBP',
    ]);
    expect(totalOf(order([{ sku: 'a' }], { currency: 'JPY' }), sandbox())).toEqual([1, 'JPY']);
    expect(totalOf(order([{ sku: 'new' }, { sku: 'old' }]), sandbox({ old: known(500, 'EUR') }))).toEqual([600, 'EUR']);
  });

  it('in live is never guessed', () => {
    const pricing = priceOrder(
      order([{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }]),
      live({ b: known(1), c: known(null) }),
    );
    expect(pricing).toEqual({ kind: 'price_unknown', skus: ['a', 'c'] });
  });

  it('counts the same sku twice when it is there twice (row 63)', () => {
    const pricing = priceOrder(order([{ sku: 'a' }, { sku: 'a', quantity: 2 }]), live({ a: known(10) }));
    expect(pricing).toMatchObject({ kind: 'priced', total: { amountMinor: 30 }, items: [{ sku: 'a' }, { sku: 'a' }] });
  });

  it('is exact for any amounts and quantities', () => {
    const line = fc.record({ minor: fc.nat(1_000_000), quantity: fc.integer({ min: 1, max: 1_000 }) });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), lines => {
        const items = lines.map(({ minor, quantity }, i) => ({ sku: `s${i}`, price_decimal: minor / 100, quantity }));
        const total = lines.reduce((sum, { minor, quantity }) => sum + minor * quantity, 0);
        expect(totalOf(order(items, { currency: 'USD' }), live())).toEqual([total, 'USD']);
      }),
    );
  });
});

describe('a price that cannot be read', () => {
  it('because it has more decimals than its currency is refused, all of them at once (row 57)', () => {
    const body = order(
      [
        { sku: 'a', price_decimal: 1.5 },
        { sku: 'b', price_decimal: 1, sale: { price_decimal: 0.5 } },
      ],
      { currency: 'JPY', price_decimal: 19.999 },
    );
    expect(codesOf(body, sandbox())).toEqual([
      '/price_decimal too_many_decimals',
      '/items/0/price_decimal too_many_decimals',
      '/items/1/sale/price_decimal too_many_decimals',
    ]);
  });

  it('for want of a currency is refused in sandbox as in live', () => {
    const body = order([{ sku: 'a', price_decimal: 1 }]);
    expect(codesOf(body, live())).toEqual(['/items/0/price_decimal currency_required']);
    expect(codesOf(body, sandbox())).toEqual(['/items/0/price_decimal currency_required']);
    const whole = order([{ sku: 'a' }], { price_decimal: 1 });
    expect(codesOf(whole, sandbox())).toEqual(['/price_decimal currency_required']);
    const onSale = order([{ sku: 'a', sale: { price_decimal: 1 } }]);
    expect(codesOf(onSale, sandbox())).toEqual(['/items/0/sale/price_decimal currency_required']);
  });

  it('because currencies are mixed is refused, wherever they come from', () => {
    const given = order([
      { sku: 'a', price_decimal: 1, currency: 'USD' },
      { sku: 'b', price_decimal: 1, currency: 'EUR' },
    ]);
    expect(codesOf(given, live())).toEqual(['/items/1/currency currency_mixed']);
    const catalog = { a: known(100, 'USD'), b: known(100, 'EUR') };
    expect(codesOf(order([{ sku: 'a' }, { sku: 'b' }]), live(catalog))).toEqual(['/items/1 currency_mixed']);
    expect(codesOf(order([{ sku: 'a' }], { currency: 'EUR' }), live(catalog))).toEqual(['/items/0 currency_mixed']);
  });

  it('because it is too big in sum is refused', () => {
    const items = [{ sku: 'a', price_decimal: 1_000_000_000, quantity: 2 }];
    expect(codesOf(order(items, { currency: 'USD' }), live())).toEqual(['/items total_too_big']);
    const huge = Array.from({ length: 100 }, (_, i) => ({ sku: `s${i}`, price_decimal: 1e9, quantity: 1_000_000 }));
    expect(codesOf(order(huge, { currency: 'USD' }), live())).toEqual(['/items total_too_big']);
  });
});

describe('a sale', () => {
  const full = { sku: 'a', price_decimal: 10, currency: 'USD' };
  const priceWith = (sale: Sale) => totalOf(order([{ ...full, sale }]), live());

  it('of percent or price applies to each piece, and the full price is kept beside it', () => {
    expect(priceWith({ discount_percent: 25 })).toEqual([750, 'USD']);
    expect(priceWith({ discount_percent: 100 })).toEqual([0, 'USD']);
    expect(priceWith({ price_decimal: 4.99 })).toEqual([499, 'USD']);
    const pricing = priceOrder(order([{ ...full, quantity: 3, sale: { discount_percent: 50 } }]), live());
    expect(pricing).toMatchObject({
      total: { amountMinor: 1_500 },
      items: [{ priceMinor: 500, fullPriceMinor: 1_000 }],
    });
  });

  it('begins at its first second and is over at its last', () => {
    expect(isSaleActive({ discount_percent: 1, starts_at: NOW }, NOW)).toBe(true);
    expect(isSaleActive({ discount_percent: 1, starts_at: NOW + 1 }, NOW)).toBe(false);
    expect(isSaleActive({ discount_percent: 1, ends_at: NOW }, NOW)).toBe(false);
    expect(isSaleActive({ discount_percent: 1, ends_at: NOW + 1 }, NOW)).toBe(true);
    expect(priceWith({ discount_percent: 50, starts_at: NOW - 10, ends_at: NOW })).toEqual([1_000, 'USD']);
  });

  it('that ends before it starts is refused', () => {
    const sale = { discount_percent: 5, starts_at: NOW + 10, ends_at: NOW + 10 };
    expect(codesOf(order([{ ...full, sale }]), live())).toEqual(['/items/0/sale/ends_at time_order']);
  });

  it('of the catalog counts unless the request has one', () => {
    const catalog = { a: known(1_000, 'USD', { discount_percent: 10 }) };
    expect(totalOf(order([{ sku: 'a' }]), live(catalog))).toEqual([900, 'USD']);
    expect(totalOf(order([{ sku: 'a', sale: { discount_percent: 20 } }]), live(catalog))).toEqual([800, 'USD']);
  });
});

describe('what an item is called', () => {
  it('comes from the request, else from the catalog', () => {
    const items = [{ sku: 'a', name: 'Given name' }, { sku: 'a' }, { sku: 'b' }];
    expect(priceOrder(order(items), sandbox({ a: known(1) }))).toMatchObject({
      items: [{ name: 'Given name', description: 'Known description' }, { name: 'Known name' }, { name: null }],
    });
  });

  it('and costs makes the catalog needed only when the request leaves it open', () => {
    expect(needsCatalog(order([{ sku: 'a', name: 'n', price_decimal: 1 }]))).toBe(false);
    expect(needsCatalog(order([{ sku: 'a', name: 'n' }], { price_decimal: 1 }))).toBe(false);
    expect(needsCatalog(order([{ sku: 'a', price_decimal: 1 }]))).toBe(true);
    expect(needsCatalog(order([{ sku: 'a', name: 'n' }]))).toBe(true);
  });
});

it('a sale that costs more than the full price is refused, of the request and of the catalog (row 148)', () => {
  const own = order([{ sku: 'a', price_decimal: 1, currency: 'USD', sale: { price_decimal: 2 } }]);
  expect(codesOf(own, live())).toEqual(['/items/0/sale/price_decimal too_big']);
  const ofCatalog = order([{ sku: 'a', currency: 'USD', sale: { price_decimal: 2 } }]);
  expect(codesOf(ofCatalog, live({ a: known(100) }))).toEqual(['/items/0/sale/price_decimal too_big']);
});
