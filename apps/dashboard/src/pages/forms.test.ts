import { describe, expect, test } from 'vitest';
import { numberOf } from '../kit/number-of.ts';
import { placeToStart } from '../shell/last-place.ts';
import { otherSide } from '../shell/other-side.ts';
import { gapsOf, stepOfIssues } from './entrance/register-form.ts';
import { safeNext } from './entrance/safe-next.ts';
import { eventName, spreadEvents } from './integration/event-names.ts';
import { formOf, inputOf, issuesOf } from './items/item-form.ts';
import { browserName } from './settings/browser-name.ts';
import { contrast, inkOn } from './settings/contrast.ts';

describe('a price that is typed', () => {
  test.each([
    ['4.99', 4.99],
    ['4,99', 4.99],
    [' 10 ', 10],
    ['1.000,00', null],
    ['free', null],
    ['-1', null],
    ['', null],
  ])('%j is %j', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });
});

describe('the form of an item', () => {
  const empty = { ...formOf(null), sku: 'sword' };

  test('sends only what was filled in', () => {
    expect(inputOf({ ...empty, name: ' Sword ' })).toEqual({ name: 'Sword' });
    expect(inputOf({ ...empty, price: '4,99' })).toEqual({ price_decimal: 4.99, currency: 'USD' });
  });

  test('comes back as it was saved', () => {
    const sale = { discount_percent: 20, ends_at: 1_800_000_000 };
    const item = { price_decimal: 10, currency: 'EUR', sale, name: 'Sword', description: null, image_url: null };
    const form = formOf({ ...item, id: 'itm_1', sku: 'sword', sandbox: true, created_at: 0, updated_at: 0 });
    expect(inputOf(form)).toEqual({ name: 'Sword', price_decimal: 10, currency: 'EUR', sale });
  });

  test('says everything that is wrong at once', () => {
    const form = { ...empty, sku: ' ', price: 'x', currency: 'eur', saleKind: 'percent' as const, saleValue: '120' };
    expect(issuesOf(form)).toEqual(['sku_needed', 'price_number', 'price_currency', 'sale_number']);
    expect(issuesOf({ ...empty, saleKind: 'price', saleValue: '1' })).toEqual(['sale_price']);
    const backwards = { ...empty, price: '2', saleKind: 'price' as const, saleValue: '1' };
    expect(issuesOf({ ...backwards, saleFrom: '2026-01-02T00:00', saleTo: '2026-01-01T00:00' })).toEqual([
      'sale_order',
    ]);
  });
});

describe('registration', () => {
  const form = { email: '', password: '', name: '', company: '', game_url: '', game_name: '' };

  test('goes on only when the step is filled in', () => {
    expect(gapsOf('you', form)).toEqual(['email', 'password']);
    expect(gapsOf('you', { ...form, email: 'a@b.example', password: 'long enough' })).toEqual([]);
    expect(gapsOf('company', form)).toEqual(['company']);
    expect(gapsOf('game', form)).toEqual(['game_url']);
  });

  test('goes back to the first step that the server finds fault with', () => {
    expect(stepOfIssues(['/game_url', '/password'])).toBe('you');
    expect(stepOfIssues(['/nothing'])).toBeNull();
  });
});

describe('after signing in', () => {
  test('only a page of the app is gone to', () => {
    expect(safeNext('/g/game_1/live/orders?q=x')).toBe('/g/game_1/live/orders?q=x');
    for (const next of ['https://evil.example', '//evil.example', '/\\evil', '/g/\\evil', undefined]) {
      expect(safeNext(next)).toBeNull();
    }
  });

  test('one stands where one was, if it is still there', () => {
    const games = [{ id: 'game_1' }, { id: 'game_2' }];
    expect(placeToStart(games, 'game_2/sandbox')).toBe('/g/game_2/sandbox');
    expect(placeToStart(games, 'game_9/sandbox')).toBe('/g/game_1/live');
    expect(placeToStart([], null)).toBeNull();
  });
});

describe('the sandbox toggle', () => {
  test('stays on the page, and leaves a thing for its list', () => {
    expect(otherSide('/g/game_1/live', 'sandbox')).toBe('/g/game_1/sandbox');
    expect(otherSide('/g/game_1/live/orders/ord_1', 'sandbox')).toBe('/g/game_1/sandbox/orders');
    expect(otherSide('/g/game_1/sandbox/integration/webhooks/whk_1', 'live')).toBe(
      '/g/game_1/live/integration/webhooks',
    );
  });
});

describe('events', () => {
  test('are named as people say them', () => {
    expect(eventName('item.add')).toBe('Item add');
    expect(eventName('order.charged_back')).toBe('Order charged back');
  });

  test('of a wildcard are all of its kinds', () => {
    expect(spreadEvents(['order.*'], ['item.add', 'order.paid', 'order.created'])).toEqual([
      'order.paid',
      'order.created',
    ]);
    expect(spreadEvents(['*'], ['item.add'])).toEqual(['item.add']);
  });
});

describe('what is shown of a browser', () => {
  test('is its name and its system', () => {
    const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
    expect(browserName(chrome)).toEqual({ browser: 'Chrome', system: 'Linux', isPhone: false });
    expect(browserName('curl/8')).toMatchObject({ browser: 'curl/8', system: '' });
  });
});

describe('ink on an accent', () => {
  test.each(['#f2a900', '#000000', '#ffffff', '#3730a3', '#808080', '#ff0000'])('can be read on %s', color => {
    expect(contrast(inkOn(color), color)).toBeGreaterThanOrEqual(4.5);
  });
});
