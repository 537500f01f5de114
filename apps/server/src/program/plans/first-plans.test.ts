import { setTimeout as pause } from 'node:timers/promises';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** Enough that one statement which reads a whole table is more than all that the purchases of a round need. */
const ROWS = 20_000;
const MOST_READ = ROWS / 4;
/** So few that the index with the shorter entries has one page and another one already more: by its cost the first is better. */
const FEW_ROWS = 90;
const PURCHASES = 6;
/** PostgreSQL counts for all what a session has read when the session has rested for ten seconds, or has ended. */
const COUNTED_MS = 11_000;

let shop: TestProgram;
let game: Game;

const run = <Row>(text: string): Promise<Row[]> => shop.database.db.query<Row>({ name: '', text, values: [] });

/** Discards every plan, and stops autovacuum: its statistics would change the plans during the test. */
async function forgetPlans(): Promise<void> {
  const tables = await run<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'simulator'::regnamespace)`,
  );
  for (const { name } of tables) await run(`alter table ${name} set (autovacuum_enabled = off)`);
}

beforeEach(async () => {
  shop = await startProgram();
  game = await startGame();
  await forgetPlans();
  for (const events of [['item.add', 'item.remove'], ['order.*'], ['payment.*']])
    await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events });
});

afterEach(async () => {
  await shop?.close();
  await game?.close();
});

/** Paid, granted and told of; the last one declined first, and refunded. */
async function buy(count: number): Promise<string> {
  let last = '';
  for (let n = 0; n < count; n++) {
    const { order_id, checkout_url } = await shop.createOrder();
    await fetch(checkout_url);
    await shop.readOrder(order_id);
    if (n === count - 1) await shop.pay(checkout_url, CARDS.decline);
    await shop.pay(checkout_url);
    await shop.until(order_id, 'paid');
    last = order_id;
  }
  await shop.call('POST', `/s2s/v1/orders/${last}/refund`, {});
  await shop.until(last, 'refunded');
  return last;
}

/** Many rows like those of an order that is over, with ids of the same month. */
async function multiply(table: string, ids: string[], rows: number, which: string): Promise<void> {
  const columns = await run<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped
       and attgenerated = '' and attidentity = ''`,
  );
  const names = columns.map(({ name }) => name);
  const values = names.map(name =>
    ids.includes(name) ? `left(${name}, 14) || lpad(to_hex(${rows} + n), 16, '0')` : name,
  );
  await run(`insert into ${table} (${names.join(', ')}) select ${values.join(', ')}
    from ${table} s, generate_series(1, ${rows}) n where ${which}`);
}

async function fill(order: string, rows: number): Promise<void> {
  const ofOrder = `order_id = '${order}'`;
  const payment = `(select min(id) from payments where ${ofOrder})`;
  await multiply('orders', ['id'], rows, `id = '${order}'`);
  await multiply('payments', ['id', 'order_id'], rows, `id = ${payment}`);
  await multiply('simulator.charges', ['payment_id'], rows, `payment_id = ${payment}`);
  await multiply('events', ['id', 'order_id'], rows, `${ofOrder} and type = 'order.paid'`);
  for (const event of ['item.add', 'order.paid'])
    await multiply('deliveries', ['id', 'event_id', 'order_id'], rows, `${ofOrder} and event_type = '${event}'`);
  await multiply(
    'delivery_attempts',
    ['delivery_id'],
    rows,
    `delivery_id = (select min(id) from deliveries where ${ofOrder})`,
  );
  await multiply('players', ['player_id'], rows, `player_id = 'player_1'`);
}

const readSoFar = async (): Promise<Map<string, number>> => {
  const rows = await run<{ name: string; entries: string }>(
    `select indexrelname as name, idx_tup_read as entries from pg_stat_user_indexes
     union all select relname, seq_tup_read from pg_stat_user_tables`,
  );
  return new Map(rows.map(({ name, entries }) => [name, Number(entries)]));
};

interface Reading {
  name: string;
  entries: number;
}

const readBetween = (before: Map<string, number>, after: Map<string, number>): Reading[] =>
  [...after].map(([name, entries]) => ({ name, entries: entries - (before.get(name) ?? 0) }));

/** What sessions have read, once every reader has reached the newest row and nothing more is read behind its back. */
async function readWhenCounted(): Promise<Map<string, number>> {
  await expect
    .poll(
      async () => {
        await shop.later(0);
        return run(`select name from reader_positions where name not in ('audit', 'attempts') and (next_seq is not null or seq <
          case name when 'orders' then (select max(seq) from orders)
                    else (select max(seq) from events where type <> 'order.created') end)`);
      },
      { timeout: 60_000, interval: 250 },
    )
    .toEqual([]);
  // What the sessions have read until now comes into the counts by and by.
  for (let before = await readSoFar(); ; ) {
    await pause(COUNTED_MS);
    const now = await readSoFar();
    if (readBetween(before, now).every(({ entries }) => entries <= MOST_READ)) return now;
    before = now;
  }
}

/** What they have read counts from here on. The program opens new ones. */
async function endSessions(): Promise<void> {
  await expect
    .poll(() =>
      run(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`),
    )
    .toEqual([]);
}

it.each([
  { when: 'while the shop was empty', prepare: () => buy(PURCHASES) },
  {
    when: 'while it had a few rows',
    prepare: async () => {
      await fill(await buy(PURCHASES), FEW_ROWS);
      await forgetPlans();
      return buy(PURCHASES);
    },
  },
])(
  'what was planned $when reads no table whole once it is full (row 122)',
  async ({ prepare }) => {
    await fill(await prepare(), ROWS);
    const before = await readWhenCounted();
    await buy(PURCHASES);
    await endSessions();
    const after = await readSoFar();
    const read = readBetween(before, after);
    expect(read.some(({ name, entries }) => name === 'orders_pkey' && entries > PURCHASES)).toBe(true);
    expect(read.filter(({ entries }) => entries > MOST_READ)).toEqual([]);
  },
  240_000,
);
