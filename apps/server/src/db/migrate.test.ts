import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { poolerHere, startPooler } from '@coinslot/testing/pooler';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSchema, createSchemaCheck, type MigrateOptions, MigrationError, migrate } from './migrate.ts';
import { listInvalidIndexes } from './schema/invalid-indexes.ts';

let database: TestDatabase;
let folder: string;

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const here = () => pathToFileURL(`${folder}/`);
const run = (more: MigrateOptions = {}) => migrate(database.url, { folder: here(), lockPauseMs: 50, ...more });
const tables = async (): Promise<string[]> => {
  const text = `select table_name as name from information_schema.tables where table_schema = 'public' and table_name like 'm\\_%'
                order by 1`;
  return (await database.db.query<{ name: string }>({ name: '', text, values: [] })).map(row => row.name);
};

const query = <Row extends object = object>(text: string): Promise<Row[]> =>
  database.db.query<Row>({ name: '', text, values: [] });
const UNIQUE_INDEX = `-- runs outside a transaction
-- oldest program: 0002
create unique index concurrently if not exists m_one on m_first (id);
`;

beforeEach(async () => {
  database = await testDatabase();
  await database.db.query({ name: '', text: 'drop table migrations', values: [] });
  folder = await mkdtemp(join(tmpdir(), 'coinslot-migrations-'));
  await write('0001_first.sql', 'create table m_first (id int);');
  await write('0002_second.sql', 'create table m_second (id int);');
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

describe('a migration', () => {
  it('is applied once, in order, and only what is missing', async () => {
    expect(await run()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await run()).toEqual([]);
    await write('0003_third.sql', 'alter table m_second add column n int;');
    await write('notes.txt', 'not one');
    expect(await run()).toEqual(['0003_third.sql']);
  });

  it('that fails half-way leaves nothing of itself, and what went before stays (row 49)', async () => {
    await write('0002_second.sql', 'create table m_second (id int); insert into m_second values (1); select 1 / 0;');
    await expect(run()).rejects.toThrow(/0002_second\.sql failed and was rolled back whole/);
    expect(await tables()).toEqual(['m_first']);
    await write('0002_second.sql', 'create table m_second (id int);');
    expect(await run()).toEqual(['0002_second.sql']);
  });

  it('that was changed after it was applied stops the start (row 49)', async () => {
    await run();
    await write('0002_second.sql', 'create table m_second (id bigint);');
    await write('0003_third.sql', 'create table m_third (id int);');
    await expect(run()).rejects.toThrow(MigrationError);
    await expect(run()).rejects.toThrow('0002_second.sql was changed');
    expect(await tables()).toEqual(['m_first', 'm_second']);
  });

  it('whose first file is another belongs to a database from before the first release: one sentence says what to do (row 130)', async () => {
    await run();
    await write('0001_first.sql', 'create table m_first (id bigint);');
    await write('0003_third.sql', 'create table m_third (id int);');
    const refusal = /^This database was made by a version from before 1\.0\.0-rc\.1.* empty database/;
    await expect(run()).rejects.toThrow(refusal);
    await expect(checkSchema(database.url, here())).rejects.toThrow(refusal);
    expect(await tables()).toEqual(['m_first', 'm_second']);
    // Earlier still: no program wrote down then which older ones may run.
    await query('alter table migrations drop column oldest_program');
    await expect(run()).rejects.toThrow(refusal);
    await expect(checkSchema(database.url, here())).rejects.toThrow(refusal);
    expect(await createSchemaCheck(database.db, here())()).toMatch(/^this database was made by a version from before/);
  });

  it('of a newer version stops an older one (row 49)', async () => {
    await run();
    await rm(join(folder, '0002_second.sql'));
    await expect(run()).rejects.toThrow('does not know');
  });

  it('is applied once when several programs start at once (row 47)', async () => {
    const applied = await Promise.all([run(), run(), run(), run()]);
    expect(applied.flat().toSorted()).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await tables()).toEqual(['m_first', 'm_second']);
  });

  it('that only adds lets the version before run on; one that it cannot live with does not (row 92)', async () => {
    await write('0003_third.sql', '-- oldest program: 0002\ncreate table m_third (id int);');
    await run();
    await rm(join(folder, '0003_third.sql'));
    expect(await run()).toEqual([]);
    await checkSchema(database.url, here());
    await rm(join(folder, '0002_second.sql'));
    await expect(checkSchema(database.url, here())).rejects.toThrow('does not know');
  });

  it('that meets a long reader waits briefly, lets go and comes again, and others go on meanwhile (row 93)', async () => {
    await run();
    await write('0003_third.sql', 'alter table m_first add column n int;');
    const read = (text: string) => ({ name: '', text, values: [] });
    let letGo = (): void => {};
    const held = new Promise<void>(resolve => {
      letGo = resolve;
    });
    let isReading = (): void => {};
    const reading = new Promise<void>(resolve => {
      isReading = resolve;
    });
    const reader = database.db.transaction(async tx => {
      await tx.query(read('lock table m_first in access share mode'));
      isReading();
      await held;
    });
    await reading;
    const migrating = run();
    // Longer than the migration waits for its lock once; a writer that comes meanwhile gets its turn.
    await database.db.query(read('select pg_sleep(2.2)'));
    await database.db.query(read('insert into m_first values (1)'));
    letGo();
    await reader;
    expect(await migrating).toEqual(['0003_third.sql']);
  });

  it('that waits for a session which waits for it comes again after that one (row 290)', async () => {
    await run();
    await write('0003_third.sql', 'alter table m_first add column n int; alter table m_second add column n int;');
    const step = new pg.Client(database.url);
    await step.connect();
    try {
      await step.query('begin; insert into m_second values (1);');
      const migrating = run();
      migrating.catch(() => undefined);
      await expect
        .poll(() => query("select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'"))
        .toHaveLength(1);
      await step.query('insert into m_first values (1); commit;');
      expect(await migrating).toEqual(['0003_third.sql']);
    } finally {
      await step.end();
    }
  });

  it('that runs outside a transaction can build an index beside running writes', async () => {
    await write(
      '0003_third.sql',
      '-- runs outside a transaction\n-- oldest program: 0002\ncreate index concurrently if not exists m_one on m_first (id);\ncreate index concurrently if not exists m_two on m_second (id);\n',
    );
    expect((await run()).at(-1)).toBe('0003_third.sql');
  });

  it('whose index was not built whole does not count, and builds it again when the cause is gone (row 131)', async () => {
    await run();
    await query('insert into m_first values (1), (1)');
    await write('0003_third.sql', UNIQUE_INDEX);
    await expect(run()).rejects.toThrow(/0003_third\.sql failed and can be run again.*could not create unique index/);
    await expect(run()).rejects.toThrow('could not create unique index');
    const check = createSchemaCheck(database.db, here());
    expect(await check()).toContain('lacks migration 0003_third.sql');
    // As a version before this one left it: written down as applied.
    const hash = createHash('sha256').update(UNIQUE_INDEX).digest('hex');
    await query(
      `insert into migrations (number, name, hash, oldest_program) values (3, '0003_third.sql', '${hash}', 2)`,
    );
    expect(await check()).toMatch(/unique index m_one is not valid, so its rule may not hold/);
    await query('delete from migrations where number = 3');
    await query('truncate m_first');
    expect(await run()).toEqual(['0003_third.sql']);
    expect(await check()).toBeNull();
    await expect(query('insert into m_first values (1), (1)')).rejects.toThrow('m_one');
  });

  it('whose run was killed between its index and writing that down goes on with the index (row 206)', async () => {
    await run();
    // Not every file says "if not exists".
    await write('0003_third.sql', UNIQUE_INDEX.replace('if not exists ', ''));
    await query('create unique index m_one on m_first (id)');
    expect(await run()).toEqual(['0003_third.sql']);
    await expect(query('insert into m_first values (1), (1)')).rejects.toThrow('m_one');
  });

  it('that builds an index waits for a transaction that stays open, and readiness stays green meanwhile (row 131)', async () => {
    await run();
    await write('0003_third.sql', UNIQUE_INDEX);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('begin; insert into m_first values (1)');
    const migrating = run();
    const invalid = `select count(*)::int as n from pg_index where indexrelid = to_regclass('m_one') and not indisvalid`;
    await expect.poll(async () => (await query<{ n: number }>(invalid))[0]?.n).toBe(1);
    // Longer than a migration waits for the lock of a table.
    await query('select pg_sleep(2.5)');
    expect(await listInvalidIndexes(database.db)).toEqual([]);
    await client.query('commit');
    expect(await migrating).toEqual(['0003_third.sql']);
    await client.end();
    expect((await query<{ n: number }>(invalid))[0]?.n).toBe(0);
  });

  it('that waits for another says for whom, and gives up after its limit (row 132)', async () => {
    const client = new pg.Client({ connectionString: database.url, application_name: 'a forgotten shell' });
    await client.connect();
    await client.query('select pg_advisory_lock(42420001)');
    const said: string[] = [];
    const log = (message: string): void => void said.push(message);
    await expect(run({ limitMs: 2_500, log })).rejects.toThrow(
      /session \d+ \("a forgotten shell".*has held the migration lock.*pg_terminate_backend\(\d+\)/,
    );
    expect(said).toEqual([expect.stringMatching(/waiting up to 2\.5 s for another migration: .*a forgotten shell/)]);
    const waiting = run();
    await client.end();
    expect(await waiting).toEqual(['0001_first.sql', '0002_second.sql']);
  });

  it.skipIf(poolerHere() === null)(
    'through a pooler in transaction mode is refused and leaves no lock; through one in session mode it runs (row 133)',
    async ({ onTestFinished }) => {
      // `server_round_robin` gives a connection the same session again after an even number of transactions.
      const kinds: Record<string, number>[] = [{}, { server_round_robin: 1 }, { server_reset_query_always: 1 }];
      for (const settings of kinds) {
        const shared = await startPooler('transaction', database.url, settings);
        onTestFinished(() => shared.stop());
        const refusal = /pooler in transaction mode\. Set DATABASE_SESSION_URL/;
        await expect(migrate(shared.url, { folder: here() })).rejects.toThrow(refusal);
        await expect(checkSchema(shared.url, here())).rejects.toThrow(refusal);
      }
      expect(await query(`select 1 from pg_locks where locktype = 'advisory' and objid = 42420001`)).toEqual([]);
      const whole = await startPooler('session', database.url, { default_pool_size: 2 });
      onTestFinished(() => whole.stop());
      expect(await migrate(whole.url, { folder: here() })).toEqual(['0001_first.sql', '0002_second.sql']);
    },
  );

  it('that is missing stops a start that may not migrate', async () => {
    await expect(checkSchema(database.url, here())).rejects.toThrow('0001_first.sql yet, and MIGRATE=off');
    await run();
    await checkSchema(database.url, here());
  });
});
