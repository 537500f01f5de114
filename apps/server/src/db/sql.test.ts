import { testDatabase } from '@coinslot/testing/database';
import { expect, it } from 'vitest';
import { fragment, rowsAs, sql, sqlUnprepared } from './sql.ts';

it('values become parameters, fragments become text', () => {
  const columns = fragment`a, b`;
  const find = (id: string, limit: number) => sql('find')`select ${columns} from t where id = ${id} limit ${limit}`;
  expect(find('x', 3)).toEqual({ name: 'find', text: 'select a, b from t where id = $1 limit $2', values: ['x', 3] });
  expect(find("'; drop table t", 1).text).toBe('select a, b from t where id = $1 limit $2');
});

it('a value that looks like a fragment only by its text stays a value', () => {
  expect(sql('find')`select ${'1; drop table t'}`).toMatchObject({ text: 'select $1', values: ['1; drop table t'] });
});

it('a list that is planned at each call has no name to be remembered by', () => {
  expect(sqlUnprepared('list')`select ${1}`).toEqual({ name: '', text: 'select $1', values: [1] });
});

it('rows travel as an array for each column that their statement reads', () => {
  const attention = { code: 'x', detail: 'a "b" \\ c' };
  const row = { id: 'a', email: null, items: [{ sku: 'sword' }], attention, playerId: 'not read', paidAt: undefined };
  const columns = { id: 'text', email: 'text', attention: 'json', paidAt: 'timestamptz' } as const;
  const statement = sql(
    'write',
  )`insert into t select * from ${rowsAs(columns, [row, { ...row, id: 'b,"c"' }])} as t where x = ${1}`;
  expect(statement.text).toBe(
    'insert into t select * from (select "id", "email", "attention", "paid_at" ' +
      'from unnest($1::text[], $2::text[], $3::json[], $4::timestamptz[]) as r ("id", "email", "attention", "paid_at")) as t where x = $5',
  );
  const json = JSON.stringify(JSON.stringify(attention));
  expect(statement.values).toEqual([String.raw`{"a","b,\"c\""}`, '{NULL,NULL}', `{${json},${json}}`, '{NULL,NULL}', 1]);
  expect(sql('write')`select * from ${rowsAs(columns, [])} as t`.values).toEqual(['{}', '{}', '{}', '{}']);
});

it('what the database reads of rows is what was written, whatever is in them', async () => {
  const database = await testDatabase();
  const columns = {
    text: 'text',
    many: 'text[]',
    data: 'json',
    at: 'timestamptz',
    amount: 'bigint',
    part: 'float8',
    is: 'boolean',
  } as const;
  const texts = [
    '',
    ' ',
    'NULL',
    'null',
    '{}',
    '{a,b}',
    '"',
    '\\',
    '\\"',
    "'",
    ',',
    'a\nb\tc\r',
    '\u{1f600}',
    '日本',
    '\u202e',
    '$1',
    '\u0001',
  ];
  const rows = texts.map((text, i) => ({
    text,
    many: i % 3 === 0 ? null : texts.slice(0, i),
    data: i % 4 === 0 ? null : { text, list: [text, null, { [text]: i }] },
    at: i % 5 === 0 ? null : new Date(1_700_000_000_123 + i),
    amount: i % 2 === 0 ? i * 1e15 : null,
    part: i % 2 === 0 ? null : -i / 3,
    is: i % 3 === 0 ? null : i % 2 === 0,
  }));
  const read = await database.db.query(sql('test_rows')`select * from ${rowsAs(columns, rows)} as t`);
  await database.drop();
  expect(read).toEqual(rows);
});
