import { createOrder, createWebhook, type Issue, listOrders, patchWebhook } from '@coinslot/contract';
import { describe, expect, it } from 'vitest';
import { parseStrictJson } from './strict-json.ts';
import { bodyCheck, MAX_ISSUES, textCheck } from './validate.ts';

const checkOrder = bodyCheck(createOrder.body);
const order = (text: string) => checkOrder(parseStrictJson(text));
const orderWith = (fields: object) => order(JSON.stringify({ player_id: 'p', items: [{ sku: 's' }], ...fields }));
const sorted = (texts: string[]) => texts.toSorted((a, b) => (a < b ? -1 : 1));
const short = (issues: Issue[]) => sorted(issues.map(issue => `${issue.pointer} ${issue.code}`));

describe('a request body', () => {
  it('needs only a player and skus', () => {
    expect(order('{"player_id":"p","items":[{"sku":"s"}]}')).toMatchObject({ issues: [], warnings: [] });
  });

  it('with everything in it passes', () => {
    const everything = {
      price_decimal: 19.99,
      currency: 'USD',
      email: 'player@example.com',
      back_to_game_url: 'mygame://shop?order={order_id}',
      back_to_store_url: 'https://shop.example.com',
      country: 'GB',
      locale: 'pt-BR',
      metadata: { campaign: 'spring', 'weird\nkey': '' },
      expires_at: 1_800_000_000,
      player: { name: 'Ann', avatar_url: 'https://a.example/b.png', attributes: { level: 3, vip: true, guild: 'x' } },
      ui: { theme: 'dark' },
      items: [
        {
          sku: 's',
          name: 'n',
          description: 'two\nlines',
          quantity: 2,
          price_decimal: 1,
          currency: 'USD',
          sale: { discount_percent: 12.5 },
        },
        {
          sku: '😀'.repeat(255),
          image_url: 'https://a.example/b.png',
          sale: { price_decimal: 0, starts_at: 1, ends_at: 2 },
        },
      ],
    };
    expect(orderWith(everything)).toMatchObject({ issues: [], warnings: [] });
  });

  it('hears of all problems at once', () => {
    const { issues } = order('{"items":[{"name":1},{"sku":""}],"price_decimal":"9.99","currency":"usd","email":"x"}');
    expect(short(issues)).toEqual([
      '/currency format_currency',
      '/email format_email',
      '/items/0/name type',
      '/items/0/sku required',
      '/items/1/sku too_short',
      '/player_id required',
      '/price_decimal type',
    ]);
  });

  it.each([
    [{ items: [] }, '/items too_few'],
    [{ items: Array.from({ length: 101 }, () => ({ sku: 's' })) }, '/items too_many'],
    [{ player_id: 'x'.repeat(256) }, '/player_id too_long'],
    [{ price_decimal: -1 }, '/price_decimal too_small'],
    [{ price_decimal: 1_000_000_001 }, '/price_decimal too_big'],
    [{ price_decimal: null }, '/price_decimal type'],
    [{ items: [{ sku: 's', quantity: 0 }] }, '/items/0/quantity too_small'],
    [{ items: [{ sku: 's', quantity: 1.5 }] }, '/items/0/quantity type'],
    [{ items: [{ sku: 's', name: 'a\r\nb' }] }, '/items/0/name line_break'],
    [{ items: [{ sku: 's', description: 'a\r\nb' }] }, '/items/0/description carriage_return'],
    [{ items: [{ sku: 's', description: 'x'.repeat(2_001) }] }, '/items/0/description too_long'],
    [{ items: [{ sku: 's', sale: {} }] }, '/items/0/sale one_of'],
    [{ items: [{ sku: 's', sale: { discount_percent: 1, price_decimal: 1 } }] }, '/items/0/sale one_of'],
    [{ items: [{ sku: 's', sale: { discount_percent: 0 } }] }, '/items/0/sale/discount_percent too_small'],
    [{ metadata: { a: 1 } }, '/metadata/a type'],
    [{ metadata: { ['k'.repeat(41)]: 'v' } }, `/metadata/${'k'.repeat(41)} too_long`],
    [{ metadata: { 'a/b~c': 'v'.repeat(501) } }, '/metadata/a~1b~0c too_long'],
    [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, ''])) }, '/metadata too_many'],
    [{ ui: { theme: 'pink' } }, '/ui/theme enum'],
    [{ ui: null }, '/ui type'],
    [{ expires_at: '2030-01-01' }, '/expires_at type'],
    [{ back_to_game_url: 'javascript:alert(1)' }, '/back_to_game_url format_return_url'],
    [{ country: 'UK' }, '/country format_country'],
    [{ locale: 'en_US' }, '/locale format_locale'],
    [{ player: { attributes: { a: {} } } }, '/player/attributes/a type'],
  ])('%j is refused', (fields, problem) => {
    expect(short(orderWith(fields).issues)).toEqual([problem]);
  });

  it('that is no object is refused', () => {
    expect(short(order('[]').issues)).toEqual([' type']);
    expect(short(order('null').issues)).toEqual([' type']);
    expect(short(order('1e400').issues)).toEqual([' number_not_exact']);
  });

  it('does not inherit fields', () => {
    expect(short(order('{"constructor":{}}').issues)).toEqual(['/items required', '/player_id required']);
    expect(order('{"constructor":1,"player_id":"p","items":[{"sku":"s","toString":1}]}').warnings).toEqual([
      '/constructor',
      '/items/0/toString',
    ]);
  });

  it('names at most a hundred problems', () => {
    expect(order(`{"player_id":"p","items":[${'1,'.repeat(50_000)}1]}`).issues).toHaveLength(MAX_ISSUES);
    const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`f${i}`, i]));
    expect(orderWith(many).warnings).toHaveLength(100);
    const inexact = order(`{"player_id":"p","items":[{"sku":"s"}],"metadata":[${'1e999,'.repeat(40_000)}1]}`);
    expect(inexact.issues).toHaveLength(MAX_ISSUES);
  });

  it('gets messages that people understand', () => {
    const messages = order('{"items":{},"player_id":5,"ui":{"theme":"x"}}').issues.map(issue => issue.message);
    expect(sorted(messages)).toEqual([
      'Must be a string, not an integer.',
      'Must be an array, not an object.',
      'Must be one of auto, light, dark.',
    ]);
  });
});

describe('unknown fields', () => {
  it('never fail a request and are named at any depth', () => {
    const { issues, warnings } = orderWith({
      prise: 1,
      items: [{ sku: 's', qty: 2, sale: { price_decimal: 1, end: 3 } }],
      'a/b': 1,
      player: { x: 1 },
    });
    expect(issues).toEqual([]);
    expect(sorted(warnings)).toEqual(['/a~1b', '/items/0/qty', '/items/0/sale/end', '/player/x', '/prise']);
  });

  it('do not exist where keys are free', () => {
    expect(orderWith({ metadata: { anything: 'x' }, player: { attributes: { any: 1 } } }).warnings).toEqual([]);
  });
});

describe('numbers that cannot be kept', () => {
  it.each(['19.990000000000000001', '1e400', '9007199254740993', '1e-400'])(
    '%s is refused and never rounded',
    number => {
      const { issues } = order(
        `{"player_id":"p","items":[{"sku":"s","price_decimal":${number}}],"price_decimal":${number},"ui":${number}}`,
      );
      expect(short(issues)).toEqual([
        '/items/0/price_decimal number_not_exact',
        '/price_decimal number_not_exact',
        '/ui number_not_exact',
      ]);
    },
  );

  it('do not matter in a field that is ignored', () => {
    expect(order('{"player_id":"p","items":[{"sku":"s"}],"extra":{"deep":[1e400]}}')).toMatchObject({
      issues: [],
      warnings: ['/extra'],
    });
  });
});

describe('webhook bodies', () => {
  const check = bodyCheck(createWebhook.body);
  const run = (body: object) => short(check(parseStrictJson(JSON.stringify(body))).issues);

  it.each([
    [{ events: ['item.add', 'item.remove'], url: 'https://game.example.com/hook' }, []],
    [{ events: ['order.*', '*'], url: 'https://g.example', description: '', enabled: false, secret: 'longenough' }, []],
    [{ events: ['item.steal'], url: 'https://g.example' }, ['/events/0 enum']],
    [{ events: [], url: 'x' }, ['/events too_few', '/url format_web_url']],
    [{ events: ['*'], url: 'https://g.example', method: 'GET' }, ['/method enum']],
    [{ events: ['*'], url: 'https://g.example', description: 'a\r\nX-Evil: 1' }, ['/description line_break']],
    [{}, ['/events required', '/url required']],
  ])('%j', (body, problems) => {
    expect(run(body)).toEqual(problems);
  });

  it('a change may be empty', () => {
    expect(bodyCheck(patchWebhook.body)(parseStrictJson('{}'))).toMatchObject({ issues: [], warnings: [] });
  });
});

describe('a query', () => {
  const check = textCheck(listOrders.query);

  it('is read into its types, with defaults, without what is unknown', () => {
    expect(check({ created_from: '1700000000', status: 'paid', nonsense: '1' })).toEqual({
      values: { limit: 20, created_from: 1_700_000_000, status: 'paid' },
      issues: [],
    });
  });

  it.each([
    [{ limit: '0' }, '/limit too_small'],
    [{ limit: '101' }, '/limit too_big'],
    [{ limit: '' }, '/limit type'],
    [{ limit: '0x10' }, '/limit type'],
    [{ limit: '1e1' }, '/limit type'],
    [{ limit: ' 5' }, '/limit type'],
    [{ limit: ['1', '2'] }, '/limit type'],
    [{ status: 'lost' }, '/status enum'],
    [{ player_id: 'a\0b' }, '/player_id nul'],
    [{ cursor: '' }, '/cursor too_short'],
  ])('%j is refused', (query, problem) => {
    expect(short(check(query).issues)).toEqual([problem]);
  });
});
