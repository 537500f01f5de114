import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { type Laptop, openLaptop, type RequestFrame, refusedListen } from '@coinslot/testing/laptop';
import { CARDS, MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { createSeal } from '../../kit/seal.ts';

let shop: TestProgram;
let key: string;
const open: { close(): Promise<void> }[] = [];
const patience = { timeout: 60_000 };

beforeAll(async () => {
  shop = await startProgram();
  key = shop.account.sandbox.s2sKey;
});
afterAll(() => shop?.close());
afterEach(async () => {
  for (const part of open.splice(0)) await part.close();
  await expect.poll(countListeners, patience).toBe(0);
});

async function countListeners(): Promise<number> {
  const rows = await shop.database.db.query(sql('test')`
    select id from webhook_subscriptions where listening_until is not null`);
  return rows.length;
}

async function laptop(query = ''): Promise<Laptop> {
  const opened = await openLaptop(shop.url, key, query);
  open.push(opened);
  return opened;
}

async function endpoint(events: string[], more: object = {}): Promise<Game> {
  const game = await startGame({ secret: key });
  const made = await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events, ...more });
  expect(made.status).toBe(201);
  open.push({
    async close() {
      await shop.call('DELETE', `/s2s/v1/webhooks/${String(made.body.id)}`);
      await game.close();
    },
  });
  return game;
}

async function buy(card: string = CARDS.success): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url, card);
  return order.order_id;
}

const isSigned = ({ headers, body }: RequestFrame, secret: string): boolean => {
  const timestamp = headers['x-service-signature-timestamp'];
  return headers['x-service-signature'] === createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
};

const kindOf = ({ body }: RequestFrame): string => JSON.parse(body).event_type;

interface Logged {
  status: string;
  attempts: { status: number | null; error: string | null; request: { url: string } }[];
}

const deliveriesOf = async (orderId: string): Promise<Logged[]> =>
  (await shop.call<{ data: Logged[] }>('GET', `/s2s/v1/deliveries?order_id=${orderId}`)).body.data;

describe('a listener is the endpoint of its sandbox:', () => {
  it('a 2xx grants, the request is signed with the S2S key, and the log has the attempt', async () => {
    const mine = await laptop();
    expect(mine.hello).toMatchObject({
      takes_items: true,
      signed_with: 's2s_key',
      events: ['item.add', 'item.remove'],
      game: 'Castle Quest',
    });
    const id = await buy();
    await shop.until(id, 'paid');
    expect(mine.requests.map(kindOf)).toEqual(['item.add']);
    const [request] = mine.requests;
    expect(isSigned(request!, key)).toBe(true);
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.any(String),
      'x-service-delivery-attempt': '1',
    });
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      test: false,
      attempts: [{ status: 200, request: { url: `listen:${mine.hello.listener_id}` } }],
    });
    await shop.call('POST', `/s2s/v1/orders/${id}/refund`, {});
    await mine.waitFor(() => mine.requests.length === 2);
    expect(kindOf(mine.requests[1]!)).toBe('item.remove');
    await shop.until(id, 'refunded');
  });

  it('a declined rejects the order', async () => {
    const mine = await laptop();
    mine.answer({ status: 422, body: '{"code":"declined"}' });
    expect((await shop.until(await buy(), 'rejected')).problem).toMatch(/refused/);
  });

  it('a 5xx is tried again, under the same key and a new signature', async () => {
    const mine = await laptop();
    mine.answer({ status: 503, headers: { 'Retry-After': '1' }, body: 'busy' });
    const id = await buy();
    await shop.later(3);
    await shop.until(id, 'paid');
    const [first, second] = mine.requests;
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['x-service-delivery-attempt']).toBe('2');
    expect((await deliveriesOf(id))[0]!.attempts.map(({ status }) => status)).toEqual([503, 200]);
  });

  it('what it could not reach is told as it said, and tried again', async () => {
    const mine = await laptop();
    mine.answer({ type: 'failed', reason: 'could not connect: connection refused' });
    const id = await buy();
    await shop.later(3);
    await shop.until(id, 'paid');
    expect((await deliveriesOf(id))[0]!.attempts[0]).toMatchObject({
      status: null,
      error: 'could not connect: connection refused',
    });
  });

  it('one that dies in mid-request is forgotten, and the registered endpoint takes over', async () => {
    const game = await endpoint(['item.add', 'item.remove']);
    const mine = await laptop();
    mine.answer(null);
    const order = await shop.createOrder();
    const paying = shop.pay(order.checkout_url);
    await mine.waitFor(() => mine.requests.length === 1);
    mine.socket.terminate();
    await paying;
    await shop.later(3);
    await shop.until(order.order_id, 'paid');
    expect(game.requests).toHaveLength(1);
    expect(game.requests[0]!.rawBody).toBe(mine.requests[0]!.body);
    const [delivery] = await deliveriesOf(order.order_id);
    expect(delivery!.attempts[0]!.error).toBe('the listener disconnected before it answered');
  });

  it('a registered endpoint is left as it is: items go to the listener, what both selected to both', async () => {
    const game = await endpoint(['*']);
    game.answerAlways({ status: 200 });
    const mine = await laptop('?events=item.*,order.paid');
    await shop.until(await buy(), 'paid');
    await game.waitFor(({ requests }) => requests.some(({ body }) => body?.event_type === 'order.paid'));
    await mine.waitFor(() => mine.requests.length === 2);
    expect(mine.requests.map(kindOf)).toEqual(['item.add', 'order.paid']);
    expect(game.requests.some(({ body }) => body?.event_type === 'item.add')).toBe(false);
    await mine.close();
    await expect.poll(countListeners, patience).toBe(0);
    await shop.until(await buy(), 'paid');
    expect(game.requests.some(({ body }) => body?.event_type === 'item.add')).toBe(true);
  });

  it('an order that waited for an endpoint is granted when a listener comes', async () => {
    const id = await buy();
    await shop.until(id, 'authorized');
    await laptop();
    await shop.until(id, 'paid');
  });

  it('of two, the newer one is asked', async () => {
    const older = await laptop();
    const newer = await laptop();
    expect(newer.hello.other_listeners).toBe(1);
    await shop.until(await buy(), 'paid');
    expect([older.requests.length, newer.requests.length]).toEqual([0, 1]);
  });

  it('it is no subscription that people see, and it counts for none', async () => {
    const mine = await laptop();
    expect((await shop.call('GET', '/s2s/v1/webhooks')).body.data).toEqual([]);
    expect((await shop.call('GET', `/s2s/v1/webhooks/${mine.hello.listener_id}`)).status).toBe(404);
    await endpoint(['item.add']);
  });

  it('a local 410 ends it, as it ends a subscription', async () => {
    const mine = await laptop();
    mine.answer({ status: 410 });
    const id = await buy();
    expect(await mine.closed).toEqual({ code: 4002, reason: 'the local server answered 410 Gone' });
    await shop.until(id, 'authorized');
    await shop.call('POST', `/s2s/v1/orders/${id}/refund`, {});
  });
});

describe('a tail', () => {
  it('tells every event as it happens, creation too, and takes nothing', async () => {
    const watcher = await laptop('?mode=tail');
    const game = await endpoint(['item.add', 'item.remove']);
    const id = await buy();
    await shop.until(id, 'paid');
    const mine = () => watcher.events.filter(event => event.order_id === id);
    await watcher.waitFor(() => mine().some(event => event.event_type === 'order.paid'));
    expect(mine().map(event => event.event_type)).toEqual(
      expect.arrayContaining(['order.created', 'payment.pending', 'payment.authorized', 'item.add', 'order.paid']),
    );
    expect(new Set(mine().map(event => event.event_id)).size).toBe(mine().length);
    expect(mine().find(event => event.event_type === 'order.created')).toMatchObject({
      event_data: { order_id: id, status: 'created', player_id: 'player_1' },
    });
    expect(watcher.requests).toEqual([]);
    const asked = game.requests.filter(({ body }) => body?.event_data.order_id === id);
    expect(asked.map(({ body }) => body?.event_type)).toEqual(['item.add']);
  });

  it('tells only the kinds it asked for', async () => {
    const watcher = await laptop('?mode=tail&events=payment.declined');
    await buy(CARDS.decline);
    await watcher.waitFor(() => watcher.events.length > 0);
    expect(watcher.events.map(event => event.event_type)).toEqual(['payment.declined']);
  });
});

describe('the door', () => {
  it('refuses a live key, a wrong key and a wrong wish with a problem that says so', async () => {
    expect(await refusedListen(shop.url, shop.account.live.s2sKey)).toMatchObject({
      status: 403,
      body: { code: 'sandbox_only', request_id: expect.stringMatching(/^req_/) },
    });
    expect(await refusedListen(shop.url, 'sk_sandbox_nothing')).toMatchObject({ status: 401 });
    expect(await refusedListen(shop.url, key, '?events=item.added')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/events', message: expect.stringContaining('item.add') }] },
    });
    expect(await refusedListen(shop.url, key, '?mode=steal')).toMatchObject({ status: 422 });
  });

  it('names one wrong kind of thousands, so that no answer is hundreds of times as long as what was asked (row 282)', async () => {
    const { status, body } = await refusedListen(shop.url, key, `?events=${'a,'.repeat(7_000)}`);
    expect(status).toBe(422);
    expect(JSON.stringify(body).length).toBeLessThan(4_096);
  });

  it('counts wrong keys by the address behind a trusted proxy, as it does for every other call', async () => {
    const behindProxy = await startProgram({ workers: false, env: { TRUST_PROXY: '127.0.0.1' } });
    open.push(behindProxy);
    const guessFrom = (address: string) => ({
      headers: { 'x-forwarded-for': address, authorization: 'Bearer sk_sandbox_nothing' },
    });
    const guess = () => fetch(`${behindProxy.url}/s2s/v1/orders`, guessFrom('203.0.113.7'));
    await Promise.all(Array.from({ length: 300 }, guess));
    const statusFrom = async (address: string): Promise<number> =>
      (await refusedListen(behindProxy.url, '', '', guessFrom(address))).status;
    expect([await statusFrom('203.0.113.7'), await statusFrom('203.0.113.8')]).toEqual([429, 401]);
  });

  it('answers a plain request with what it wants instead', async () => {
    const answer = await shop.call('GET', '/s2s/v1/listen');
    expect([answer.status, answer.headers.get('upgrade'), answer.body.code]).toEqual([
      426,
      'websocket',
      'upgrade_required',
    ]);
  });

  it('lets five in, and the next when one has left', async () => {
    const five = [];
    for (let i = 0; i < 5; i++) five.push(await laptop(i % 2 ? '?mode=tail' : ''));
    expect(await refusedListen(shop.url, key)).toMatchObject({ status: 409, body: { code: 'too_many_listeners' } });
    await five[0]!.close();
    await expect.poll(countListeners, patience).toBe(4);
    await laptop();
  });

  it('hears nothing of another company', async () => {
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const theirs = await openLaptop(shop.url, other.sandbox.s2sKey, '?events=*');
    const watcher = await openLaptop(shop.url, other.sandbox.s2sKey, '?mode=tail');
    open.push(theirs, watcher);
    const mine = await laptop();
    await shop.until(await buy(), 'paid');
    expect(mine.requests).toHaveLength(1);
    const created = await shop.call(
      'POST',
      '/s2s/v1/orders',
      { player_id: 'p', items: [{ sku: 's' }] },
      { key: other.sandbox.s2sKey },
    );
    await watcher.waitFor(() => watcher.events.length > 0);
    expect(watcher.events.map(event => event.order_id)).toEqual([created.body.order_id]);
    await theirs.waitFor(() => theirs.requests.length > 0);
    expect(theirs.requests.map(kindOf)).toEqual(['order.created']);
  });

  it.each([
    ['text that is no JSON', 'hello'],
    ['a list', '[]'],
    ['no id', '{"type":"answer","status":200}'],
    ['another kind of frame', '{"type":"request","id":"req_00000000000000000000000000"}'],
    ['a status that does not exist', '{"type":"answer","id":"req_00000000000000000000000000","status":99}'],
    [
      'headers that are no text',
      '{"type":"answer","id":"req_00000000000000000000000000","status":200,"headers":{"a":1}}',
    ],
    [
      'a header name with a line break',
      '{"type":"answer","id":"req_00000000000000000000000000","status":200,"headers":{"a\\nb":"1"}}',
    ],
    ['bytes', Buffer.from([0, 1, 2])],
  ])('ends a connection that sends %s', async (_, frame) => {
    const hostile = await laptop();
    hostile.socket.send(frame);
    expect((await hostile.closed).code).toBe(1008);
  });

  it('ends a connection that sends a frame beyond 512 KiB, and a tail that sends anything', async () => {
    const hostile = await laptop();
    hostile.socket.send('x'.repeat(600 * 1024));
    expect((await hostile.closed).code).toBe(1009);
    const watcher = await laptop('?mode=tail');
    watcher.socket.send('{}');
    expect((await watcher.closed).code).toBe(1008);
  });

  it('keeps at most 64 KiB of an answer, and nothing that cannot be stored', async () => {
    const mine = await laptop();
    mine.answer({ status: 500, headers: { 'x-odd': 'a\u0000b\ud800' }, body: `\u0000\ud800${'é'.repeat(60_000)}` });
    const id = await buy();
    await shop.later(3);
    await shop.until(id, 'paid');
    expect((await deliveriesOf(id))[0]!.attempts.map(({ status }) => status)).toEqual([500, 200]);
  });

  it('an answer to a question that was not asked changes nothing', async () => {
    const mine = await laptop();
    mine.socket.send('{"type":"answer","id":"req_00000000000000000000000000","status":200}');
    await shop.until(await buy(), 'paid');
  });

  it('forgets a laptop that sleeps, and one whose key was revoked', async () => {
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const sleeping = await openLaptop(shop.url, key, '', { autoPong: false });
    const revoked = await openLaptop(shop.url, other.sandbox.s2sKey);
    open.push(sleeping, revoked);
    await shop.database.db.query(sql('test_revoke')`
      update s2s_keys set revoked_at = app_now() where environment_id = ${other.sandbox.environmentId}`);
    expect(await Promise.all([sleeping.closed, revoked.closed])).toEqual([
      { code: 1006, reason: '' },
      { code: 4003, reason: 'the key was revoked' },
    ]);
  });

  it('takes a request that offers another protocol as the plain request it is', async () => {
    const body = JSON.stringify({ player_id: 'p', items: [{ sku: 's' }] });
    const { port } = new URL(shop.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [
      'POST /s2s/v1/orders HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
    ];
    // The body comes later, as from a slow sender.
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
    await new Promise(setImmediate);
    socket.write(body.slice(5));
    let answer = '';
    socket.on('data', chunk => {
      answer += chunk;
    });
    await expect.poll(() => answer, patience).toMatch(/^HTTP\/1\.1 201 [\s\S]*"order_id":"ord_/);
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(1);
  });
});
