import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenRows, ROWS, sql, sqlForRows } from '../sql.ts';
import { table } from '../table.ts';
import { columnAt, RowsWriter, rowTypeFor, sentColumn } from './sent-rows.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

const THINGS = table('things', {
  id: 'text',
  amountMinor: 'bigint',
  share: 'float8',
  isNew: 'boolean',
  detail: { type: 'json?' },
  at: 'timestamptz?',
  tags: 'text[]',
  note: 'text?',
});

const thing = {
  id: 'ord_1',
  amountMinor: 2 ** 40,
  share: 0.25,
  isNew: true,
  detail: { quote: '"\\\n', none: null, list: [1, 'é'] } as unknown,
  at: new Date('2026-02-28T23:59:59.123Z') as Date | null,
  tags: ['a b', '"', '{x,y}', 'é😀'],
  note: null as string | null,
  isNotRead: Symbol('a property that no column names'),
};

const echo = (rows: object[]) =>
  database.db.query(sql('test_echo')`select ${THINGS.columns} from ${givenRows(THINGS.types, rows as never[])} as t`);

const read = (row: typeof thing): object => ({ ...row, isNotRead: undefined });

describe('rows that are sent', () => {
  it('arrive as they are, whatever their columns hold, first and every later time', async () => {
    const empty = { ...thing, id: '', detail: null, at: null, tags: [], note: '' };
    const odd = { ...thing, id: 'é😀', note: `'); drop table t; -- ${'long '.repeat(2_000)}`, detail: 'only a text' };
    for (const rows of [[thing], [thing, empty, odd], [], [odd, odd]]) expect(await echo(rows)).toEqual(rows.map(read));
  });

  it('are null where a property is missing', async () => {
    expect(await echo([{ ...thing, at: undefined, note: undefined }])).toEqual([
      { ...read(thing), at: null, note: null },
    ]);
  });

  it('have their numbers in a statement for rows, and callers who ask the same share one', async () => {
    const twice = sqlForRows<{ id: string; note: string | null }, { id: string; note: string | null; sent: number }>(
      'test_twice',
      { id: 'text', note: 'text' },
    )`select t.n, t.id, t.note, (select count(*)::int from ${ROWS} as every) as sent from ${ROWS} as t`;
    const asked = [
      { id: 'a', note: null },
      { id: 'a', note: '' },
      { id: '', note: 'a' },
      { id: 'a', note: null },
    ];
    const answers = await Promise.all(asked.map(row => database.db.queryRow(twice, row)));
    expect(answers).toEqual(asked.map(row => ({ n: undefined, ...row, sent: 3 })));
  });

  it.each([1, 7, 8, 9, 16, 17, 32])('may have %i columns', async count => {
    const names = Array.from({ length: count }, (_, i) => `of column ${i}`);
    const writer = new RowsWriter(names.map(name => sentColumn(name, 'text')));
    for (const mark of ['a', 'b']) writer.add(Object.fromEntries(names.map(name => [name, `${mark} ${name}`])));
    const text = `select ${columnAt(count - 1)} as last from unnest($1::${rowTypeFor(count)}[])`;
    const rows = await database.db.query({ name: '', text, values: [writer.end()] });
    expect(rows).toEqual(['a', 'b'].map(mark => ({ last: `${mark} of column ${count - 1}` })));
  });

  it('have no more columns than the largest type', () => {
    const columns = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`c${i}`, 'text' as const]));
    expect(() => sql('test_widest')`select 1 from ${givenRows(columns, [])} as t`).toThrow(
      'at most 32 columns, not 33',
    );
  });

  it('are refused where a column that is not JSON is given an object', () => {
    expect(() => echo([{ ...thing, note: { a: 1 } }])).toThrow('its type is not json');
  });
});
