import type { SavedView } from '@coinslot/contract';
import { expect, test } from 'vitest';
import { shownColumns, toggleColumn, withColumns } from './use-columns.tsx';

const ALL = [{ id: 'amount' }, { id: 'email', extra: true }, { id: 'order', extra: true }];

test('all columns but the extra ones are shown until the member chose', () => {
  expect(shownColumns(null, ALL)).toEqual(['amount']);
  expect(shownColumns('order,amount', ALL)).toEqual(['amount', 'order']);
  expect(shownColumns('gone', ALL)).toEqual([]);
});

test('columns are shown and hidden one by one, each in its place', () => {
  expect(toggleColumn(['amount', 'order'], 'email', ALL)).toEqual(['amount', 'email', 'order']);
  expect(toggleColumn(['amount', 'order'], 'amount', ALL)).toEqual(['order']);
});

test('a choice holds for the list or for the view that is open', () => {
  const view = (id: string) => ({ id, columns: null }) as SavedView;
  const answer = { data: [view('viw_1'), view('viw_2')], columns: [{ list: 'orders' as const, columns: 'amount' }] };
  const chosen = { list: 'orders' as const, columns: 'email' };
  expect(withColumns(answer, { ...chosen, viewId: undefined })).toEqual({ ...answer, columns: [chosen] });
  expect(withColumns(answer, { ...chosen, viewId: 'viw_2' })).toEqual({
    ...answer,
    data: [view('viw_1'), { ...view('viw_2'), columns: 'email' }],
  });
});
