import type { ServerResponse } from 'node:http';
import type { Game } from '@coinslot/testing/game-receiver';
import { CARDS } from '@coinslot/testing/program';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../apps/server/src/db/sql.ts';
import type { CrashPlan } from './crash-plan.ts';
import {
  call,
  createOrder,
  entriesOf,
  eventually,
  pageState,
  pay,
  payAt,
  registerGame,
  statusOf,
  untilStatus,
} from './one-order.ts';
import { openShop, PAST_ALL_LEASES_SECONDS, type Shop } from './shop.ts';

let shop: Shop;
let game: Game | undefined;

beforeEach(async () => {
  shop = await openShop();
});
afterEach(async () => {
  await game?.close();
  game = undefined;
  await shop.close();
});

/** Named by its statements; the order's row is locked there. */
const START_OF_A_PAYMENT = 'before commit of event_insert + order_update + payment_insert';
const ORDER_KEPT = { p1: { gems: 1 } };
const held = () =>
  Object.fromEntries([...game!.inventory].map(([player, items]) => [player, Object.fromEntries(items)]));
const keysOf = (kind: string) =>
  game!.requests.filter(({ body }) => body?.event_type === kind).map(({ body }) => body!.idempotency_key);

async function startAll(...plans: (CrashPlan | null)[]): Promise<void> {
  await Promise.all(plans.map((plan, place) => shop.fleet.start(place, plan).settled));
  game = await registerGame(shop);
}

/** Pays at a program that dies on the way, and starts its successor. */
async function dieWhilePaying(point: string) {
  await startAll({ point, passing: 1 });
  const order = await createOrder(shop);
  expect(await pay(shop, order)).toBeNull();
  await shop.fleet.start(0).settled;
  return order;
}

/** Answers that wait until the test lets them go. */
function holdAnswers(): { held: ServerResponse[]; letGo(): void } {
  const waiting: ServerResponse[] = [];
  game!.answerAlways((_request, response) => waiting.push(response));
  return {
    held: waiting,
    letGo() {
      game!.answerAlways(null);
      for (const response of waiting) response.writeHead(200).end('{"status":"ok"}');
    },
  };
}

describe('a payment', () => {
  test('killed after the provider captured, it is looked up and never charged again (row 1)', async () => {
    const order = await dieWhilePaying('after capture');
    expect(await statusOf(shop.database.db, order)).toBe('authorized');
    expect(await entriesOf(shop.database.db, order)).toEqual(['authorized', 'captured']);
    await shop.database.advance(PAST_ALL_LEASES_SECONDS);
    await untilStatus(shop, order, 'paid');
    expect(await entriesOf(shop.database.db, order)).toEqual(['authorized', 'captured']);
    expect(held()).toEqual(ORDER_KEPT);
  });

  test('without an answer of the provider it is being checked, and no second one can begin (row 2)', async () => {
    const order = await dieWhilePaying('after authorize');
    await shop.database.advance(20);
    expect(await pageState(shop, order)).toBe('checking');
    expect(await pay(shop, order)).toBe(303);
    expect(await pageState(shop, order)).toBe('checking');
    expect(await entriesOf(shop.database.db, order)).toEqual(['authorized']);
    await shop.database.advance(PAST_ALL_LEASES_SECONDS);
    await untilStatus(shop, order, 'paid');
    expect(await entriesOf(shop.database.db, order)).toEqual(['authorized', 'captured']);
  });

  test('which never reached the provider is given up, and the order can be paid (row 2)', async () => {
    const order = await dieWhilePaying('before authorize');
    await shop.database.advance(PAST_ALL_LEASES_SECONDS);
    await untilStatus(shop, order, 'created');
    expect(await pay(shop, order)).toBe(303);
    await untilStatus(shop, order, 'paid');
    expect(await entriesOf(shop.database.db, order)).toEqual(['authorized', 'captured']);
  });

  test('after the clock was set back the attempt that counts is the last one (row 84)', async () => {
    await startAll(null);
    const order = await createOrder(shop);
    await pay(shop, order, CARDS.decline);
    await shop.database.advance(-3_600);
    await pay(shop, order, CARDS.challenge);
    expect(await pageState(shop, order)).toBe('challenge');
    const url = await shop.fleet.url();
    const form = new URLSearchParams({ result: 'complete' });
    await fetch(`${url}${order.path}/challenge`, { method: 'POST', body: form, redirect: 'manual' });
    await untilStatus(shop, order, 'paid');
    expect(held()).toEqual(ORDER_KEPT);
  });
});

describe('a grant', () => {
  test('killed before the answer of the game is recorded, it is sent again under the same key (row 14)', async () => {
    const order = await dieWhilePaying('after delivery of item.add');
    await shop.database.advance(PAST_ALL_LEASES_SECONDS);
    await untilStatus(shop, order, 'paid');
    const keys = keysOf('item.add');
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(held()).toEqual(ORDER_KEPT);
  });

  test('a program that stood still past its lease changes nothing when it goes on (row 15)', async () => {
    await startAll(null);
    const order = await createOrder(shop);
    const answers = holdAnswers();
    const paying = pay(shop, order);
    await game!.waitFor(({ requests }) => requests.length === 1);
    const stalled = shop.fleet.at(0);
    stalled.signal('SIGSTOP');
    // Its successor is refused by the game: the items are not granted and the money goes back.
    const answersOfOld = answers.held.splice(0);
    game!.answerAlways('decline');
    await shop.fleet.start(0).settled;
    await shop.database.advance(PAST_ALL_LEASES_SECONDS);
    await untilStatus(shop, order, 'rejected');
    await eventually(
      () => entriesOf(shop.database.db, order),
      entries => entries.includes('voided'),
    );
    for (const response of answersOfOld) response.writeHead(200).end('{"status":"ok"}');
    stalled.signal('SIGCONT');
    await paying;
    stalled.signal('SIGTERM');
    expect(await stalled.ended).toMatchObject({ code: 0 });
    expect(await statusOf(shop.database.db, order)).toBe('rejected');
    expect(await entriesOf(shop.database.db, order)).toEqual(['authorized', 'voided']);
  });

  test('a program that stands still inside a transaction delays the others only briefly (row 15)', async () => {
    await startAll(null, null);
    const [stuck, ...others] = await Promise.all(Array.from({ length: 20 }, () => createOrder(shop)));
    await shop.fleet.kill(0);
    await shop.fleet.start(0, { point: START_OF_A_PAYMENT, passing: 1, signal: 'SIGSTOP' }).settled;
    const [stopped, going] = [shop.fleet.at(0), shop.fleet.at(1)];
    const paying = payAt(stopped.url!, stuck!);
    await eventually(
      () => Promise.resolve([...stopped.passed]),
      passed => passed.includes(START_OF_A_PAYMENT),
    );
    // The same order among others, at the program that goes on.
    await Promise.all([stuck!, ...others].map(order => payAt(going.url!, order)));
    // The locked one is told to come back; its player tries again until the stalled transaction was ended.
    await eventually(
      () => payAt(going.url!, stuck!),
      status => status === 303,
    );
    for (const order of [stuck!, ...others]) await untilStatus(shop, order, 'paid');
    stopped.signal('SIGCONT');
    await paying;
    expect(await entriesOf(shop.database.db, stuck!)).toEqual(['authorized', 'captured']);
    expect(held()).toEqual({ p1: { gems: 20 } });
  });

  test('a program that is asked to stop finishes what it sends, captures, and ends well (row 48)', async () => {
    await startAll(null);
    const order = await createOrder(shop);
    const answers = holdAnswers();
    const paying = pay(shop, order);
    await game!.waitFor(({ requests }) => requests.length === 1);
    const stopping = shop.fleet.at(0);
    stopping.signal('SIGTERM');
    const url = await shop.fleet.url();
    await eventually(
      () =>
        fetch(`${url}/healthz`).then(
          ({ status }) => status,
          () => 0,
        ),
      status => status !== 200,
    );
    answers.letGo();
    expect(await paying).toBe(303);
    expect(await stopping.ended).toEqual({ code: 0, signal: null });
    expect(await statusOf(shop.database.db, order)).toBe('paid');
  });

  test('two programs on one database send every grant once (row 47)', async () => {
    await startAll(null, null);
    // The first attempt fails, so that the second is up to whichever worker takes it.
    const orders = await Promise.all(Array.from({ length: 40 }, () => createOrder(shop)));
    game!.answer(...orders.map(() => ({ status: 500 })));
    await Promise.all(orders.map(order => pay(shop, order)));
    for (const order of orders) await untilStatus(shop, order, 'paid');
    const keys = keysOf('item.add');
    expect(new Set(keys).size).toBe(orders.length);
    expect(keys).toHaveLength(2 * orders.length);
  });
});

describe('the database', () => {
  test('with all connections of the doors in use callers are told to come back, and money still moves (row 46)', async () => {
    await startAll(null);
    const order = await createOrder(shop);
    const blocker = new pg.Client({ connectionString: shop.database.url });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table items in access exclusive mode');
    const stuck = Array.from({ length: 12 }, () => call(shop, 'GET', '/s2s/v1/items'));
    // Not by the blocker: inside a transaction the answer would stay the first one.
    const countStuck = async () => {
      const [row] = await shop.database.db.query<{ n: number }>(sql('e2e_stuck')`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      return row!.n;
    };
    await eventually(countStuck, waiting => waiting === 12);
    const behind = call(shop, 'GET', `/s2s/v1/orders/${order.orderId}`);
    expect(await pay(shop, order)).toBe(303);
    expect(await statusOf(shop.database.db, order)).toBe('paid');
    // The limit of a lock ends each wait, so the caller behind them is served although the lock is still held.
    for (const { status, headers } of await Promise.all(stuck)) {
      expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    }
    expect((await behind).status).toBe(200);
    await blocker.query('rollback');
    await blocker.end();
    expect((await call(shop, 'GET', '/s2s/v1/items')).status).toBe(200);
  });

  test('that takes no more writes stops a payment before the provider hears of it (row 45)', async () => {
    await giveDiskAnEnd();
    await startAll(null);
    const [before, during] = [await createOrder(shop), await createOrder(shop)];
    const answers = holdAnswers();
    const paying = pay(shop, before);
    await game!.waitFor(({ requests }) => requests.length === 1);
    await setDiskFull(true);
    const refused = await call(shop, 'POST', '/s2s/v1/orders', { player_id: 'p1', items: [{ sku: 'gems' }] });
    expect(refused.status).toBe(503);
    expect(refused.headers.has('retry-after')).toBe(true);
    await pay(shop, during);
    expect(await entriesOf(shop.database.db, during)).toEqual([]);
    // The game's yes cannot be recorded either; it is asked again when there is room.
    answers.letGo();
    await paying;
    expect(await statusOf(shop.database.db, before)).toBe('authorized');
    await setDiskFull(false);
    await shop.database.advance(PAST_ALL_LEASES_SECONDS);
    await untilStatus(shop, before, 'paid');
    await pay(shop, during);
    await untilStatus(shop, during, 'paid');
    expect(held()).toEqual({ p1: { gems: 2 } });
  });
});

/** Makes every write of the shop, and none of the provider, ask whether there is room; there is, until the disk fills. */
async function giveDiskAnEnd(): Promise<void> {
  await setDiskFull(false);
  for (const table of ['orders', 'payments', 'events', 'deliveries', 'jobs', 'mails', 'idempotency_keys'])
    await onDatabase(
      `create trigger disk_full before insert or update on ${table} for each row execute function disk_full()`,
    );
}

/** Changes only the function, because a lock on a table could meet the program's own in a deadlock. */
const setDiskFull = (isFull: boolean): Promise<void> =>
  onDatabase(`create or replace function disk_full() returns trigger language plpgsql as $$ begin
    ${isFull ? "raise exception 'could not extend file: No space left on device' using errcode = '53100';" : ''}
    return new; end $$`);

async function onDatabase(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: shop.database.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
