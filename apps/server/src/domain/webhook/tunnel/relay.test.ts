import type { AddressInfo } from 'node:net';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { type Laptop, openLaptop } from '@coinslot/testing/laptop';
import { MASTER_KEY, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';
import { systemClock } from '../../../kit/clock.ts';
import { newId } from '../../../kit/ids.ts';
import { type Program, wire } from '../../../program/wire.ts';
import { loadConfig } from '../../../settings/config.ts';
import { forgetListeners, openListener } from './open-listener.ts';
import { createListening } from './relay.ts';

/** The sender's clock, which a test can put forward instead of waiting. */
let aheadMs = 0;
const movedClock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };

/** The process that takes orders and sends; the laptop is connected to the other one. */
let shop: TestProgram;
let other: Program;
let otherUrl: string;
let game: Game;
let laptop: Laptop | undefined;
let isOtherStopped = false;

beforeAll(async () => {
  shop = await startProgram({
    replace: parts => ({
      ...parts,
      listening: createListening({ ...parts, clock: movedClock }),
    }),
  });
  other = wire({
    config: loadConfig({ NODE_ENV: 'test', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' }),
    databaseUrl: shop.database.url,
    masterKey: MASTER_KEY,
    version: '0.0.0-test',
  });
  await other.start();
  await other.app.listen({ port: 0, host: '127.0.0.1' });
  otherUrl = `http://127.0.0.1:${(other.app.server.address() as AddressInfo).port}`;
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});
afterEach(async () => {
  await laptop?.close();
  laptop = undefined;
});
afterAll(async () => {
  await game?.close();
  if (!isOtherStopped) await other?.stop();
  await shop?.close();
});

const requestRows = () => shop.database.db.query(sql('test_requests')`select id from listen_requests`);

const connect = async (): Promise<Laptop> => {
  laptop = await openLaptop(otherUrl, shop.account.sandbox.s2sKey);
  return laptop;
};

async function buy(): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  return order.order_id;
}

describe('between two processes on one database', () => {
  it('an order paid at one is granted by the laptop at the other', async () => {
    const mine = await connect();
    const id = await buy();
    await shop.until(id, 'paid');
    expect(mine.requests).toHaveLength(1);
    expect(game.requests).toHaveLength(0);
    expect(await requestRows()).toEqual([]);
  });

  it('many at once are answered each by its own answer', async () => {
    const mine = await connect();
    const orders = await Promise.all(Array.from({ length: 8 }, () => shop.createOrder()));
    const declined = new Set(orders.filter((_, i) => i % 2 === 0).map(({ order_id }) => order_id));
    mine.answerBy(({ body }) =>
      declined.has(JSON.parse(body).event_data.order_id)
        ? { status: 400, body: '{"code":"declined"}' }
        : { status: 200 },
    );
    await Promise.all(orders.map(({ checkout_url }) => shop.pay(checkout_url)));
    const ended = await Promise.all(orders.map(({ order_id }) => shop.until(order_id, 'paid', 'rejected')));
    for (const { order_id, status } of ended) {
      expect([order_id, status]).toEqual([order_id, declined.has(order_id) ? 'rejected' : 'paid']);
    }
  });

  it('silence is a failed attempt, which is tried again', async () => {
    const mine = await connect();
    mine.answer(null);
    const { order_id: id, checkout_url } = await shop.createOrder();
    const paying = shop.pay(checkout_url);
    await mine.waitFor(() => mine.requests.length === 1);
    aheadMs += 10_000;
    await paying;
    expect((await shop.readOrder(id)).status).toBe('authorized');
    const { body } = await shop.call<{ data: { last_error: string }[] }>('GET', `/s2s/v1/deliveries?order_id=${id}`);
    expect(body.data[0]!.last_error).toBe('no answer within 10 s');
    await shop.later(3);
    await shop.until(id, 'paid');
    expect(mine.requests).toHaveLength(2);
    expect(await requestRows()).toEqual([]);
  });

  it('a laptop that leaves in mid-request is reported at once', async () => {
    const mine = await connect();
    mine.answer(null);
    const order = await shop.createOrder();
    const paying = shop.pay(order.checkout_url);
    await mine.waitFor(() => mine.requests.length === 1);
    mine.socket.terminate();
    await paying;
    await shop.later(3);
    await shop.until(order.order_id, 'paid');
    expect(game.requests.at(-1)!.body?.event_data.order_id).toBe(order.order_id);
  });

  it('a listener whose process died is forgotten within seconds, and the endpoint takes over', async () => {
    const { db, seal, signals } = shop.program.parts;
    // No process holds it: the one that did is gone.
    await openListener({ db, seal, signals }, shop.account.sandbox.environmentId, 'forward', ['item.add']);
    const before = game.requests.length;
    const { order_id: id, checkout_url } = await shop.createOrder();
    const paying = shop.pay(checkout_url);
    await expect.poll(requestRows).toHaveLength(1);
    aheadMs += 10_000;
    await paying;
    expect((await shop.readOrder(id)).status).toBe('authorized');
    expect(game.requests).toHaveLength(before);
    await shop.later(11);
    await shop.until(id, 'paid');
    expect(game.requests).toHaveLength(before + 1);
  });

  it('what a dead sender left behind is swept away', async () => {
    const { db } = shop.program.parts;
    await db.query(sql('test_insert')`
      insert into listen_requests (environment_id, id, subscription_id, request, created_at)
      values ('env_x', ${newId('req')}, 'whk_x', '{}', app_now() - interval '2 minutes')`);
    await forgetListeners(db);
    expect(await requestRows()).toEqual([]);
  });

  it('a process that stops says so, and forgets its listeners', async () => {
    const mine = await connect();
    isOtherStopped = true;
    await other.stop();
    expect(await mine.closed).toEqual({ code: 1001, reason: 'the server is stopping' });
    const rows = await shop.database.db.query(sql('test_listeners')`
      select id from webhook_subscriptions where listening_until is not null`);
    expect(rows).toEqual([]);
  });
});
