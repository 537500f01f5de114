import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDb, type Db } from '../db.ts';
import { ADMIN } from '../embedded/cluster.ts';
import { type Embedded, startEmbedded } from '../embedded/start-embedded.ts';
import { sql } from '../sql.ts';
import { isDatabaseUnavailable } from './database-errors.ts';
import { UnreplicatedError } from './unreplicated.ts';

let folder: string;
let server: Embedded;
let admin: pg.Client;
let other: pg.Client;
let db: Db;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coinslot-unreplicated-'));
  server = await startEmbedded({ dataDir: folder, log: () => {}, settings: { fsync: 'off' } });
  const connectionString = server.url.replace('//coinslot:', `//${ADMIN}:`);
  [admin, other] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([admin.connect(), other.connect()]);
  await admin.query('create table kept (n int)');
  await admin.query('grant all on kept to coinslot');
  await admin.query('create table tried (id int generated always as identity)');
  await admin.query('set synchronous_commit = local');
  db = createDb({ url: server.url, maxConnections: 3, onError: () => {} });
}, 90_000);

afterAll(async () => {
  await db?.close();
  await Promise.all([admin?.end(), other?.end()]);
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const insert = (n: number) => sql('test_insert_kept')`insert into kept (n) values (${n})`;

/** As an operator does who finds sessions that wait for a standby. Answers with whether there were any. */
async function cancelWaitsUntil(work: Promise<unknown>): Promise<boolean> {
  const state = { isOver: false, canceled: 0 };
  const over = work.finally(() => {
    state.isOver = true;
  });
  const text = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
  while (!state.isOver) state.canceled += (await admin.query(text)).rowCount ?? 0;
  await over;
  return state.canceled > 0;
}

const doesCommitWait = () => cancelWaitsUntil(other.query('insert into tried default values'));

async function waitForStandby(name: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${name}'`);
  await admin.query('select pg_reload_conf()');
  // The server's processes read the setting each in its own time; only a commit tells whether they have.
  await expect.poll(doesCommitWait).toBe(name !== '');
}

it('a commit that no standby confirmed is not known, in a transaction, alone and shared (row 118)', async () => {
  await db.query(insert(1));
  await waitForStandby('away');
  const woken: string[] = [];
  const inTransaction = db.transaction(async tx => {
    tx.write(insert(2));
    tx.afterCommit(() => void woken.push('woken'));
  });
  const all = [inTransaction, db.query(insert(3)), db.shared('key', async tx => tx.write(insert(4)))];
  const ended = Promise.allSettled(all);
  await cancelWaitsUntil(ended);
  for (const { status, reason } of (await ended) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected');
    expect(reason).toBeInstanceOf(UnreplicatedError);
    expect(isDatabaseUnavailable(reason)).toBe(true);
  }
  expect(woken).toEqual([]);

  await waitForStandby('');
  await db.transaction(async tx => tx.write(insert(5)));
  const { rows } = await admin.query('select n from kept order by n');
  expect(rows.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
});
