import { type Pair, startPair } from '@coinslot/testing/standby';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDb, type Db } from '../db.ts';
import { sql } from '../sql.ts';
import { findReplicationState } from './replica.sql.ts';
import { createReplica, MOST_BEHIND_MS, type Replica } from './replica.ts';

let pair: Pair;
let main: Db;
let replica: Replica;
let aheadMs = 0;

const open = (url: string, readOnly = false): Db => createDb({ url, maxConnections: 3, onError: () => {}, readOnly });
const clock = { nowMs: (): number => performance.now() + aheadMs };
const follow = (url: string): Replica => createReplica({ main, replica: open(url, true), clock, onError: () => {} });

const isReplica = async (db: Db): Promise<boolean> => {
  const [row] = await db.query<{ is: boolean }>(sql('test_is_replica')`select pg_is_in_recovery() as is`);
  return row!.is;
};

const untilFollowed = async (): Promise<void> => {
  do await replica.look();
  while (replica.behindMs() === null || (replica.behindMs() ?? 0) > MOST_BEHIND_MS);
};

beforeAll(async () => {
  pair = await startPair();
  main = open(pair.main.url);
  replica = follow(pair.standby.url);
}, 120_000);

afterAll(async () => {
  await replica?.stop();
  await main?.close();
  await pair?.close();
}, 60_000);

describe('a replica', () => {
  it('is read from only once it is known to be near', async () => {
    expect(await isReplica(replica.reader)).toBe(false);
    await untilFollowed();
    expect(await isReplica(replica.reader)).toBe(true);
    expect(await replica.reader.transaction(tx => tx.query(sql('test_tx')`select pg_is_in_recovery() as is`))).toEqual([
      { is: true },
    ]);
  });

  it('is seen by the main database with its lag, for the operator', async () => {
    await untilFollowed();
    await pair.run(pair.main, 'grant pg_monitor to coinslot');
    const state = () => findReplicationState(main);
    await expect.poll(state).toMatchObject({ standbys: 1, lagSeconds: expect.any(Number) });
  });

  it('keeps its connections, although none of them takes writes', async () => {
    await untilFollowed();
    const pidOf = () => replica.reader.query(sql('test_pid')`select pg_backend_pid() as pid`);
    expect(await pidOf()).toEqual(await pidOf());
  });

  it('is left for the main database while it is further behind than is said, and taken again', async () => {
    await untilFollowed();
    await pair.run(pair.standby, 'select pg_wal_replay_pause()');
    await pair.run(pair.main, 'create table behind (n int)');
    await replica.look();
    expect(await isReplica(replica.reader)).toBe(true);
    aheadMs += MOST_BEHIND_MS + 1;
    await replica.look();
    expect(await isReplica(replica.reader)).toBe(false);
    await pair.run(pair.standby, 'select pg_wal_replay_resume()');
    await untilFollowed();
    expect(await isReplica(replica.reader)).toBe(true);
  });

  it('that is notified of a change says so when a list shows it', async () => {
    await untilFollowed();
    await pair.run(pair.standby, 'select pg_wal_replay_pause()');
    await pair.run(pair.main, 'create table shown (n int)');
    const seen = { isShown: false };
    const caughtUp = replica.caughtUp().then(() => {
      seen.isShown = true;
    });
    await replica.look();
    expect(seen.isShown).toBe(false);
    await pair.run(pair.standby, 'select pg_wal_replay_resume()');
    while (!seen.isShown) await replica.look();
    await caughtUp;
    expect(await replica.reader.query(sql('test_shown')`select to_regclass('shown') is not null as is`)).toEqual([
      { is: true },
    ]);
  });

  it('that would have to write leaves it to the main database', async () => {
    await untilFollowed();
    const written = await replica.reader.query(sql('test_write')`
      insert into heartbeats (kind, beat_at) values ('readiness', now()) on conflict (kind) do update set beat_at = now()
      returning kind`);
    expect(written).toEqual([{ kind: 'readiness' }]);
  });

  it('is never a database that goes its own way: the main one itself, or one that was promoted', async () => {
    const same = follow(pair.main.url);
    await same.look();
    expect(same.behindMs()).toBe(null);
    await same.stop();
    await untilFollowed();
    await pair.run(pair.standby, 'select pg_promote()');
    await replica.look();
    expect(replica.behindMs()).toBe(null);
  });

  it('that is away costs no answer', async () => {
    await pair.standby.stop();
    await expect(replica.look()).rejects.toThrow();
    expect(await isReplica(replica.reader)).toBe(false);
  });
});
