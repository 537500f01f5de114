import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { migrate } from './migrate.ts';
import { sql } from './sql.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);

let database: TestDatabase;
let names: string[];

beforeAll(async () => {
  database = await testDatabase();
  names = (await readdir(FOLDER)).toSorted();
});
afterAll(() => database.drop());

describe('the schema', () => {
  it('is one file, and each later change has the next number', () => {
    expect(names[0]).toBe('0001_schema.sql');
    expect(names.map(name => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  });

  it('is applied whole to an empty database, and a second start changes nothing (row 49)', async () => {
    const applied = await database.db.query<{ name: string }>(
      sql('test_migrations')`select name from migrations order by number`,
    );
    expect(applied.map(({ name }) => name)).toEqual(names);
    expect(await migrate(database.url)).toEqual([]);
  });

  it('says above each index which question it answers', async () => {
    const texts = await Promise.all(names.map(name => readFile(new URL(name, FOLDER), 'utf8')));
    const lines = texts.flatMap(text => text.split('\n'));
    const indexes = lines.flatMap((line, at) =>
      /^create (unique )?index/.test(line) ? [{ line, above: lines[at - 1] }] : [],
    );
    expect(indexes.length).toBeGreaterThan(40);
    expect(indexes.filter(({ above }) => !/^-- \w.*[^-]$/.test(above ?? '')).map(({ line }) => line)).toEqual([]);
  });
});
