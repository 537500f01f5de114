import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { gate } from '@coinslot/testing/gate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../sql.ts';
import type { Tx, Work } from '../transaction.ts';
import { shareCommits } from './share-commits.ts';

let database: TestDatabase;

const bump = async (tx: Tx, id: number): Promise<void> => {
  const [row] = await tx.query<{ n: number }>(sql('t_lock')`select n from t where id = ${id} for update`);
  tx.write(sql('t_write')`update t set n = ${row!.n + 1}, xid = pg_current_xact_id()::text where id = ${id}`);
};

const rows = () =>
  database.db.query<{ id: number; n: number; xid: string | null }>(sql('t_all')`select id, n, xid from t order by id`);

beforeAll(async () => {
  database = await testDatabase();
  await database.db.query(sql('t_make')`create table t (id int primary key, n int not null, xid text)`);
});
beforeEach(async () => {
  await database.db.query(sql('t_clear')`truncate t`);
  await database.db.query(sql('t_fill')`insert into t select id, 0 from generate_series(1, 8) id`);
});
afterAll(() => database.drop());

describe('works that come together', () => {
  it('and have different keys share one transaction', async () => {
    await Promise.all([1, 2, 3, 4].map(id => database.db.shared(`k${id}`, tx => bump(tx, id))));
    const changed = (await rows()).slice(0, 4);
    expect(changed.map(({ n }) => n)).toEqual([1, 1, 1, 1]);
    expect(new Set(changed.map(({ xid }) => xid)).size).toBe(1);
  });

  it('and have one key never overtake each other: no update is lost', async () => {
    await Promise.all(Array.from({ length: 40 }, () => database.db.shared('one', tx => bump(tx, 5))));
    expect((await rows())[4]!.n).toBe(40);
  });

  it('fail alone: the neighbors of a bad one are done, and it is not', async () => {
    const bad = async (tx: Tx): Promise<void> => {
      await bump(tx, 2);
      throw new Error('not this one');
    };
    const works = [1, 2, 3].map(id => database.db.shared(`k${id}`, tx => (id === 2 ? bad(tx) : bump(tx, id))));
    const settled = await Promise.allSettled(works);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await rows()).slice(0, 3).map(({ n }) => n)).toEqual([1, 0, 1]);
  });

  it('fail alone also when only the database finds it out', async () => {
    const bad = async (tx: Tx): Promise<void> => tx.write(sql('t_bad')`insert into t values (1, 0, null)`);
    const works = [1, 2, 3].map(id => database.db.shared(`k${id}`, tx => (id === 2 ? bad(tx) : bump(tx, id))));
    const settled = await Promise.allSettled(works);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await rows()).slice(0, 3).map(({ n }) => n)).toEqual([1, 0, 1]);
  });

  it('wake waiters only when all of it is durable', async () => {
    const woken: number[] = [];
    const work = (id: number) => async (tx: Tx) => {
      await bump(tx, id);
      tx.afterCommit(() => woken.push(id));
      if (id === 3) throw new Error('no');
    };
    await Promise.allSettled([1, 3].map(id => database.db.shared(`k${id}`, work(id))));
    expect(woken).toEqual([1]);
  });
});

describe('a transaction', () => {
  it('refuses a statement that comes after its end', async () => {
    let late: Tx | undefined;
    await database.db.transaction(async tx => {
      late = tx;
    });
    expect(() => late!.query(sql('t_late')`update t set n = 9`)).toThrow('after the end');
  });

  it('refuses an object that could not be sent, before anything is committed', async () => {
    const wrong = database.db.transaction(async tx => {
      await bump(tx, 1);
      tx.write(sql('t_object')`update t set xid = ${{ a: 1 }}`);
    });
    await expect(wrong).rejects.toThrow('JSON text');
    expect((await rows())[0]!.n).toBe(0);
  });
});

it('at most the allowed number of transactions is under way, and later works wait meanwhile', async () => {
  const first = gate();
  const batches: number[] = [];
  const { share } = shareCommits({
    maxInFlight: 1,
    runAlone: async work => work({} as Tx),
    runTogether: async works => {
      batches.push(works.length);
      return Promise.all(works.map(work => work({} as Tx)));
    },
  });
  const slow: Work<void> = () => first.opened;
  const one = share('a', slow);
  await new Promise(resolve => setImmediate(resolve));
  const rest = ['b', 'c', 'd'].map(key => share(key, async () => key));
  first.open();
  expect(await Promise.all([one, ...rest])).toEqual([undefined, 'b', 'c', 'd']);
  expect(batches).toEqual([1, 3]);
});

it('a batch that takes long holds up no other: the next begins beside it', async () => {
  const stuck = gate();
  const batches: number[] = [];
  const { share } = shareCommits({
    runAlone: async work => work({} as Tx),
    runTogether: async works => {
      batches.push(works.length);
      return Promise.all(works.map(work => work({} as Tx)));
    },
  });
  const slow = share('a', () => stuck.opened);
  await new Promise(resolve => setImmediate(resolve));
  const behind = share('a', async () => 'behind');
  expect(await Promise.all(['b', 'c'].map(key => share(key, async () => key)))).toEqual(['b', 'c']);
  stuck.open();
  expect([await slow, await behind]).toEqual([undefined, 'behind']);
  expect(batches).toEqual([1, 2, 1]);
});
