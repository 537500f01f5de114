/** What is odd but allowed is kept: by GET, on the wire to the game, and to the last digit of a price. */
import { createHmac } from 'node:crypto';
import type { Item, Order, Player } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { A_PURCHASE, createStudio, patience, type Studio } from './game-studio.ts';
import { LINE_BREAKS, NAUGHTY_STRINGS } from './naughty-strings.ts';
import { type Account, type Coinslot, startCoinslot } from './start-coinslot.ts';

const ORDERS = '/s2s/v1/orders';

let coinslot: Coinslot;
let account: Account;
let studio: Studio;
let game: Game;

beforeAll(async () => {
  coinslot = await startCoinslot();
  account = await coinslot.setup();
  studio = createStudio(coinslot, account);
  game = await startGame({ secret: account.sandbox.s2s_key });
  const webhook = { url: game.url, events: ['item.add', 'item.remove'], player_context_enabled: true };
  expect((await studio.call('POST', '/s2s/v1/webhooks', webhook)).status).toBe(201);
});

afterAll(async () => {
  await game?.close();
  await coinslot?.stop();
});

/** A body as it is, and not as a program would write it. */
const sendText = (body: string, headers: Record<string, string> = {}, url = coinslot.url) =>
  fetch(url + ORDERS, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.sandbox.s2s_key}`, 'content-type': 'application/json', ...headers },
    body,
  });

const get = async <T>(path: string): Promise<T> => (await studio.call('GET', path)).body;

describe('a text comes back byte for byte, by GET and in the webhook:', () => {
  test.each(Object.entries(NAUGHTY_STRINGS))('%s', async (_, text) => {
    const metadata = { value: text, [Array.from(text).slice(0, 40).join('')]: 'as a key' };
    const item = { sku: text, name: text, description: text };
    const player = { name: text, attributes: { title: text } };
    const id = await studio.buy({ player_id: text, items: [item], metadata, player });
    const order = await get<Order>(`${ORDERS}/${id}`);
    expect(order).toMatchObject({ player_id: text, items: [item], metadata });
    expect(Object.keys(order.metadata)).toEqual(Object.keys(metadata));
    const listed = await get<{ data: Order[] }>(`${ORDERS}?player_id=${encodeURIComponent(text)}`);
    expect(listed.data.map(({ order_id }) => order_id)).toEqual([id]);
    expect(await get<Item>(`/s2s/v1/items/${encodeURIComponent(text)}`)).toMatchObject(item);
    expect(await get<Player>(`/s2s/v1/players/${encodeURIComponent(text)}`)).toMatchObject({
      player_id: text,
      ...player,
    });
    const request = game.requests.at(-1)!;
    expect(request.verified).toBe(true);
    expect(request.body?.event_data).toMatchObject({ player_id: text, metadata, items: [{ sku: text, name: text }] });
    expect(request.body?.context).toEqual({ player: { player_id: text, ...player } });
    const timestamp = String(request.headers['x-service-signature-timestamp']);
    const digest = createHmac('sha256', account.sandbox.s2s_key)
      .update(`${timestamp}.${request.rawBody}`)
      .digest('hex');
    expect(request.headers['x-service-signature']).toBe(digest);
  });

  test.each(Object.entries(LINE_BREAKS))('%s in identifiers and metadata', async (_, text) => {
    const id = await studio.buy({ player_id: text, items: [{ sku: text }], metadata: { note: text } });
    const kept = { player_id: text, items: [{ sku: text }], metadata: { note: text } };
    expect(await get<Order>(`${ORDERS}/${id}`)).toMatchObject(kept);
    expect(game.requests.at(-1)?.body?.event_data).toMatchObject(kept);
  });

  test('composed and decomposed letters are two skus and two players (row 60)', async () => {
    const both = ['caf\u00e9', 'cafe\u0301'];
    for (const [i, sku] of both.entries()) {
      await studio.call('PUT', `/s2s/v1/items/${encodeURIComponent(sku)}`, { price_decimal: i + 1, currency: 'EUR' });
    }
    const prices = both.map(async sku => (await get<Item>(`/s2s/v1/items/${encodeURIComponent(sku)}`)).price_decimal);
    expect(await Promise.all(prices)).toEqual([1, 2]);
  });
});

describe('a price is kept exactly:', () => {
  const prices: [text: string, currency: string, amount: number][] = [
    ['0', 'USD', 0],
    ['-0', 'USD', 0],
    ['0.0', 'USD', 0],
    ['0.01', 'USD', 1],
    ['0.1', 'USD', 10],
    ['0.29', 'USD', 29],
    ['1.005e0', 'KWD', 1005],
    ['4.35', 'USD', 435],
    ['8.20', 'USD', 820],
    ['19.99', 'USD', 1999],
    ['19.990000', 'USD', 1999],
    ['1e2', 'USD', 10_000],
    ['1E+2', 'USD', 10_000],
    ['1250e-2', 'USD', 1250],
    ['1', 'JPY', 1],
    ['1.0', 'JPY', 1],
    ['0.001', 'KWD', 1],
    ['999999999.99', 'USD', 99_999_999_999],
    ['1000000000', 'USD', 100_000_000_000],
    ['1000000000', 'KWD', 1_000_000_000_000],
  ];
  test.each(prices)('%s %s', async (text, currency, amount) => {
    const body = `{"player_id":"p","items":[{"sku":"s"}],"price_decimal":${text},"currency":"${currency}"}`;
    const answer = await sendText(body);
    const created = await answer.json();
    expect([answer.status, created]).toMatchObject([201, { amount, currency, price_decimal: Math.abs(Number(text)) }]);
    expect(await studio.readOrder(created.order_id)).toMatchObject({ amount, currency });
  });
});

describe('an order', () => {
  test('with fields that are not known is made, and the answer names them', async () => {
    const body = {
      ...A_PURCHASE,
      prise_decimal: 5,
      constructor: { prototype: { isAdmin: true } },
      items: [{ sku: 'sword', color: 'red', toString: 'x' }],
      player: { guild: 'x' },
      ui: { font: 'serif' },
    };
    const answer = await studio.call('POST', ORDERS, body);
    expect(answer.status).toBe(201);
    expect(answer.body.warnings.toSorted()).toEqual([
      '/constructor',
      '/items/0/color',
      '/items/0/toString',
      '/player/guild',
      '/prise_decimal',
      '/ui/font',
    ]);
  });

  test('may name a sku twice: they stay two lines, each with its price (row 63)', async () => {
    const line = { sku: 'twice', price_decimal: 2, currency: 'USD' };
    const id = await studio.buy({ items: [line, { ...line, quantity: 3, price_decimal: 1 }] });
    expect(await studio.readOrder(id)).toMatchObject({ amount: 500, items: [{ quantity: 1 }, { quantity: 3 }] });
    expect(game.requests.at(-1)?.body?.event_data.items).toMatchObject([
      { sku: 'twice', quantity: 1 },
      { sku: 'twice', quantity: 3 },
    ]);
  });

  test('may have a hundred items and be 256 KiB large', async () => {
    const items = Array.from({ length: 100 }, (_, i) => ({ sku: `sku-${i}`, description: 'é'.repeat(1_200) }));
    const body = JSON.stringify({ player_id: 'p', items });
    expect((await sendText(body.padEnd(256 * 1024 - (Buffer.byteLength(body) - body.length)))).status).toBe(201);
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'may come as %s',
    async type => expect((await sendText(JSON.stringify(A_PURCHASE), { 'content-type': type })).status).toBe(201),
  );

  test('asked for twenty times at once under one Idempotency-Key is made once (row 62)', async () => {
    const before = await coinslot.query('select count(*) from orders');
    const send = (body: object) => sendText(JSON.stringify(body), { 'idempotency-key': 'k'.repeat(255) });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(A_PURCHASE)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(await Promise.all(answers.map(answer => answer.text()))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(19);
    const other = await send({ ...A_PURCHASE, player_id: 'another' });
    expect([other.status, await other.json()]).toMatchObject([409, { code: 'idempotency_key_reused' }]);
    const after = await coinslot.query('select count(*) from orders');
    expect(Number(after[0]?.count) - Number(before[0]?.count)).toBe(1);
    expect(await coinslot.query("select 1 from players where player_id = 'another'")).toEqual([]);
  });
});

describe('who may see what', () => {
  const read = async (path: string, key: string): Promise<string> => {
    const answer = await fetch(coinslot.url + path, { headers: { authorization: `Bearer ${key}` } });
    return `${answer.status} ${(await answer.text()).replace(/req_\w+/, 'req')}`;
  };

  test('an order of another mode or company is like one that does not exist, byte for byte (rows 72, 73)', async () => {
    const { order_id } = await studio.createOrder();
    const other = await coinslot.setup('other@studio.example');
    const nothing = await read(`${ORDERS}/ord_00000000000000000000000000`, account.sandbox.s2s_key);
    expect(nothing).toMatch(/^404 /);
    for (const key of [account.live.s2s_key, other.sandbox.s2s_key, other.live.s2s_key]) {
      expect(await read(`${ORDERS}/${order_id}`, key)).toBe(nothing);
    }
  });

  test('a wrong key is refused alike, however much of it is right (row 75)', async () => {
    const key = account.sandbox.s2s_key;
    const wrong = [
      `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`,
      key.slice(0, -1),
      `${key}a`,
      key.toUpperCase(),
      'x',
      '',
    ];
    const answers = new Set(await Promise.all(wrong.map(text => read(ORDERS, text))));
    expect([...answers]).toEqual([expect.stringMatching(/^401 .*"unauthorized"/)]);
  });

  test('a key is looked up by its hash: the database does not hold it (rows 74, 75)', async () => {
    const rows = await coinslot.query<{ row: string }>(
      `select row_to_json(s2s_keys)::text || encode(key_sealed, 'escape') || encode(key_hash, 'escape') as row from s2s_keys`,
    );
    for (const { row } of rows) {
      for (const mode of ['sandbox', 'live'] as const) expect(row).not.toContain(account[mode].s2s_key.slice(-20));
    }
    expect(coinslot.log()).not.toContain(account.sandbox.s2s_key.slice(-20));
  });
});

test('a flood is answered with 429 and Retry-After, for each key and for a caller that guesses keys (row 76)', async () => {
  const guarded = await coinslot.startAnother({ RATE_LIMIT_PER_MINUTE: '5' });
  const call = (key: string) => fetch(guarded.url + ORDERS, { headers: { authorization: `Bearer ${key}` } });
  const answers = [];
  for (let i = 0; i < 6; i++) answers.push(await call(account.sandbox.s2s_key));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['4', '3', '2', '1', '0', '0']);
  const [limited] = answers.slice(-1);
  expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await limited?.json()).toMatchObject({ code: 'rate_limited', status: 429 });
  expect((await call(account.live.s2s_key)).status).toBe(200);
  const guesses = await Promise.all(Array.from({ length: 310 }, (_, i) => call(`guess-${i}`)));
  const refused = guesses.filter(({ status }) => status === 429);
  // The count is of all processes, so guesses at the other one are in it too.
  expect(refused.length).toBeGreaterThanOrEqual(10);
  expect(refused.every(({ headers }) => headers.has('retry-after'))).toBe(true);
  await guarded.stop();
});

test('nothing of it was a fault of ours', async () => {
  expect(coinslot.log()).not.toMatch(/request failed|work failed/);
  await expect
    .poll(() => coinslot.query("select status from deliveries where status <> 'succeeded'"), patience)
    .toEqual([]);
});
