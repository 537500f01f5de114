import { expect, it } from 'vitest';
import { fragment, jsonRows, rowJson, sql, sqlUnprepared } from './sql.ts';

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

it('a row carries what its statement reads and what is not null, and JSON inside of it whole', () => {
  const attention = { code: 'x', detail: null };
  const row = { id: 'a', email: null, items: [{ sku: 'sword' }], attention, playerId: 'not read', paidAt: undefined };
  const read = '{"id":"a","attention":{"code":"x","detail":null}}';
  expect(rowJson(row, ['id', 'email', 'attention', 'paidAt'])).toBe(read);
  const columns = { id: 'text', email: 'text', attention: 'json' } as const;
  const statement = sql('write')`insert into t select * from ${jsonRows(columns, [row, row])} as t`;
  expect(statement.values).toEqual([`[${read},${read}]`]);
});
