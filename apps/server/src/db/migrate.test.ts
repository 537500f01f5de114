import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { MigrationError, migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const run = () => migrate(database.url, pathToFileURL(`${folder}/`));
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
});
