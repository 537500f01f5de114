import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSchema, MigrationError, migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const here = () => pathToFileURL(`${folder}/`);
const run = () => migrate(database.url, here(), 50);
const tables = async (): Promise<string[]> => {
  const text = `select table_name as name from information_schema.tables where table_schema = 'public' and table_name like 'm\\_%'
                order by 1`;
  return (await database.db.query<{ name: string }>({ name: '', text, values: [] })).map(row => row.name);
};

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
    await write('0001_first.sql', 'create table m_first (id bigint);');
    await write('0003_third.sql', 'create table m_third (id int);');
    await expect(run()).rejects.toThrow(MigrationError);
    await expect(run()).rejects.toThrow('0001_first.sql was changed');
    expect(await tables()).toEqual(['m_first', 'm_second']);
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

  it('that runs outside a transaction can build an index beside running writes', async () => {
    await write(
      '0003_third.sql',
      '-- runs outside a transaction\n-- oldest program: 0002\ncreate index concurrently if not exists m_one on m_first (id);\ncreate index concurrently if not exists m_two on m_second (id);\n',
    );
    expect((await run()).at(-1)).toBe('0003_third.sql');
  });

  it('that is missing stops a start that may not migrate', async () => {
    await expect(checkSchema(database.url, here())).rejects.toThrow('0001_first.sql yet, and MIGRATE=off');
    await run();
    await checkSchema(database.url, here());
  });
});
