import { explaining, type Plan } from '@coinslot/testing/explain';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Queryable } from '../../db/db.ts';
import { findReplicationState } from '../../db/replica/replica.sql.ts';
import { sql } from '../../db/sql.ts';
import { createChangeWatch } from '../../domain/reporting/timeline/watch-changes.ts';
import { feedCursor } from '../../domain/webhook/events/feed-cursor.ts';
import { readFeed } from '../../domain/webhook/events/read-feed.ts';
import { newId } from '../../kit/ids.ts';
import { environment } from '../../settings/config.ts';
import { findQueueAges, findReaderLags, findReconciliationState } from '../../telemetry/queue-ages.sql.ts';
import { createWorkers } from '../workers.ts';

/** `npm run lab -- flat` takes 1,000,000, or as many as `FLAT_ORDERS` says. */
const ORDERS = Number(environment().FLAT_ORDERS ?? 20_000);
/** As many as are written within the time that a statement has. */
const STEP = 10_000;

let shop: TestProgram;

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  // With each minute that ends there is something more to roll up, and another statement in the list.
  await shop.database.stopClock();
});

afterAll(() => shop?.close());

/** Orders that are over: paid, granted, told of, one in twenty disputed and won. */
async function grow(from: number, to: number): Promise<void> {
  const { db } = shop.database;
  const { environmentId } = shop.account.sandbox;
  const span = [from, to] as const;
  await db.query(sql('test_flat_orders')`
    insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, granted_at, paid_at,
                        created_at, expires_at, updated_at)
    select ${environmentId}, 'ord_' || n, 'p' || n % 500, 'paid', 100, 'USD', '[]', '{}', app_now(), app_now(), app_now(),
           app_now(), app_now() from generate_series(${span[0]}::int, ${span[1]}::int) n`);
  await db.query(sql('test_flat_payments')`
    insert into payments (environment_id, id, order_id, player_id, status, gateway, method, amount_minor, currency, created_at,
                          updated_at, authorized_at, captured_at)
    select ${environmentId}, 'pay_' || n, 'ord_' || n, 'p' || n % 500, 'succeeded', 'simulator', 'card', 100, 'USD', app_now(),
           app_now(), app_now(), app_now() from generate_series(${span[0]}::int, ${span[1]}::int) n`);
  await db.query(sql('test_flat_events')`
    insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
    select ${environmentId}, 'evt_' || n, 'payment.succeeded', 'ord_' || n, '{}', false, app_now()
    from generate_series(${span[0]}::int, ${span[1]}::int) n`);
  await db.query(sql('test_flat_deliveries')`
    insert into deliveries (environment_id, id, event_id, event_type, order_id, lane, subscription_id, idempotency_key, status,
                            created_at, finished_at)
    select ${environmentId}, 'dlv_' || n, 'evt_' || n, 'item.add', 'ord_' || n, 'items', 'whk_1', 'evt_' || n, 'succeeded',
           app_now(), app_now() from generate_series(${span[0]}::int, ${span[1]}::int) n`);
  await db.query(sql('test_flat_attempts')`
    insert into delivery_attempts (environment_id, delivery_id, attempt, started_at, duration_ms, url, status, request_headers)
    select ${environmentId}, 'dlv_' || n, 1, app_now() - interval '1 day', 5, 'https://x', 200, '{}'
    from generate_series(${span[0]}::int, ${span[1]}::int) n`);
  await db.query(sql('test_flat_disputes')`
    insert into ledger_entries (environment_id, posting_id, account, payment_id, kind, amount_minor, currency, occurred_at, created_at)
    select ${environmentId}, 'evt_' || n || k.kind, k.account, 'pay_' || n, k.kind, k.amount, 'USD', app_now(), app_now()
    from generate_series(${span[0]}::int, ${span[1]}::int, 20) n
    cross join (values ('disputed', 'balance', -100), ('disputed', 'disputed', 100), ('dispute_won', 'disputed', -100),
                       ('dispute_won', 'balance', 100)) as k (kind, account, amount)`);
}

/** The roll-ups have read everything, and the planner knows how much there is. */
async function settle(): Promise<void> {
  // Of ten million rows it takes longer than a statement of the program may.
  const patient = new pg.Client({ connectionString: shop.database.url });
  await patient.connect();
  await patient.query(`
    update reader_positions set seq = case name when 'orders' then (select max(seq) from orders)
                                                when 'attempts' then 0 else (select max(seq) from events) end,
      until_time = date_trunc('minute', app_now() - interval '2 minutes')`);
  await patient.query('analyze');
  await patient.end();
}

/** A job that follows the feed of events asks for its end, every second. */
async function readFeedEnd(db: Queryable): Promise<void> {
  const { environmentId } = shop.account.sandbox;
  const { seal } = shop.program.parts;
  const { upTo } = await readFeed({ db, seal }, environmentId, { after: 'now', limit: 1 });
  const after = feedCursor(seal, environmentId, upTo - 200);
  const { events } = await readFeed({ db, seal }, environmentId, { after, limit: 100 });
  expect(events).toHaveLength(100);
}

/** Everything that works or looks without being asked, with its plans. */
async function runAlone(): Promise<Map<string, Plan>> {
  await shop.database.db.query(sql('test_flat_event_to_tell')`
    insert into events (environment_id, id, type, data, fan_out, created_at)
    values (${shop.account.sandbox.environmentId}, ${newId('evt')}, 'webhook.test', '{}', true, app_now())`);
  const { db, plans } = explaining(shop.database.db);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const { parts, purchasing } = shop.program;
  const workers = createWorkers(
    { ...purchasing, db, onError, mailer: null },
    { reportDb: db, examSender: parts.sender },
  );
  await workers.drain();
  await findQueueAges(db);
  await findReaderLags(db);
  await findReconciliationState(db);
  await findReplicationState(db);
  await readFeedEnd(db);
  const changes = createChangeWatch({ db, onError });
  const stop = changes.watch(shop.account.sandbox.environmentId, () => {});
  await changes.look();
  stop();
  await changes.stop();
  await workers.stop();
  expect(errors).toEqual([]);
  return plans;
}

it(
  'every statement that runs by itself costs the same, however many orders and disputes there were',
  async () => {
    await grow(1, 1_000);
    await settle();
    await runAlone();
    const small = await runAlone();
    for (let from = 1_001; from <= ORDERS; from += STEP) await grow(from, Math.min(from + STEP - 1, ORDERS));
    await settle();
    await runAlone();
    const large = await runAlone();
    await expect(`${[...large.keys()].toSorted().join('\n')}\n`).toMatchFileSnapshot('flat.txt');
    const table = [...large]
      .map(([name, { pages, text }]) => ({ name, small: small.get(name)?.pages ?? 0, large: pages, text }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (ORDERS > 20_000)
      process.stdout.write(`${table.map(one => `${one.name}: ${one.small} → ${one.large} pages`).join('\n')}\n`);
    const grown = table.filter(one => one.large > one.small + 12);
    expect(grown.map(one => `${one.name}: ${one.small} → ${one.large} pages\n${one.text}`)).toEqual([]);
  },
  4 * 3_600_000,
);
