import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/db.ts';
import { idBound, newId } from '../../../kit/ids.ts';
import { createSeal } from '../../../kit/seal.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { registerTestAccount } from '../../../testing/registered-game.ts';
import { insertEvents } from '../../webhook/event.sql.ts';
import { listDeliveryFigures, listFreshAttempts } from './delivery-figures.sql.ts';
import { listHourFigures, listPaymentValues } from './figures.sql.ts';
import { rebuildFigures } from './rebuild-figures.ts';
import { rollUpAttempts } from './roll-up-attempts.ts';
import { rollUpEvents } from './roll-up-events.ts';
import { rollUpOrders } from './roll-up-orders.ts';

let database: TestDatabase;
let db: Db;
let environmentId: string;
const EPOCH = new Date(0);

const told = (kind: 'order.paid' | 'order.refunded' | 'payment.declined' | 'payment.pending', data: object) => ({
  environmentId,
  orderId: newId('ord'),
  kind,
  data,
});

const paid = (amount: number, currency = 'USD') => told('order.paid', { amount, currency, paid_at: 1 });

const tell = (...events: ReturnType<typeof told>[]): Promise<void> =>
  db.transaction(async tx => insertEvents(tx, events));

async function rollUpAll(): Promise<void> {
  while (await rollUpEvents(db, { graceMs: 0, batch: 3 }));
}

const figures = async () =>
  (await listHourFigures(db, environmentId, EPOCH))
    .map(({ measure, key, count, amountMinor }) => ({ measure, key, count, amountMinor }))
    .toSorted((a, b) => (`${a.measure} ${a.key}` < `${b.measure} ${b.key}` ? -1 : 1));

/** The same, counted from all events. */
const counted = () =>
  db.query({
    name: '',
    text: `select measure, key, count(*) as count, sum(amount) as "amountMinor" from (
        select case type when 'order.paid' then 'paid' when 'order.refunded' then 'returned'
                         when 'payment.declined' then 'declined' when 'payment.pending' then 'started' end as measure,
               case when type like 'order.%' then data ->> 'currency' else coalesce(data ->> 'response_code', '') end as key,
               case when type like 'order.%' then (data ->> 'amount')::bigint else 0 end as amount
        from events where environment_id = $1 and (type <> 'order.refunded' or data ->> 'paid_at' is not null)) e
      group by 1, 2 order by 1, 2`,
    values: [environmentId],
  });

/** A transaction anywhere on the server holds the roll-up back for as long as it lasts, also one of another test. */
const rolledUp = (pick: (figure: Awaited<ReturnType<typeof figures>>[number]) => boolean = () => true) =>
  expect.poll(
    async () => {
      await rollUpAll();
      return (await figures()).filter(pick);
    },
    { timeout: 20_000, interval: 20 },
  );

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
    await tell(paid(100), paid(250), paid(7, 'EUR'));
    await tell(
      told('payment.pending', {}),
      told('payment.declined', { response_code: '16', response_description: 'No' }),
    );
    await tell(told('payment.declined', {}), told('order.refunded', { amount: 100, currency: 'USD', paid_at: 1 }));
    await tell(told('order.refunded', { amount: 100, currency: 'USD', paid_at: null }));
    await rolledUp().toEqual(await sums(counted()));
    expect(await figures()).toContainEqual({ measure: 'paid', key: 'USD', count: 2, amountMinor: 350 });
    expect(await figures()).toContainEqual({ measure: 'returned', key: 'USD', count: 1, amountMinor: 100 });
    expect(await listPaymentValues(db, environmentId)).toEqual([{ facet: 'response_code', value: '16', label: 'No' }]);
  });

  it('count nothing twice, however often and by however many they are rolled up', async () => {
    const before = await figures();
    await Promise.all([rollUpAll(), rollUpAll(), rollUpAll()]);
    expect(await figures()).toEqual(before);
  });

  it('wait for a transaction that drew its number early and commits late', async () => {
    const late = new pg.Client({ connectionString: database.url });
    await late.connect();
    await late.query('begin');
    await late.query(
      `insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
       values ($1, $2, 'order.paid', null, '{"amount":1000,"currency":"JPY","paid_at":1}', false, app_now())`,
      [environmentId, newId('evt')],
    );
    await tell(paid(5, 'JPY'));
    await rollUpAll();
    expect((await figures()).filter(({ key }) => key === 'JPY')).toEqual([]);
    await late.query('commit');
    await late.end();
    await rolledUp(({ key }) => key === 'JPY').toEqual([{ measure: 'paid', key: 'JPY', count: 2, amountMinor: 1_005 }]);
  });

  it('go on after a number that was drawn and never used', async () => {
    await db
      .transaction(async tx => {
        insertEvents(tx, [paid(1, 'GBP')]);
        throw new Error('rolled back');
      })
      .catch(() => {});
    await tell(paid(2, 'GBP'));
    await rolledUp(({ key }) => key === 'GBP').toEqual([{ measure: 'paid', key: 'GBP', count: 1, amountMinor: 2 }]);
  });

  it('hold a roll-up back for a moment, so that whoever drew a number has its transaction', async () => {
    await tell(paid(1, 'PLN'));
    expect(await rollUpEvents(db)).toBe(false);
    expect(await rollUpEvents(db)).toBe(false);
    expect((await figures()).filter(({ key }) => key === 'PLN')).toEqual([]);
    await database.advance(1);
    await rolledUp(({ key }) => key === 'PLN').toHaveLength(1);
  });

  it('are the same when they are counted anew', async () => {
    await rolledUp().toEqual(await sums(counted()));
    await rebuildFigures(db);
    expect(await figures()).toEqual([]);
    await rolledUp().toEqual(await sums(counted()));
  });

  it('count orders when their time is over, each once', async () => {
    const insertOrder = (secondsAgo: number) =>
      db.query({
        name: '',
        text: `insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, created_at,
            expires_at, updated_at)
          select $1, $2, 'p', 'created', 1, 'USD', '[]', '{}', app_now() - make_interval(secs => $3), app_now(), app_now()`,
        values: [
          environmentId,
          idBound('ord', Date.now() + 1_000 - secondsAgo * 1_000) + newId('ord').slice(-16),
          secondsAgo,
        ],
      });
    for (const secondsAgo of [400, 300, 200]) await insertOrder(secondsAgo);
    await insertOrder(5);
    const orders = async () =>
      (await figures()).filter(({ measure }) => measure === 'orders').reduce((sum, { count }) => sum + count, 0);
    await rollUpOrders(db);
    await rollUpOrders(db);
    expect(await orders()).toBe(3);
    await database.advance(120);
    await rollUpOrders(db);
    expect(await orders()).toBe(4);
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
