import type { ServerResponse } from 'node:http';
import { type Behavior, type Game, startGame } from '@coinslot/testing/game-receiver';
import { itemDeliveries, moneyMoved } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';
import { newId } from '../../../kit/ids.ts';
import { claimDeliveries } from '../delivery/claim-deliveries.sql.ts';
import { countEndpoints, listHealth } from './endpoint-health.sql.ts';
import { checkEndpoints } from './watch-endpoints.ts';

let shop: TestProgram;
let game: Game;
let webhookId: string;

beforeAll(async () => {
  shop = await startProgram({ workers: false, replace: parts => ({ ...parts, random: () => 0.5 }) });
  game = await startGame();
  const body = { url: game.url, events: ['item.add', 'item.remove'] };
  webhookId = (await shop.call<{ id: string }>('POST', '/s2s/v1/webhooks', body)).body.id;
});

afterEach(async () => {
  game.answerAlways({ status: 200 });
  await shop.later(3_600);
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const health = async () => (await listHealth(shop.database.db, shop.account.sandbox.environmentId))[0];
const orderOf = (request: Game['requests'][number]) => String(request.body?.event_data.order_id);
const asked = (orderId: string) => game.requests.filter(request => orderOf(request) === orderId);
const statuses = (orderIds: readonly string[]) =>
  Promise.all(orderIds.map(async id => (await shop.readOrder(id)).status));

async function payOrders(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made++) {
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    ids.push(order.order_id);
  }
  return ids;
}

/** Answers each request after some milliseconds, and remembers how many it had at once when each came. */
function answerSlowly(status: number): { atOnce: number[] } {
  const atOnce: number[] = [];
  let now = 0;
  const behavior: Behavior = (_request, response: ServerResponse) => {
    now += 1;
    atOnce.push(now);
    setTimeout(() => {
      now -= 1;
      response.writeHead(status).end();
    }, 10);
  };
  game.answerAlways(behavior);
  return { atOnce };
}

/** Some attempts fail, and the next regular one is an hour away. */
async function stayAway(): Promise<void> {
  for (const seconds of [5, 10]) await shop.later(seconds);
  await shop.database.db.execute(sql('t_next_in_an_hour')`
    update deliveries_items set next_attempt_at = app_now() + interval '1 hour' + (app_now() - created_at)
    where status = 'pending' and environment_id = ${shop.account.sandbox.environmentId}`);
}
const nextDates = async () =>
  shop.database.db.query<{ seconds: number }>(sql('t_dates')`
    select extract(epoch from next_attempt_at)::float8 as seconds from deliveries_items
    where status = 'pending' and environment_id = ${shop.account.sandbox.environmentId} order by id`);

describe('a game that is back', () => {
  it('is told everything that waited with its first answer: one at a time until then, then 4, 8 and more at once (row 171)', async () => {
    game.answerAlways({ status: 503 });
    const ids = await payOrders(12);
    expect(await health()).toMatchObject({ state: 'down', slots: 1 });
    // There is an endpoint, and a member need do nothing: it is asked when its turn comes.
    expect((await shop.readOrder(ids.at(-1)!)).attention).toBeNull();
    const failing = answerSlowly(503);
    await stayAway();
    expect(Math.max(...failing.atOnce)).toBe(1);
    expect(new Set(await statuses(ids))).toEqual(new Set(['authorized']));

    const before = game.requests.length;
    const well = answerSlowly(200);
    await shop.later(60);
    expect(new Set(await statuses(ids))).toEqual(new Set(['paid']));
    const askedFor = game.requests.slice(before).map(orderOf);
    expect(askedFor.toSorted()).toEqual(ids.toSorted());
    expect(well.atOnce[0]).toBe(1);
    expect(Math.max(...well.atOnce.slice(0, 5))).toBeLessThanOrEqual(4);
    expect(Math.max(...well.atOnce)).toBeGreaterThan(1);
    // Oldest first; a few are on their way at once, and the first may be the one that was tried.
    expect(ids.slice(0, 8)).toEqual(expect.arrayContaining(askedFor.slice(1, 5)));
    await shop.later(1);
    expect(await health()).toBeUndefined();
  });

  it('uses up no step of the retries: what is tried early is tried at its time too', async () => {
    game.answerAlways({ status: 503 });
    const ids = await payOrders(9);
    await stayAway();
    const datesBefore = await nextDates();
    const attempts = game.requests.length;
    for (let probe = 0; probe < 4; probe++) await shop.later(6);
    expect(game.requests.length).toBeGreaterThan(attempts);
    for (const id of ids) expect((await itemDeliveries(shop.database.db, id))[0]).toMatchObject({ status: 'pending' });
    const dates = await nextDates();
    for (const [at, { seconds }] of datesBefore.entries()) expect(dates[at]!.seconds).toBeCloseTo(seconds, 0);
  });

  it('that stays away for four days keeps no player’s money', async () => {
    game.answerAlways({ status: 503 });
    const ids = await payOrders(9);
    for (let day = 0; day < 4; day++) await shop.later(86_400);
    expect(new Set(await statuses(ids))).toEqual(new Set(['rejected']));
    for (const id of ids) expect(await moneyMoved(shop.database.db, id)).toEqual(['authorized', 'voided']);
  });

  it('at another address is told at once', async () => {
    game.answerAlways({ status: 503 });
    const ids = await payOrders(9);
    await stayAway();
    const other = await startGame();
    try {
      await shop.call('PATCH', `/s2s/v1/webhooks/${webhookId}`, { description: 'the game' });
      expect(await health()).toMatchObject({ state: 'down' });
      await shop.call('PATCH', `/s2s/v1/webhooks/${webhookId}`, { url: other.url });
      await shop.later(0);
      expect(new Set(await statuses(ids))).toEqual(new Set(['paid']));
    } finally {
      await shop.call('PATCH', `/s2s/v1/webhooks/${webhookId}`, { url: game.url });
      await other.close();
    }
  });
});

it('one order that the game cannot take slows no other and is not asked about with every answer', async () => {
  const poison = await shop.createOrder();
  game.answerAlways((_request, response) => {
    response.writeHead(orderOf(game.requests.at(-1)!) === poison.order_id ? 500 : 200).end();
  });
  await shop.pay(poison.checkout_url);
  const others = await payOrders(12);
  await shop.later(0);
  expect(new Set(await statuses(others))).toEqual(new Set(['paid']));
  // Its own first attempt, and one before its time.
  expect(asked(poison.order_id).length).toBeLessThanOrEqual(2);
  await shop.later(2);
  await payOrders(9);
  await shop.later(0);
  expect(asked(poison.order_id).length).toBeLessThanOrEqual(4);
});

it('an endpoint that is down has one slot for all processes together', async () => {
  game.answerAlways({ status: 503 });
  await payOrders(9);
  await shop.database.advance(3);
  const capacity = { limit: 64, perEndpoint: 64, inFlight: new Map<string, number>(), from: '' };
  const { db } = shop.database;
  const claims = await Promise.all([1, 2, 3].map(() => claimDeliveries(db, 'items', newId('job'), 30, capacity)));
  expect(claims.flat()).toHaveLength(1);
  expect(await claimDeliveries(db, 'items', newId('job'), 30, capacity)).toHaveLength(0);
});

it('an endpoint is tried again when the process that tried it has died', async () => {
  game.answerAlways({ status: 503 });
  const ids = await payOrders(9);
  await stayAway();
  await shop.database.advance(61);
  const { db } = shop.database;
  await checkEndpoints({ db, signals: shop.program.parts.signals });
  const capacity = { limit: 64, perEndpoint: 64, inFlight: new Map<string, number>(), from: '' };
  expect(await claimDeliveries(db, 'items', newId('job'), 30, capacity)).toHaveLength(1);
  game.answerAlways({ status: 200 });
  await shop.later(5);
  expect(new Set(await statuses(ids))).toEqual(new Set(['authorized']));
  await shop.later(30);
  expect(new Set(await statuses(ids))).toEqual(new Set(['paid']));
});

describe('an observer', () => {
  const observe = async (url: string) =>
    (await shop.call<{ id: string }>('POST', '/s2s/v1/webhooks', { url, events: ['order.*'] })).body.id;

  it('that is back is told everything that waited, the events of an order in their order', async () => {
    const watcher = await startGame();
    watcher.answerAlways({ status: 503 });
    const id = await observe(watcher.url);
    const ids = await payOrders(9);
    for (const seconds of [0, 60, 300]) await shop.later(seconds);
    watcher.answerAlways({ status: 200 });
    const before = watcher.requests.length;
    await shop.later(60);
    const kinds = watcher.requests.slice(before);
    for (const orderId of ids) {
      const own = kinds.filter(request => orderOf(request) === orderId).map(({ body }) => body?.event_type);
      expect(own).toEqual(['order.created', 'order.paid']);
    }
    await shop.call('DELETE', `/s2s/v1/webhooks/${id}`);
    await watcher.close();
  });

  it('that fails is counted until it is disabled, and forgotten when it is deleted', async () => {
    const watcher = await startGame();
    watcher.answerAlways({ status: 503 });
    const { db } = shop.database;
    const id = await observe(watcher.url);
    await payOrders(9);
    await shop.later(0);
    expect(await countEndpoints(db)).toEqual({ failing: 1, recovering: 0 });
    await shop.call('PATCH', `/s2s/v1/webhooks/${id}`, { enabled: false });
    expect(await countEndpoints(db)).toEqual({ failing: 0, recovering: 0 });
    expect(await health()).toMatchObject({ endpoint: id, state: 'down' });
    await shop.call('DELETE', `/s2s/v1/webhooks/${id}`);
    expect(await health()).toBeUndefined();
    await watcher.close();
  });
});
