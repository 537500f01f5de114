import type { Item } from '@coinslot/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { setLanguage } from '../../texts/texts.ts';
import { formOf, inputOf, issuesOf } from './item-form.ts';
import { priceText, saleState, saleText } from './item-price.ts';

beforeAll(() => setLanguage('en'));

describe('the form of an item', () => {
  const empty = { ...formOf(null), sku: 'sword' };

  test('sends only what was filled in', () => {
    expect(inputOf(empty)).toEqual({});
    expect(inputOf({ ...empty, name: ' Sword ' })).toEqual({ name: 'Sword' });
    expect(inputOf({ ...empty, price: '4,99' })).toEqual({ price_decimal: 4.99, currency: 'USD' });
  });

  test('sends no sale that was turned off again', () => {
    expect(inputOf({ ...empty, price: '5', saleKind: 'none', saleValue: '20' })).toEqual({
      price_decimal: 5,
      currency: 'USD',
    });
  });

  test.each([
    { discount_percent: 20, ends_at: 1_800_000_000 },
    { price_decimal: 7.5, starts_at: 1_700_000_040 },
  ])('comes back as it was saved, with a sale of %j', sale => {
    const item = { price_decimal: 10, currency: 'EUR', sale, name: 'Sword', description: null, image_url: null };
    const form = formOf({ ...item, id: 'itm_1', sku: 'sword', sandbox: true, created_at: 0, updated_at: 0 });
    expect(inputOf(form)).toEqual({ name: 'Sword', price_decimal: 10, currency: 'EUR', sale });
  });

  test('names everything that is wrong at once', () => {
    const form = { ...empty, sku: ' ', price: 'x', currency: 'eur', saleKind: 'percent' as const, saleValue: '120' };
    expect(issuesOf(form)).toEqual(['sku_needed', 'price_number', 'price_currency', 'sale_number']);
    expect(issuesOf({ ...empty, saleKind: 'price', saleValue: '1' })).toEqual(['sale_price']);
    expect(issuesOf(empty)).toEqual([]);
  });

  test.each(['0', '100.5', '-5', ''])('takes no discount of %j percent', saleValue => {
    expect(issuesOf({ ...empty, price: '5', saleKind: 'percent', saleValue })).toEqual(['sale_number']);
  });

  test('takes no sale that ends before it starts', () => {
    const sale = { ...empty, price: '2', saleKind: 'price' as const, saleValue: '1' };
    const days = { saleFrom: '2026-01-02T00:00', saleTo: '2026-01-01T00:00' };
    expect(issuesOf({ ...sale, ...days })).toEqual(['sale_order']);
    expect(issuesOf({ ...sale, saleFrom: days.saleTo, saleTo: days.saleTo })).toEqual(['sale_order']);
    expect(issuesOf({ ...sale, saleFrom: days.saleTo, saleTo: days.saleFrom })).toEqual([]);
  });
});

describe('the price of an item', () => {
  test('has the decimals of its currency', () => {
    expect(priceText({ price_decimal: 4.5, currency: 'USD' })).toBe('$4.50');
    expect(priceText({ price_decimal: 500, currency: 'JPY' })).toBe('¥500');
    expect(priceText({ price_decimal: 1.25, currency: 'KWD' })?.replaceAll(/\s/g, ' ')).toBe('KWD 1.250');
  });

  test('is missing without an amount or a currency', () => {
    expect(priceText({ price_decimal: null, currency: 'USD' })).toBeNull();
    expect(priceText({ price_decimal: 1, currency: null })).toBeNull();
  });
});

describe('a sale', () => {
  const sale = (fields: object): Pick<Item, 'sale' | 'currency'> => ({ sale: fields, currency: 'USD' });

  test('starts at its first second and ends before its last', () => {
    const both = sale({ discount_percent: 10, starts_at: 100, ends_at: 200 });
    expect([99, 100, 199, 200].map(now => saleState(both, now))).toEqual(['planned', 'on', 'on', 'over']);
  });

  test('without dates is always on, and an item without one is on none', () => {
    expect(saleState(sale({ discount_percent: 10 }), 0)).toBe('on');
    expect(saleState({ sale: null }, 0)).toBe('none');
  });

  test('is shown as a discount or as the new price', () => {
    expect(saleText(sale({ discount_percent: 20 }))).toBe('−20%');
    expect(saleText(sale({ price_decimal: 3 }))).toBe('$3.00');
    expect(saleText({ sale: null, currency: null })).toBe('');
  });
});
