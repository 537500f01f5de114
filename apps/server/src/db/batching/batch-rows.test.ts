import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROWS, sql, sqlForRows } from '../sql.ts';
import type { Tx } from '../transaction.ts';

let database: TestDatabase;

interface Marble {
  id: number;
  n: number;
}

/** What each statement was given, in the order in which they came. */
const log = () =>
  database.db.query<{ name: string; rows: number }>(sql('g_log')`select name, rows from g_log order by seq`);
const marbles = () => database.db.query<Marble>(sql('g_all')`select id, n from g order by id`);

const noted = sqlForRows<{ id: number }, { id: number; before: number }>('g_lock', { id: 'int' })`
  with note as (insert into g_log (name, rows) select 'lock', count(*) from ${ROWS} as t)
  select t.n, g.id, g.n as before from ${ROWS} as t join g on g.id = t.id
  order by g.id for update of g`;

const set = sqlForRows<{ id: number; to: number }>('g_set', { id: 'int', to: 'int' })`
  with note as (insert into g_log (name, rows) select 'set', count(*) from ${ROWS} as t)
  update g set n = t."to" from ${ROWS} as t where g.id = t.id`;

const lock = (tx: Tx, id: number) => tx.queryRow(noted, { id });

beforeAll(async () => {
  database = await testDatabase();
  await database.db.query(sql('g_make')`create table g (id int primary key, n int not null check (n < 100))`);
  await database.db.query(sql('g_make_log')`
    create table g_log (seq bigint generated always as identity, name text, rows int)`);
});
beforeEach(async () => {
  await database.db.query(sql('g_clear')`truncate g, g_log`);
  await database.db.query(sql('g_fill')`insert into g select id, id from generate_series(1, 8) id`);
});
afterAll(() => database.drop());

describe('works that share a transaction', () => {
  const add = (id: number, by = 10) =>
    database.db.shared(`k${id}`, async tx => {
      const found = await lock(tx, id);
      tx.writeRows(set, [{ id, to: found!.before + by }]);
      return found!.before;
    });

  it('give their rows to one statement, and each gets its own answer', async () => {
    expect(await Promise.all([3, 1, 2].map(id => add(id)))).toEqual([3, 1, 2]);
    expect((await marbles()).slice(0, 3).map(({ n }) => n)).toEqual([11, 12, 13]);
    expect(await log()).toEqual([
      { name: 'lock', rows: 3 },
      { name: 'set', rows: 3 },
    ]);
  });

  it('of which one fails run again alone, and only that one fails', async () => {
    const ended = await Promise.allSettled([add(1), add(2, 500), add(3)]);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await marbles()).slice(0, 3).map(({ n }) => n)).toEqual([11, 2, 13]);
  });

  it('keep the order of their own statements', async () => {
    await Promise.all(
      [1, 2].map(id =>
        database.db.shared(`k${id}`, async tx => {
          tx.writeRows(set, [{ id, to: 50 }]);
          const seen = lock(tx, id);
          tx.writeRows(set, [{ id, to: 60 }]);
          expect((await seen)!.before).toBe(50);
        }),
      ),
    );
    expect((await log()).map(({ name, rows }) => `${name} ${rows}`)).toEqual(['set 2', 'lock 2', 'set 2']);
    expect((await marbles()).slice(0, 2).map(({ n }) => n)).toEqual([60, 60]);
  });
});

describe('a row', () => {
  it('is not overtaken by a statement of its own', async () => {
    const seen = await database.db.transaction(tx => {
      tx.writeRows(set, [{ id: 1, to: 70 }]);
      return tx.query<Marble>(sql('g_one')`select id, n from g where id = ${1}`);
    });
    expect(seen).toEqual([{ id: 1, n: 70 }]);
  });

  it('that fails fails the transaction, though the caller does not wait for it', async () => {
    const failing = database.db.transaction(async tx => {
      tx.writeRows(set, [{ id: 1, to: 50 }]);
      tx.writeRows(set, [{ id: 2, to: 500 }]);
    });
    await expect(failing).rejects.toThrow('g_n_check');
    expect((await marbles()).slice(0, 2).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('that nothing answers gets nothing', async () => {
    expect(await database.db.transaction(tx => lock(tx, 99))).toBeUndefined();
  });

  it('given after the end of its transaction is refused', async () => {
    let late: Tx | undefined;
    await database.db.transaction(async tx => {
      late = tx;
    });
    expect(() => late!.writeRows(set, [{ id: 1, to: 5 }])).toThrow('after the end');
    expect(() => lock(late!, 1)).toThrow('after the end');
  });

  it('of no rows sends nothing', async () => {
    await database.db.transaction(async tx => tx.writeRows(set, []));
    expect(await log()).toEqual([]);
  });
});

describe('questions outside a transaction', () => {
  const ask = (id: number) => database.db.queryRow(noted, { id });

  it('that come at one moment share a statement, and those who ask the same share the answer', async () => {
    const [one, same, other] = await Promise.all([ask(4), ask(4), ask(5)]);
    expect([one!.before, other!.before]).toEqual([4, 5]);
    expect(same).toEqual(one);
    expect(same, 'each has a row of its own to read').not.toBe(one);
    expect(await log()).toEqual([{ name: 'lock', rows: 2 }]);
  });

  it('that fail reject for each caller', async () => {
    const broken = sqlForRows<{ id: string }, { id: number }>('g_broken', { id: 'text' })`
      select n, id::int from ${ROWS} as t`;
    const ended = await Promise.allSettled(['1', 'one'].map(id => database.db.queryRow(broken, { id })));
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
