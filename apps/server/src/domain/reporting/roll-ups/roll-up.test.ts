import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { explaining, type Plan } from '@coinslot/testing/explain';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { newId } from '../../../kit/ids.ts';
import { createSeal } from '../../../kit/seal.ts';
import { insertEvents } from '../../event/event.sql.ts';
import { listDeliveryFigures, listFreshAttempts } from '../figures/delivery-figures.sql.ts';
import { findFiguresAge, listHourFigures, listPaymentValues } from '../figures/figures.sql.ts';
import { rebuildFigures, rollUpAttempts, rollUpEvents, rollUpOrders } from './roll-up.ts';

let database: TestDatabase;
let db: Db;
let environmentId: string;
const EPOCH = new Date(0);

const event = (
  kind: 'order.paid' | 'order.refunded' | 'payment.declined' | 'payment.pending',
  data: Record<string, unknown>,
) => ({
  environmentId,
  orderId: newId('ord'),
  kind,
  data,
});

const paid = (amount: number, currency = 'USD') => event('order.paid', { amount, currency, paid_at: 1 });

const emit = (...events: ReturnType<typeof event>[]): Promise<void> =>
  db.transaction(async tx => insertEvents(tx, events));

const emitAny = (...events: Parameters<typeof insertEvents>[1]): Promise<void> =>
  db.transaction(async tx => insertEvents(tx, events));

async function hourNow(): Promise<Date> {
  const [row] = await db.query<{ hour: Date }>(sql('test_hour')`select date_trunc('hour', app_now(), 'UTC') as hour`);
  return row!.hour;
}

async function rollUpAll(): Promise<void> {
  while (await rollUpEvents(db, 3));
}

const SINCE: readonly string[] = ['converted', 'paid_back', 'disputed'];

const figures = async () =>
  (await listHourFigures(db, environmentId, EPOCH))
    .filter(({ measure }) => !SINCE.includes(measure))
    .map(({ measure, key, count, amountMinor }) => ({ measure, key, count, amountMinor }))
    .toSorted((a, b) => (`${a.measure} ${a.key}` < `${b.measure} ${b.key}` ? -1 : 1));

const listTotals = () =>
  db.query(sql('test_figure_totals')`
    select measure, key, sum(count) as count, sum(amount_minor) as "amountMinor" from figures_hourly
    where measure not in ('orders', 'converted', 'paid_back', 'disputed') group by 1, 2 order by 1, 2`);

/** The same, counted from all events. */
const counted = () =>
  db.query({
    name: '',
    text: `select measure, key, count(*) as count, sum(amount) as "amountMinor" from (
        select case type when 'order.paid' then 'paid' when 'order.refunded' then 'returned'
                         when 'order.charged_back' then 'returned' when 'checkout.opened' then 'opened'
                         when 'payment.declined' then 'declined' when 'payment.pending' then 'started' end as measure,
               case when type like 'order.%' then data ->> 'currency' else coalesce(data ->> 'response_code', '') end as key,
               case when type like 'order.%' then (data ->> 'amount')::bigint else 0 end as amount
        from events where environment_id = $1 and type <> 'order.disputed' and (type <> 'order.refunded' or data ->> 'paid_at' is not null)) e
      group by 1, 2 order by 1, 2`,
    values: [environmentId],
  });

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  const account = await registerTestAccount(db, createSeal(Buffer.alloc(32, 9)));
  environmentId = account.sandbox.environmentId;
});

afterAll(() => database?.drop());

const sums = async (rows: Promise<unknown>) =>
  ((await rows) as { measure: string; key: string; count: string; amountMinor: string }[]).map(row => ({
    measure: row.measure,
    key: row.key,
    count: Number(row.count),
    amountMinor: Number(row.amountMinor),
  }));

describe('the hourly figures', () => {
  it('are what a full count would say', async () => {
    await emit(paid(100), paid(250), paid(7, 'EUR'));
    await emit(
      event('payment.pending', {}),
      event('payment.declined', { response_code: '16', response_description: 'No' }),
    );
    await emit(event('payment.declined', {}), event('order.refunded', { amount: 100, currency: 'USD', paid_at: 1 }));
    await emit(event('order.refunded', { amount: 100, currency: 'USD', paid_at: null }));
    await rollUpAll();
    expect(await figures()).toEqual(await sums(counted()));
    expect(await figures()).toContainEqual({ measure: 'paid', key: 'USD', count: 2, amountMinor: 350 });
    expect(await figures()).toContainEqual({ measure: 'returned', key: 'USD', count: 1, amountMinor: 100 });
    expect(await listPaymentValues(db, environmentId)).toEqual([{ facet: 'response_code', value: '16', label: 'No' }]);
  });

  it('say what became of the orders of an hour, whenever it happens', async () => {
    const HOUR = 3_600;
    const [bought, left] = [newId('ord'), newId('ord')];
    const open = (orderId: string) => ({ environmentId, orderId, kind: 'checkout.opened' as const, data: {} });
    await emitAny(open(bought), open(left));
    const openedAt = await hourNow();
    await database.advance(5 * HOUR);
    const paidAt = await hourNow();
    const data = { amount: 900, currency: 'SEK', paid_at: paidAt.getTime() / 1_000 + 60 };
    await emitAny({ environmentId, orderId: bought, kind: 'order.paid', data });
    await database.advance(45 * HOUR);
    await emitAny({ environmentId, orderId: bought, kind: 'order.disputed', data });
    await emitAny({ environmentId, orderId: bought, kind: 'order.charged_back', data });
    await rollUpAll();
    const since = (await listHourFigures(db, environmentId, openedAt)).filter(({ measure }) => SINCE.includes(measure));
    expect(since).toEqual(
      expect.arrayContaining([
        { measure: 'converted', hour: openedAt, key: '', count: 1, amountMinor: 0 },
        { measure: 'paid_back', hour: paidAt, key: 'SEK', count: 1, amountMinor: 900 },
        { measure: 'disputed', hour: paidAt, key: 'SEK', count: 1, amountMinor: 900 },
      ]),
    );
    await database.advance(-50 * HOUR);
  });

  it('count nothing twice, however often and by however many they are rolled up', async () => {
    const before = await figures();
    await Promise.all([rollUpAll(), rollUpAll(), rollUpAll()]);
    expect(await figures()).toEqual(before);
  });

  it('are right after a transaction that stayed open for an hour while others committed', async () => {
    const late = new pg.Client({ connectionString: database.url });
    await late.connect();
    await late.query('begin');
    await late.query(
      `insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
       values ($1, $2, 'order.paid', null, '{"amount":1000,"currency":"JPY","paid_at":1}', false, app_now())`,
      [environmentId, newId('evt')],
    );
    await emit(paid(5, 'JPY'));
    const { until: before } = await findFiguresAge(db);
    for (let hour = 0; hour < 3; hour++) {
      await rollUpAll();
      await database.advance(1_200);
      await emit(paid(5, 'JPY'));
    }
    const yen = async () =>
      (await figures())
        .filter(({ key }) => key === 'JPY')
        .reduce((sum, { count, amountMinor }) => ({ count: sum.count + count, amount: sum.amount + amountMinor }), {
          count: 0,
          amount: 0,
        });
    expect(await yen()).toEqual({ count: 0, amount: 0 });
    const { until, now } = await findFiguresAge(db);
    expect(until).toEqual(before);
    expect(now.getTime() - until.getTime()).toBeGreaterThanOrEqual(3_600_000);
    await late.query('commit');
    await late.end();
    await Promise.all([rollUpAll(), rollUpAll(), rollUpAll()]);
    await rollUpAll();
    expect(await yen()).toEqual({ count: 5, amount: 1_020 });
    const caughtUp = await findFiguresAge(db);
    expect(caughtUp.until).toEqual(caughtUp.now);
  });

  it('go on after a number that was drawn and never used', async () => {
    await db
      .transaction(async tx => {
        insertEvents(tx, [paid(1, 'GBP')]);
        throw new Error('rolled back');
      })
      .catch(() => {});
    await emit(paid(2, 'GBP'));
    await rollUpAll();
    expect((await figures()).filter(({ key }) => key === 'GBP')).toEqual([
      { measure: 'paid', key: 'GBP', count: 1, amountMinor: 2 },
    ]);
  });

  it('are the same when they are counted again', async () => {
    const total = async () => sums(listTotals());
    await rollUpAll();
    expect(await total()).toEqual(await sums(counted()));
    await rebuildFigures(db);
    expect(await figures()).toEqual([]);
    await rollUpAll();
    expect(await total()).toEqual(await sums(counted()));
  });

  it('count each order once, also one that was committed an hour after its id was made', async () => {
    const insertOrder = (client: Pick<pg.Client, 'query'>) =>
      client.query(
        `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at,
            expires_at, updated_at)
          values ($1, $2, 'p', 'created', 1, 'USD', '[]', '{}', app_now(), app_now(), app_now())`,
        [environmentId, newId('ord')],
      );
    const [late, prompt] = [
      new pg.Client({ connectionString: database.url }),
      new pg.Client({ connectionString: database.url }),
    ];
    await Promise.all([late.connect(), prompt.connect()]);
    const shown = async () =>
      (await figures()).filter(({ measure }) => measure === 'orders').reduce((sum, { count }) => sum + count, 0);
    const rolledUp = async () => {
      await Promise.all([rollUpOrders(db), rollUpOrders(db)]);
      while (await rollUpOrders(db));
      const rows = await db.query<{ count: number }>(sql('test_order_figures')`
        select sum(count)::int as count from figures_hourly where measure = 'orders'`);
      return rows[0]?.count ?? 0;
    };
    await insertOrder(prompt);
    expect([await shown(), await rolledUp(), await shown()]).toEqual([1, 1, 1]);
    await late.query('begin');
    await insertOrder(late);
    await insertOrder(prompt);
    await database.advance(3_600);
    await insertOrder(prompt);
    expect([await shown(), await rolledUp()]).toEqual([3, 1]);
    await late.query('commit');
    expect([await shown(), await rolledUp(), await shown()]).toEqual([4, 4, 4]);
    await Promise.all([late.end(), prompt.end()]);
  });
});

describe('the figures of deliveries', () => {
  it('count each attempt once, by quarter of an hour and latency', async () => {
    const insertAttempt = async (durationMs: number, status: number | null, secondsAgo: number): Promise<void> => {
      const ids = { delivery: newId('dlv'), event: newId('evt') };
      await db.query({
        name: '',
        text: `insert into deliveries (environment_id, id, event_id, event_type, lane, subscription_id, idempotency_key, status,
            created_at) values ($1, $2, $3, 'order.paid', 'observer', 'whk_a', $3, 'succeeded', app_now())`,
        values: [environmentId, ids.delivery, ids.event],
      });
      await db.query({
        name: '',
        text: `insert into delivery_attempts (environment_id, delivery_id, attempt, started_at, duration_ms, url, status,
            request_headers) values ($1, $2, 1, app_now() - make_interval(secs => $3), $4, 'https://x', $5, '{}')`,
        values: [environmentId, ids.delivery, secondsAgo, durationMs, status],
      });
    };
    await insertAttempt(30, 200, 3_000);
    await insertAttempt(30, 500, 3_000);
    await insertAttempt(12_000, null, 3_000);
    await insertAttempt(5, 200, 1);
    const total = async () =>
      (await listDeliveryFigures(db, environmentId, EPOCH)).reduce(
        (sum, { attempts, succeeded }) => ({ attempts: sum.attempts + attempts, succeeded: sum.succeeded + succeeded }),
        { attempts: 0, succeeded: 0 },
      );
    while (await rollUpAttempts(db, 600));
    while (await rollUpAttempts(db, 600));
    expect(await total()).toEqual({ attempts: 3, succeeded: 1 });
    const rows = await listDeliveryFigures(db, environmentId, EPOCH);
    expect(rows.map(({ latency }) => latency).toSorted((a, b) => a - b)).toEqual([2, 10]);
    expect(await listFreshAttempts(db, environmentId)).toMatchObject([{ latency: 0, attempts: 1, succeeded: 1 }]);
    await database.advance(300);
    while (await rollUpAttempts(db, 600));
    expect(await total()).toEqual({ attempts: 4, succeeded: 2 });
    expect(await listFreshAttempts(db, environmentId)).toEqual([]);
  });
});

it('are rolled up and read at the same cost, however much was rolled up before', async () => {
  const grow = (count: number) =>
    db.query(sql('test_figures_grow')`
      with grown as (
        insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at,
                            expires_at, updated_at)
        select ${environmentId}, 'ord_' || gen_random_uuid(), 'p', 'created', 1, 'USD', '[]', '{}', app_now(), app_now(), app_now()
        from generate_series(1, ${count}::int)
      )
      insert into events (environment_id, id, type, data, fan_out, created_at)
      select ${environmentId}, 'evt_' || gen_random_uuid(), 'order.paid', '{"amount":1,"currency":"USD","paid_at":1}', false, app_now()
      from generate_series(1, ${count}::int)`);
  const rollUpRest = async (by: Db): Promise<void> => {
    while (await rollUpEvents(by));
    while (await rollUpOrders(by));
  };
  const measure = async (): Promise<Map<string, Plan>> => {
    await db.query(sql('test_figures_analyze')`analyze events, orders, figures_hourly`);
    await grow(20);
    const { db: explained, plans } = explaining(db);
    await findFiguresAge(explained);
    await listHourFigures(explained, environmentId, EPOCH);
    await rollUpRest(explained);
    return plans;
  };
  await grow(500);
  await rollUpRest(db);
  const small = await measure();
  await grow(20_000);
  await rollUpRest(db);
  const large = await measure();
  expect([...large.keys()]).toEqual(
    expect.arrayContaining(['figures_roll_up', 'figures_roll_up_orders', 'figures_list']),
  );
  for (const [name, { pages, text }] of large) {
    expect(text).not.toContain('Seq Scan');
    expect([name, pages, pages <= small.get(name)!.pages + 20]).toEqual([name, pages, true]);
  }
});
