import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { explaining } from '@coinslot/testing/explain';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NUMBERED_EVENTS } from '../domain/event/event.sql.ts';
import { newId } from '../kit/ids.ts';
import { createDb, type Db } from './db.ts';
import { type Position, updatePosition } from './read-numbered.sql.ts';
import { readNumbered, settle } from './read-numbered.ts';
import { sql } from './sql.ts';

const HOUR = 3_600;

let database: TestDatabase;
let db: Db;
/** What the reader was given, in turn. */
let read: string[];
const clients: pg.Client[] = [];

async function connect(url = database.url): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

const insert = async (client: Pick<pg.Client, 'query'>, type = 'order.paid'): Promise<string> => {
  const id = newId('evt');
  await client.query(
    `insert into events (environment_id, id, type, data, fan_out, created_at) values ('env_1', $1, $2, '{}', false, app_now())`,
    [id, type],
  );
  return id;
};

const READER = { name: 'ledger', table: NUMBERED_EVENTS };

const take = (by: Db = db, batch = 3): Promise<boolean> =>
  readNumbered(
    by,
    READER,
    async (tx, { after, upTo }) => {
      const rows = await tx.query<{ id: string }>(sql('test_reader_take')`
        select id from events where seq > ${after} and seq <= ${upTo} and type <> 'order.created' order by seq`);
      read.push(...rows.map(({ id }) => id));
    },
    batch,
  );

const takeAll = async (by?: Db): Promise<void> => {
  while (await take(by));
};

beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});

beforeEach(async () => {
  read = [];
  await takeAll();
  read = [];
});

afterAll(async () => {
  await Promise.all(clients.map(client => client.end()));
  await database?.drop();
});

describe('a reader of events', () => {
  it('waits for a transaction that stays open for an hour, then reads all in the order of their numbers', async () => {
    const [late, prompt] = [await connect(), await connect()];
    const before = await insert(prompt);
    await late.query('begin');
    const first = await insert(late);
    const others: string[] = [];
    for (let minute = 0; minute < 60; minute += 5) {
      others.push(await insert(prompt));
      await database.advance(HOUR / 12);
      await Promise.all([takeAll(), takeAll(), takeAll()]);
    }
    expect(read).toEqual([]);
    await late.query('commit');
    await Promise.all([takeAll(), takeAll(), takeAll()]);
    await takeAll();
    expect(read).toEqual([before, first, ...others]);
  });

  it('finds what a transaction writes an hour after it began, when later ones were read long ago', async () => {
    const [old, prompt] = [await connect(), await connect()];
    await old.query('begin');
    await old.query(
      `insert into heartbeats values ('worker', app_now()) on conflict (kind) do update set beat_at = app_now()`,
    );
    const one = await insert(prompt);
    await takeAll();
    await database.advance(HOUR);
    const two = await insert(old);
    const three = await insert(prompt);
    await takeAll();
    expect(read).toEqual([one]);
    await old.query('commit');
    await takeAll();
    expect(read).toEqual([one, two, three]);
  });

  it('goes on past a number that was drawn and never used', async () => {
    const [undone, prompt] = [await connect(), await connect()];
    await undone.query('begin');
    await insert(undone);
    const next = await insert(prompt);
    await takeAll();
    await undone.query('rollback');
    await takeAll();
    expect(read).toEqual([next]);
  });

  it('does not wait for transactions that have written no event: here, elsewhere, or only read', async () => {
    const elsewhere = new URL(database.url);
    elsewhere.pathname = '/postgres';
    const [here, there, dump] = [await connect(), await connect(elsewhere.href), await connect()];
    await here.query('begin');
    await here.query(`update reader_positions set until_time = app_now() where name = 'attempts'`);
    await there.query('begin');
    await there.query('select pg_current_xact_id()');
    await dump.query('begin isolation level repeatable read read only');
    await dump.query('select count(1) from events');
    const next = await insert(await connect());
    await takeAll();
    expect(read).toEqual([next]);
    await Promise.all([here, there, dump].map(client => client.query('rollback')));
  });

  it('sees late commits although the server gives each transaction one view', async () => {
    const strict = createDb({ url: database.url, maxConnections: 2, onError: () => {} });
    await db.query({
      name: '',
      text: `alter database ${new URL(database.url).pathname.slice(1)}
      set default_transaction_isolation = 'repeatable read'`,
      values: [],
    });
    try {
      const late = await connect();
      await late.query('begin');
      const ids = [await insert(late), await insert(await connect())];
      let isCommitted = false;
      // The commit comes between the lock of the position and the look at the open transactions.
      const meanwhile: Db = {
        ...strict,
        transaction: work =>
          strict.transaction(tx =>
            work({
              ...tx,
              async query(statement) {
                if (statement.name === 'reader_list_writers' && !isCommitted) {
                  await late.query('commit');
                  isCommitted = true;
                }
                return tx.query(statement);
              },
            }),
          ),
      };
      await takeAll(meanwhile);
      expect([isCommitted, read]).toEqual([true, ids]);
    } finally {
      await strict.close();
      await db.query({
        name: '',
        text: `alter database ${new URL(database.url).pathname.slice(1)}
        reset default_transaction_isolation`,
        values: [],
      });
    }
  });

  it('goes on after a restore on another server, where the transactions it waited for are unknown', async () => {
    const client = await connect();
    const ids = [await insert(client), await insert(client)];
    const position = await settle(db, READER.table, await positionOf('ledger'));
    await db.transaction(async tx =>
      updatePosition(tx, READER, {
        seq: position.seq,
        nextSeq: position.nextSeq,
        waitsFor: ['4711/4711', '-1/99999999'],
      }),
    );
    await takeAll();
    expect(read).toEqual(ids);
  });
});

const positionOf = async (name: string): Promise<Position> => {
  const [row] = await db.query<Position>(sql('test_reader_position')`
    select seq, next_seq as "nextSeq", waits_for as "waitsFor" from reader_positions where name = ${name}`);
  return row!;
};

describe('several readers side by side', () => {
  it('read each of many events once, while writers commit in any order, late or never', async () => {
    const written: string[] = [];
    const writing = { isOver: false };
    const write = async (client: pg.Client, seed: number): Promise<void> => {
      for (let i = 0; i < 25; i++) {
        await client.query('begin');
        const ids = [await insert(client), await insert(client, 'order.created'), await insert(client)];
        if ((i * 7 + seed) % 5 === 0) await client.query('select pg_sleep(0.02)');
        const isKept = (i * 3 + seed) % 4 !== 0;
        await client.query(isKept ? 'commit' : 'rollback');
        if (isKept) written.push(ids[0]!, ids[2]!);
      }
    };
    const readOn = async (): Promise<void> => {
      // In large steps, so that the reader is always at the end, where it could miss a number.
      while (!writing.isOver) await take(db, 1_000);
    };
    const readers = [readOn(), readOn(), readOn()];
    const writers = await Promise.all(Array.from({ length: 6 }, () => connect()));
    await Promise.all(writers.map(write));
    writing.isOver = true;
    await Promise.all(readers);
    await takeAll();
    expect(read.toSorted()).toEqual(written.toSorted());
  });
});

it('costs the same, however much was read before', async () => {
  const pagesOfALook = async (): Promise<Record<string, number>> => {
    await db.query(sql('test_reader_analyze')`analyze events`);
    await insert(await connect());
    const { db: explained, plans } = explaining(db);
    await take(explained);
    await takeAll();
    return Object.fromEntries([...plans].map(([name, { pages }]) => [name, pages]));
  };
  const grow = (count: number) =>
    db.query(sql('test_reader_grow')`
      insert into events (environment_id, id, type, data, fan_out, created_at)
      select 'env_1', 'evt_' || gen_random_uuid(), case n % 2 when 0 then 'order.created' else 'order.paid' end, '{}', false, app_now()
      from generate_series(1, ${count}::int) n`);
  await grow(500);
  while (await take(db, 10_000));
  const small = await pagesOfALook();
  await grow(30_000);
  while (await take(db, 10_000));
  const large = await pagesOfALook();
  expect(Object.keys(large).toSorted()).toEqual([
    'reader_find_newest_event',
    'reader_list_writers',
    'reader_lock_position',
    'reader_update_position',
    'test_reader_take',
  ]);
  for (const [name, pages] of Object.entries(large)) expect([name, pages <= small[name]! + 4]).toEqual([name, true]);
});
