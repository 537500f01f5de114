/**
 * What a caller can send wrong, over real HTTP against the running program: it gets the contract's error, never a 500,
 * and leaves no row behind.
 */
import { ENDPOINTS, type Endpoint, ERROR_CODES, type Problem } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { A_PURCHASE, createStudio, type Studio } from './game-studio.ts';
import { MALFORMED, NOT_AN_OBJECT } from './hostile-json.ts';
import { LINE_BREAKS } from './naughty-strings.ts';
import { type Account, type Coinslot, startCoinslot } from './start-coinslot.ts';
import { pointerOf, withValue, wrongValues } from './wrong-values.ts';

const ORDERS = '/s2s/v1/orders';
const endpoints = Object.values<Endpoint>(ENDPOINTS);

let coinslot: Coinslot;
let account: Account;
let studio: Studio;
let game: Game;
const statuses = new Set<number>();

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  key?: string;
  url?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what is tested
async function send(path: string, body?: string | Buffer, sent: Sent = {}): Promise<{ status: number; body: any }> {
  const { method = 'POST', headers = { 'content-type': 'application/json' }, url = coinslot.url } = sent;
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${sent.key ?? account.sandbox.s2s_key}`, ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  const text = await response.text();
  statuses.add(response.status);
  if (response.status >= 400) expectProblem(response, text);
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

function expectProblem(response: Response, text: string): void {
  const { status, headers } = response;
  const problem: Problem = JSON.parse(text);
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(problem).toMatchObject({ status, title: expect.any(String), request_id: headers.get('x-request-id') });
  expect(ERROR_CODES).toContain(problem.code);
  expect(problem.type).toBe(`${coinslot.url}/errors/${problem.code}`);
  expect(problem.errors === undefined).toBe(problem.code !== 'validation_failed');
}

const sendJson = (path: string, body: unknown, sent?: Sent) => send(path, JSON.stringify(body), sent);
const pointersOf = (body: Problem): string[] => (body.errors ?? []).map(({ pointer }) => pointer);

const TABLES = [
  'orders',
  'items',
  'players',
  'idempotency_keys',
  'payments',
  'events',
  'deliveries',
  'webhook_subscriptions',
  'jobs',
  'mails',
  'simulator.charges',
];

const countRows = () =>
  coinslot.query(
    TABLES.map(table => `select '${table}' as table, count(*)::int as rows from ${table}`).join(' union all '),
  );

beforeAll(async () => {
  coinslot = await startCoinslot();
  account = await coinslot.setup();
  studio = createStudio(coinslot, account);
  game = await startGame({ secret: account.sandbox.s2s_key });
  const webhook = { url: game.url, events: ['item.add', 'item.remove'], player_context_enabled: true };
  expect((await sendJson('/s2s/v1/webhooks', webhook)).status).toBe(201);
});

afterAll(async () => {
  await game?.close();
  await coinslot?.stop();
});

describe('what is refused leaves no row behind:', () => {
  let before: unknown;
  beforeEach(async () => {
    before = await countRows();
  });
  afterEach(async () => expect(await countRows()).toEqual(before));

  test('JSON that is malformed, or holds what no honest client sends (row 58)', async () => {
    for (const [name, body] of Object.entries(MALFORMED)) {
      const answer = await send(ORDERS, body);
      expect([name, answer.status, answer.body.code]).toEqual([name, 400, 'invalid_json']);
    }
  });

  test('JSON that is not an object', async () => {
    for (const body of NOT_AN_OBJECT) expect([body, (await send(ORDERS, body)).status]).toEqual([body, 422]);
  });

  test('a million items and bodies beyond 256 KiB, before they are parsed (row 56)', async () => {
    const million = `{"player_id":"p","items":[${'{"sku":"s"},'.repeat(999_999)}{"sku":"s"}]}`;
    const padded = (size: number): string => JSON.stringify(A_PURCHASE).padEnd(size);
    for (const body of [million, padded(256 * 1024 + 1), '['.repeat(300_000)]) {
      expect(await send(ORDERS, body)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
    }
    // The last byte that is allowed is not the reason for a refusal.
    expect(await send(ORDERS, padded(256 * 1024).replace('"sword"', '123456 '))).toMatchObject({ status: 422 });
  });

  const bodies: [string, string, string, object, object][] = [
    ['an order', 'POST', ORDERS, ENDPOINTS.createOrder.body, { ...A_PURCHASE, currency: 'USD' }],
    [
      'a webhook',
      'POST',
      '/s2s/v1/webhooks',
      ENDPOINTS.createWebhook.body,
      { url: 'https://example.com', events: ['*'] },
    ],
    ['an item', 'PUT', '/s2s/v1/items/wrong', ENDPOINTS.putItem.body, {}],
    ['a change of a webhook', 'PATCH', '/s2s/v1/webhooks/whk_0', ENDPOINTS.patchWebhook.body, {}],
    ['a replay', 'POST', '/s2s/v1/webhooks/whk_0/replay', ENDPOINTS.replayWebhook.body, { since: 0 }],
    ['a refund', 'POST', `${ORDERS}/ord_0/refund`, ENDPOINTS.refundOrder.body, {}],
    ['a test payment', 'POST', `${ORDERS}/ord_0/pay`, ENDPOINTS.payOrder.body, { card: 'success' }],
  ];
  test.each(bodies)(
    'every wrong type and broken limit in %s is named by its pointer (row 63)',
    async (_, method, path, schema, base) => {
      for (const wrong of wrongValues(schema)) {
        const answer = await sendJson(path, withValue(base, wrong.path, wrong.value), { method });
        const what = `${pointerOf(wrong)}: ${wrong.why}`;
        expect([what, answer.status, answer.body.code]).toEqual([what, 422, 'validation_failed']);
        const isNamed = pointersOf(answer.body).some(pointer => pointer.startsWith(pointerOf(wrong)));
        expect([what, pointersOf(answer.body), isNamed]).toEqual([what, pointersOf(answer.body), true]);
      }
    },
  );

  const refusedPrices = [
    '-1',
    '-0.01',
    '1e308',
    '1e400',
    '1e-7',
    '"9.99"',
    '0.30000000000000004',
    '19.999',
    '0.001',
    '9007199254740993',
    '1000000000.01',
    '1000000001',
    '1e10',
    '99999999999999999999',
    '4.990000000000000000001',
    'null',
    'true',
    '[]',
    '{}',
  ];
  test.each([
    ['of an order', (price: string) => `"price_decimal":${price},"currency":"USD","items":[{"sku":"s"}]`],
    ['of an item', (price: string) => `"items":[{"sku":"s","price_decimal":${price},"currency":"USD"}]`],
    [
      'of a sale',
      (price: string) => `"items":[{"sku":"s","price_decimal":5,"currency":"USD","sale":{"price_decimal":${price}}}]`,
    ],
  ])('a price %s that is negative, too large, not exact or no number', async (_, fields) => {
    for (const price of refusedPrices) {
      const answer = await send(ORDERS, `{"player_id":"p",${fields(price)}}`);
      expect([price, answer.status]).toEqual([price, 422]);
      expect(pointersOf(answer.body).join()).toContain('price_decimal');
    }
  });

  test('decimals that the currency does not have, and currencies that do not fit together (row 57)', async () => {
    const item = (price_decimal: number, currency: string) => ({ sku: `s-${currency}`, price_decimal, currency });
    const wrong: [object, string][] = [
      [{ price_decimal: 1.5, currency: 'JPY' }, '/price_decimal'],
      [{ price_decimal: 0.1, currency: 'KRW' }, '/price_decimal'],
      [{ price_decimal: 1.0001, currency: 'KWD' }, '/price_decimal'],
      [{ price_decimal: 1, currency: 'ZZZ' }, '/currency'],
      [{ price_decimal: 1, currency: 'usd' }, '/currency'],
      [{ price_decimal: 1, currency: 'USD ' }, '/currency'],
      [{ items: [item(1, 'USD'), item(1, 'EUR')] }, '/items/1/currency'],
      [{ currency: 'GBP', items: [item(1, 'USD')] }, '/items/0/currency'],
      [{ items: [{ sku: 's', price_decimal: 1e9, currency: 'USD', quantity: 1_000_000 }] }, '/items'],
    ];
    for (const [fields, pointer] of wrong) {
      const answer = await sendJson(ORDERS, { ...A_PURCHASE, ...fields });
      expect([answer.status, pointersOf(answer.body)]).toEqual([
        422,
        expect.arrayContaining([expect.stringContaining(pointer)]),
      ]);
    }
  });

  test('line breaks where they could start another header or line (row 64)', async () => {
    for (const text of Object.values(LINE_BREAKS)) {
      const [sku, reason] = ['s', text];
      const tries: [string, object][] = [
        [ORDERS, { ...A_PURCHASE, items: [{ sku, name: text }] }],
        [ORDERS, { ...A_PURCHASE, player: { name: text } }],
        [ORDERS, { ...A_PURCHASE, email: `${text}@example.com` }],
        [ORDERS, { ...A_PURCHASE, email: `player@example.com${text}` }],
        [ORDERS, { ...A_PURCHASE, back_to_game_url: `mygame://shop?${text}` }],
        [ORDERS, { ...A_PURCHASE, locale: text }],
        ['/s2s/v1/webhooks', { url: 'https://example.com', events: ['*'], description: text }],
        ['/s2s/v1/webhooks', { url: 'https://example.com', events: ['*'], secret: `a long secret ${text}` }],
        ['/s2s/v1/webhooks', { url: `https://example.com/${text}`, events: ['*'] }],
        [`${ORDERS}/ord_0/refund`, { reason }],
      ];
      for (const [path, body] of tries) expect((await sendJson(path, body)).status).toBe(422);
    }
    const description = { ...A_PURCHASE, items: [{ sku: 's', description: 'a\rb' }] };
    expect((await sendJson(ORDERS, description)).status).toBe(422);
  });

  test('texts one character too long, in any script', async () => {
    for (const text of ['x'.repeat(256), '😀'.repeat(256), 'e\u0301'.repeat(128)]) {
      const answer = await sendJson(ORDERS, { player_id: text, items: [{ sku: text, name: text }] });
      expect(pointersOf(answer.body).toSorted()).toEqual(['/items/0/name', '/items/0/sku', '/player_id']);
    }
  });

  test('bodies that are not declared as JSON in UTF-8', async () => {
    const types = ['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    for (const type of [
      ...types,
      'application/json; charset=latin1',
      'application/jsonp',
      'application/*',
      'json',
      '',
    ]) {
      const answer = await send(ORDERS, JSON.stringify(A_PURCHASE), { headers: { 'content-type': type } });
      expect([type, answer.status]).toEqual([type, 415]);
    }
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await send(ORDERS, JSON.stringify(A_PURCHASE), { headers })).status).toBe(415);
  });

  test('methods that a path does not take, with those it takes in Allow', async () => {
    for (const path of new Set(endpoints.map(endpoint => endpoint.path))) {
      const taken = endpoints.filter(endpoint => endpoint.path === path).map(({ method }) => method as string);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(name => !taken.includes(name))) {
        const url = coinslot.url + path.replace(/\{\w+\}/, 'x');
        const answer = await fetch(url, { method, headers: { authorization: `Bearer ${account.sandbox.s2s_key}` } });
        statuses.add(answer.status);
        expect([method, path, answer.status]).toEqual([method, path, 405]);
        const allowed = (answer.headers.get('allow') ?? '').split(', ');
        expect(allowed.filter(name => name !== 'HEAD' && name !== 'OPTIONS').toSorted()).toEqual(taken.toSorted());
        expectProblem(answer, await answer.text());
      }
    }
  });

  test('paths that do not exist', async () => {
    const paths = [
      '/s2s',
      '/s2s/v1',
      '/s2s/v1/',
      '/s2s/v2/orders',
      '/s2s/v1/order',
      '/s2s/v1/orders/',
      '/S2S/V1/ORDERS',
    ];
    for (const path of [...paths, `${ORDERS}/ord_0/unknown`, '//s2s/v1/orders', `${ORDERS}%2F`]) {
      expect([path, (await send(path, undefined, { method: 'GET' })).status]).toEqual([path, 404]);
    }
  });

  test('ids that are no ids are like ids of nothing', async () => {
    const ids = [
      'x',
      'ord_0',
      'ord_01kb2m3n4p5q6r7s8t9v0w1x2y',
      '%F0%9F%98%80',
      "'%20or%201=1",
      'ord_*',
      'ORD_0',
      'null',
      '..%2F',
    ];
    for (const id of ids)
      expect((await send(`${ORDERS}/${id}`, undefined, { method: 'GET' })).body.code).toBe('order_not_found');
    for (const id of ['%', '%zz', '%C3', '%ED%A0%80'])
      expect((await send(`${ORDERS}/${id}`, undefined, { method: 'GET' })).status).toBe(400);
    expect((await send(`${ORDERS}/%00`, undefined, { method: 'GET' })).status).toBe(422);
  });

  const lists = endpoints.filter(({ method, query }) => method === 'GET' && query && 'limit' in query.properties);
  test.each(lists.map(({ path }) => path))('bad queries of %s', async path => {
    const bad = [
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=abc',
      'limit=',
      'limit=1.5',
      'limit=0x10',
      'limit=1e1',
      'limit=1&limit=2',
    ];
    bad.push(
      'cursor=',
      'cursor=garbage',
      'cursor=b3JkXzA',
      `cursor=${'x'.repeat(513)}`,
      'cursor=%00',
      'cursor=a&cursor=b',
    );
    if (path === ORDERS || path.endsWith('payments')) {
      bad.push(
        'created_from=letters',
        'created_to=-1',
        'created_from=1.5',
        'created_from=99999999999999',
        'status=unknown',
      );
      bad.push('player_id=', 'player_id=a&player_id=b', `player_id=${'x'.repeat(256)}`);
    }
    const [subscription] = (await studio.call('GET', '/s2s/v1/webhooks')).body.data;
    for (const query of bad) {
      const answer = await send(`${path.replace('{webhook_id}', subscription.id)}?${query}`, undefined, {
        method: 'GET',
      });
      expect([query, answer.status, pointersOf(answer.body)]).toEqual([query, 422, [`/${query.split('=')[0]}`]]);
    }
  });

  test('an Idempotency-Key that is too long or empty', async () => {
    for (const key of ['x'.repeat(256), '']) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const answer = await sendJson(ORDERS, A_PURCHASE, { headers });
      expect([answer.status, pointersOf(answer.body)]).toEqual([422, ['/idempotency-key']]);
    }
  });
});

test('a form that is none, or too large, is refused with a page and pays nothing', async () => {
  const { order_id, checkout_url } = await studio.createOrder();
  const post = (path: string, body: BodyInit, type: string) =>
    fetch(checkout_url + path, { method: 'POST', body, headers: { 'content-type': type }, redirect: 'manual' });
  const form = 'application/x-www-form-urlencoded';
  const tries: [Promise<Response>, number][] = [
    [post('/pay', 'x', 'text/plain'), 415],
    [post('/pay', `email=${'x'.repeat(20_000)}`, form), 413],
    [post('/pay', '', form), 422],
    [post('/pay', '%&%00=%ff&email=%', form), 422],
    [post('/pay', 'email=a%40b.example%0d%0aBcc:c%40d.example', form), 422],
    [post('/pay', '{}', 'application/json'), 422],
    [post('/claim', '', form), 303],
    [post('/challenge', 'result=complete', form), 303],
  ];
  for (const [answer, status] of tries) {
    const { status: given, headers } = await answer;
    expect([given, status === 303 || headers.get('content-type')]).toEqual([
      status,
      status === 303 || 'text/html; charset=utf-8',
    ]);
  }
  expect(await studio.readOrder(order_id)).toMatchObject({ status: 'created', payment_id: null });
});

test('nothing of it was a fault of ours', () => {
  expect([...statuses].filter(status => status >= 500)).toEqual([]);
  expect(coinslot.log()).not.toMatch(/request failed|checkout page failed|work failed/);
});
