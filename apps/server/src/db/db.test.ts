import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { gate } from '@coinslot/testing/gate';
import { startTcpProxy } from '@coinslot/testing/tcp-proxy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { constraintOf, createDb, type Db, type Tx } from './db.ts';
import { isDatabaseUnavailable, sqlStateOf } from './sessions/database-errors.ts';
import { ROWS, sql, sqlForRows } from './sql.ts';

let database: TestDatabase;
let db: Db;

const insert = (id: number, n = 0) => sql('test_insert')`insert into notes (id, n) values (${id}, ${n})`;
const ids = async () =>
  (await db.query<{ id: number }>(sql('test_ids')`select id from notes order by id`)).map(row => row.id);
const oneRow = sqlForRows<{ id: number }, { n: number }>('test_one_row', { id: 'int' })`select t.n from ${ROWS} as t`;
const plain = (text: string) => ({ name: '', text, values: [] });

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  await db.query(plain('create table notes (id int constraint notes_key primary key, n int not null)'));
});

afterAll(() => database?.drop());

describe('a transaction', () => {
  it('is whole: what fails later undoes what went before, and calls no listener', async () => {
    let isWoken = false;
    const failing = db.transaction(async tx => {
      tx.afterCommit(() => {
        isWoken = true;
      });
      await tx.query(insert(1));
      await tx.query(insert(1));
    });
    await expect(failing).rejects.toSatisfy(
      error => constraintOf(error) === 'notes_key' && sqlStateOf(error) === '23505',
    );
    expect(await ids()).toEqual([]);
    expect(isWoken).toBe(false);
  });

  it('fails when a write that the caller did not wait for fails', async () => {
    const failing = db.transaction(async tx => {
      tx.write(insert(2));
      tx.write(insert(2));
    });
    await expect(failing).rejects.toSatisfy(error => constraintOf(error) === 'notes_key');
    expect(await ids()).toEqual([]);
  });

  it('that swallowed a failed statement is not reported as done', async () => {
    let isWoken = false;
    const failing = db.transaction(async tx => {
      tx.afterCommit(() => {
        isWoken = true;
      });
      await tx.query(insert(3));
      await tx.query(insert(3)).catch(() => {});
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect([isWoken, await ids()]).toEqual([false, []]);
  });

  it('that met a deadlock is tried again until it is through', async () => {
    await db.query(plain('insert into notes values (10, 0), (11, 0)'));
    const bump = (id: number) => sql('test_bump')`update notes set n = n + 1 where id = ${id}`;
    const both = [gate(), gate()] as const;
    let tries = 0;
    const cross = (mine: 0 | 1, first: number, second: number) =>
      db.transaction(async tx => {
        tries += 1;
        await tx.query(bump(first));
        both[mine].open();
        await both[mine === 0 ? 1 : 0].opened;
        await tx.query(bump(second));
      });
    await Promise.all([cross(0, 10, 11), cross(1, 11, 10)]);
    expect(await db.query(plain('select n from notes where id in (10, 11)'))).toEqual([{ n: 2 }, { n: 2 }]);
    // The one that was rolled back may meet the other again.
    expect(tries).toBeGreaterThanOrEqual(3);
  });

  it('whose connection is cut fails clean, and the next one gets another (row 44)', async () => {
    const other = createDb({ url: database.url, maxConnections: 1, onError: () => {} });
    const failing = db.transaction(async tx => {
      await tx.query(insert(20));
      const [row] = await tx.query<{ pid: number }>(plain('select pg_backend_pid() as pid'));
      await other.query(sql('test_kill')`select pg_terminate_backend(${row!.pid})`);
      await tx.query(insert(21));
    });
    await expect(failing).rejects.toSatisfy(isDatabaseUnavailable);
    await other.close();
    expect((await ids()).filter(id => id >= 20)).toEqual([]);
    await db.transaction(tx => tx.query(insert(22)));
    expect(await ids()).toContain(22);
  });
});

describe('trips to the database', () => {
  it('are one for a transaction that asks nothing, from begin to commit, and one more for what it asks', async () => {
    const proxy = await startTcpProxy(database.url);
    const far = createDb({ url: proxy.url, maxConnections: 1, onError: () => {} });
    const tripsOf = async (work: Parameters<Db['transaction']>[0]): Promise<number> => {
      const before = proxy.trips();
      await far.transaction(work);
      return proxy.trips() - before;
    };
    const writeTwo = (id: number) => async (tx: Tx) => {
      tx.write(insert(id));
      tx.write(insert(id + 1));
    };
    // What a new connection asks first is not counted.
    await far.transaction(writeTwo(60));
    expect(await tripsOf(writeTwo(62))).toBe(1);
    const asking = async (tx: Tx) => {
      await tx.query(sql('test_ids')`select id from notes order by id`);
      await writeTwo(64)(tx);
    };
    expect(await tripsOf(asking)).toBe(2);
    expect((await ids()).filter(id => id >= 60)).toEqual([60, 61, 62, 63, 64, 65]);
    await far.execute(plain('delete from notes where id >= 60'));
    await far.close();
    await proxy.close();
  });
});

describe('the last statement of a transaction', () => {
  it('takes the commit with it: nothing comes after it, and nothing undoes it', async () => {
    const failing = db.transaction(async tx => {
      await tx.last.query(insert(30));
      await tx.query(insert(31));
    });
    await expect(failing).rejects.toThrow('came after the end');
    expect((await ids()).filter(id => id >= 30)).toEqual([30]);
  });

  it('undoes what came before it when it fails', async () => {
    const failing = db.transaction(async tx => {
      tx.write(insert(32));
      await tx.last.query(insert(30));
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await ids()).not.toContain(32);
    await db.transaction(tx => tx.last.query(insert(33)));
    expect(await ids()).toContain(33);
  });

  it('waits for the others where a commit is shared', async () => {
    const held = gate();
    const slow = db.shared('slow', async tx => {
      await held.opened;
      await tx.query(insert(35));
    });
    const quick = db.shared('quick', tx => tx.last.query(insert(34)));
    held.open();
    await Promise.all([slow, quick]);
    expect((await ids()).filter(id => id > 33)).toEqual([34, 35]);
  });
});

describe('inside a transaction', () => {
  const asked: Record<string, (pool: Db) => Promise<unknown>> = {
    query: pool => pool.query(plain('select 1')),
    transaction: pool => pool.transaction(async tx => tx.query(plain('select 1'))),
    shared: pool => pool.shared('key', async tx => tx.query(plain('select 1'))),
    queryRow: pool => pool.queryRow(oneRow, { id: 1 }),
    coalesced: pool => pool.coalesce<number, number>({ runMany: async (_tx, batch) => batch })(1),
  };
  const unfollowed = (maxConnections: number): Db =>
    createDb({ url: database.url, maxConnections, onError: () => {}, isFollowing: false });

  async function expectRefused(pool: Db, ask: (pool: Db) => Promise<unknown>): Promise<void> {
    const failing = pool.transaction(async tx => {
      await tx.query(plain('select 1'));
      await Promise.resolve().then(() => ask(pool));
    });
    await expect(failing).rejects.toThrow('from inside');
    await expect(pool.shared('k', async () => void (await ask(pool)))).rejects.toThrow('from inside');
    await ask(pool);
  }

  for (const [name, ask] of Object.entries(asked)) {
    it(`the pool refuses ${name}, however deep it is asked (row 104)`, () => expectRefused(db, ask));

    it(`the pool refuses ${name} that would wait, though no call is followed (row 104)`, async () => {
      const small = unfollowed(1);
      await expectRefused(small, ask);
      await small.close();
    });
  }

  it('of as many as there are connections, though no call is followed, not all wait for each other (row 104)', async () => {
    const small = unfollowed(3);
    const all = gate();
    let begun = 0;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 3 }, () =>
        small.transaction(async tx => {
          await tx.query(plain('select 1'));
          begun += 1;
          if (begun === 3) all.open();
          await all.opened;
          const deep = async (): Promise<unknown> =>
            Promise.all([tx.query(plain('select 1')), small.query(plain('select 1'))]);
          await deep();
        }),
      ),
    );
    expect(outcomes.map(outcome => (outcome.status === 'rejected' ? String(outcome.reason) : ''))).toEqual(
      Array(3).fill(expect.stringContaining('from inside')),
    );
    await small.transaction(async () => void (await small.query(plain('select 1'))));
    await small.close();
  });

  it('another pool may be asked, and its own again once it is over', async () => {
    const other = createDb({ url: database.url, maxConnections: 1, onError: () => {} });
    const later = gate();
    let begun: Promise<unknown> | undefined;
    await db.transaction(async () => {
      await other.transaction(tx => tx.query(plain('select 1')));
      begun = later.opened.then(() => db.query(plain('select 1 as one')));
    });
    later.open();
    expect(await begun).toEqual([{ one: 1 }]);
    await other.close();
  });
});

describe('a pool with no free connection', () => {
  it('answers that it is busy instead of waiting for ever, and serves again when one is free (row 46)', async () => {
    const small = createDb({ url: database.url, maxConnections: 1, onError: () => {}, waitForConnectionMs: 500 });
    await small.query(plain('select 1'));
    const held = gate();
    const holding = small.transaction(() => held.opened);
    await expect(small.query(plain('select 1'))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(small.transaction(tx => tx.query(plain('select 1')))).rejects.toMatchObject({ code: 'unavailable' });
    held.open();
    await holding;
    expect(await small.query(plain('select 1 as one'))).toEqual([{ one: 1 }]);
    await small.close();
  });
});

describe('a value', () => {
  it('never becomes part of the statement', async () => {
    const evil = `'; drop table notes; --`;
    expect(await db.query(sql('test_echo')`select ${evil}::text as echo`)).toEqual([{ echo: evil }]);
  });

  it('of 64 bits comes back as an exact number', async () => {
    expect(await db.query(plain('select 10000000000000::bigint as amount'))).toEqual([{ amount: 10_000_000_000_000 }]);
  });
});
