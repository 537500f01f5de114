import { expect, it } from 'vitest';
import { fragment, sql, sqlUnprepared } from './sql.ts';

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
