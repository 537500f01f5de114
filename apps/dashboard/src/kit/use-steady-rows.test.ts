import { describe, expect, test } from 'vitest';
import { mergeRows } from './use-steady-rows.ts';

describe('a list that grows', () => {
  const row = (id: string, status = 'pending') => ({ id, status });
  const idOf = ({ id }: { id: string }): string => id;

  test('keeps its rows in place, shows their latest state, and counts the new ones', () => {
    const shown = [row('b'), row('a')];
    const fresh = [row('d'), row('c'), row('b', 'paid'), row('a')];
    expect(mergeRows(shown, fresh, idOf)).toEqual({ rows: [row('b', 'paid'), row('a')], waiting: 2 });
  });

  test('has no new ones when nothing came', () => {
    expect(mergeRows([row('a')], [row('a')], idOf).waiting).toBe(0);
    expect(mergeRows([], [], idOf)).toEqual({ rows: [], waiting: 0 });
  });

  test('keeps a row that fell off the page, and counts a page of only new ones', () => {
    expect(mergeRows([row('a')], [row('c'), row('b')], idOf)).toEqual({ rows: [row('a')], waiting: 2 });
  });
});
