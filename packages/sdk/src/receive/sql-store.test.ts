import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../event-shapes.ts';
import { type SqlQuery, sqlStore } from '../index.ts';
import { createRunOnce, type EventHandler } from './run-once.ts';

let database: TestDatabase;
let pool: pg.Pool;
const query: SqlQuery = (text, values) => pool.query(text, values);

beforeAll(async () => {
  database = await testDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 20 });
  // It says that it has ended before its connections have; the database that is dropped then cuts them.
  pool.on('error', () => {});
  await sqlStore({ query }).createTable();
  await sqlStore({ query }).createTable();
  await pool.query('create table grants (player_id text, sku text)');
});

beforeEach(async () => {
  await pool.query('truncate coinslot_webhooks, grants');
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const grants = async (): Promise<number> => (await pool.query('select 1 from grants')).rows.length;
const EVENT = { event_type: 'item.add', idempotency_key: 'key-1', event_data: {} } as WebhookEvent;

/** A process of the game: it has a store of its own, and only the database in common with the others. */
const gameProcess = (onItemAdd: EventHandler<'item.add'>, leaseSeconds = 60) =>
  createRunOnce({ store: sqlStore({ query, leaseSeconds }), handlers: { 'item.add': onItemAdd }, report: () => {} });

async function inTransaction(work: (run: SqlQuery) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work((text, values) => client.query(text, values));
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const insert = "insert into grants (player_id, sku) values ('p', 'gem')";

describe('a webhook in PostgreSQL', () => {
  it('runs once, however many processes get it at the same time', async () => {
    const grant = (): Promise<unknown> => pool.query(insert);
    const answers = await Promise.all(Array.from({ length: 20 }, () => gameProcess(grant)(EVENT, 1)));
    expect(await grants()).toBe(1);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.every(status => status === 200 || status === 503)).toBe(true);
    expect((await gameProcess(grant)(EVENT, 2)).status).toBe(200);
    expect(await grants()).toBe(1);
  });

  it('is run by one of many when the process that had it died', async () => {
    const dead = sqlStore({ query, leaseSeconds: 0.001 });
    expect((await dead.begin('key-1')).state).toBe('run');
    await expect
      .poll(
        async () =>
          (await pool.query('select 1 from coinslot_webhooks where lease_until < $1', [Date.now()])).rows.length,
      )
      .toBe(1);
    const grant = (): Promise<unknown> => pool.query(insert);
    await Promise.all(Array.from({ length: 20 }, () => gameProcess(grant)(EVENT, 1)));
    expect(await grants()).toBe(1);
  });

  it('is found by what it does: never begun, under way, handled, given back', async () => {
    const store = sqlStore({ query });
    expect(await store.find('item.add ord_1')).toEqual({ state: 'none' });
    const begun = await store.begin('key-1', 'item.add ord_1');
    expect(await store.find('item.add ord_1')).toEqual({ state: 'busy' });
    await store.finish('key-1', begun.state === 'run' ? begun.claim : '', { declined: null });
    expect(await store.find('item.add ord_1')).toEqual({ state: 'done', outcome: { declined: null } });
    const other = await store.begin('key-2', 'item.add ord_2');
    await store.fail('key-2', other.state === 'run' ? other.claim : '');
    expect(await store.find('item.add ord_2')).toEqual({ state: 'none' });
  });

  it('keeps a final no, and gives a failed one back', async () => {
    const store = sqlStore({ query });
    const first = await store.begin('no');
    if (first.state !== 'run') throw new Error(first.state);
    await store.finish('no', first.claim, { declined: 'level too low' });
    expect(await store.begin('no')).toEqual({ state: 'done', outcome: { declined: 'level too low' } });

    const failed = await store.begin('failed');
    if (failed.state !== 'run') throw new Error(failed.state);
    expect((await store.begin('failed')).state).toBe('busy');
    await store.fail('failed', failed.claim);
    expect((await store.begin('failed')).state).toBe('run');
  });
});

describe('finishIn', () => {
  const grantIn: EventHandler<'item.add'> = (_event, { finishIn }) =>
    inTransaction(async run => {
      await run(insert, []);
      await finishIn(run);
    });

  it('saves the grant and the mark together', async () => {
    expect((await gameProcess(grantIn)(EVENT, 1)).status).toBe(200);
    expect((await gameProcess(grantIn)(EVENT, 2)).status).toBe(200);
    expect(await grants()).toBe(1);
  });

  it('leaves neither when the transaction fails', async () => {
    const failing: EventHandler<'item.add'> = (_event, { finishIn }) =>
      inTransaction(async run => {
        await run(insert, []);
        await finishIn(run);
        throw new Error('out of gems');
      });
    expect((await gameProcess(failing)(EVENT, 1)).status).toBe(500);
    expect(await grants()).toBe(0);
    expect((await gameProcess(grantIn)(EVENT, 2)).status).toBe(200);
    expect(await grants()).toBe(1);
  });

  it('does not double a grant when the process dies after the commit', async () => {
    const store = sqlStore({ query, leaseSeconds: 0.001 });
    const begun = await store.begin('key-1');
    if (begun.state !== 'run') throw new Error(begun.state);
    await inTransaction(async run => {
      await run(insert, []);
      await store.finish('key-1', begun.claim, { declined: null }, run);
    });
    expect((await gameProcess(grantIn)(EVENT, 2)).status).toBe(200);
    expect(await grants()).toBe(1);
  });

  it('rolls back in a process that was too slow, after another took over', async () => {
    let grantsOfTheSlow = Promise.resolve();
    const slow: EventHandler<'item.add'> = (_event, { finishIn }) => {
      grantsOfTheSlow = inTransaction(async run => {
        await run(insert, []);
        await expect.poll(async () => (await gameProcess(grantIn)(EVENT, 2)).status).toBe(200);
        await finishIn(run);
      });
      return grantsOfTheSlow;
    };
    expect((await gameProcess(slow, 0.001)(EVENT, 1)).status).toBe(500);
    await expect(grantsOfTheSlow).rejects.toThrow('another process took it over');
    expect(await grants()).toBe(1);
  });
});
