import { readdir } from 'node:fs/promises';
import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../db/sql.ts';
import { describedTables, type Table } from '../db/table.ts';

const SOURCE = new URL('../', import.meta.url);

let database: TestDatabase;
const columns = new Map<string, string>();

const TYPES: Record<string, string> = {
  int4: 'int',
  int8: 'bigint',
  bool: 'boolean',
  jsonb: 'json',
  _text: 'text[]',
};

beforeAll(async () => {
  const files = await readdir(SOURCE, { recursive: true });
  await Promise.all(
    files.filter(name => name.endsWith('.sql.ts')).map(name => import(new URL(name, SOURCE).href) as Promise<unknown>),
  );
  database = await testDatabase();
  const found = await database.db.query<{ name: string; type: string; nullable: boolean }>(sql('test_columns')`
    select case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as name,
      udt_name as type, is_nullable = 'YES' as nullable
    from information_schema.columns where table_schema in ('public', 'simulator')`);
  for (const { name, type, nullable } of found) columns.set(name, `${TYPES[type] ?? type}${nullable ? '?' : ''}`);
});
afterAll(() => database.drop());

/** Test files share a process, and some describe tables of their own. */
const described = () => describedTables.filter(({ name }) => !name.endsWith('_of_test'));

const differences = (table: Table<object>): string[] =>
  Object.entries(table.described).flatMap(([key, { type }]) => {
    const name = `${table.name}.${table.columnOf(key)}`;
    return columns.get(name) === type ? [] : [`${name} is ${columns.get(name) ?? 'missing'}, described as ${type}`];
  });

describe('a table that the program describes', () => {
  it('has these columns in the schema, of these types, and null where it may be', () => {
    expect(described().length).toBeGreaterThan(3);
    expect(described().flatMap(differences)).toEqual([]);
  });

  it('is described once', () => {
    const names = described().map(({ name }) => name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });
});
