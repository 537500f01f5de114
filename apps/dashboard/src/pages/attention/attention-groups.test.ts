import type { AttentionCode, AttentionItem } from '@coinslot/contract';
import { expect, test } from 'vitest';
import { groupItems } from './attention-groups.ts';
import { rowAfter } from './use-row-keys.ts';

const item = (payment_id: string, code: AttentionCode, actions: AttentionItem['actions'] = []) =>
  ({ payment_id, attention: { code }, actions }) as unknown as AttentionItem;

test('what needs attention stands under what is to be done, the bank first, and no group is empty', () => {
  const found = groupItems([
    item('pay_4', 'grant_unanswered', ['ask_again', 'refund']),
    item('pay_3', 'dispute_open'),
    item('pay_2', 'removal_unanswered', ['ask_again']),
    item('pay_1', 'grant_unanswered', ['refund']),
  ]);
  expect(found.map(({ group, items }) => [group, items.map(({ payment_id }) => payment_id)])).toEqual([
    ['bank', ['pay_3']],
    ['game', ['pay_4', 'pay_2', 'pay_1']],
  ]);
  expect(found[1]?.askable.map(({ payment_id }) => payment_id)).toEqual(['pay_4', 'pay_2']);
  expect(groupItems([])).toEqual([]);
});

test('the keys go from row to row and stay at the ends', () => {
  expect([rowAfter(-1, 'j', 3), rowAfter(0, 'j', 3), rowAfter(2, 'j', 3)]).toEqual([0, 1, 2]);
  expect([rowAfter(-1, 'k', 3), rowAfter(2, 'k', 3), rowAfter(0, 'k', 3)]).toEqual([0, 1, 0]);
});

test('after a row that was dealt with and left the list, the keys go on at its place', () => {
  expect([rowAfter(-1, 'j', 3, 1), rowAfter(-1, 'k', 3, 1)]).toEqual([1, 0]);
  expect([rowAfter(-1, 'j', 2, 2), rowAfter(-1, 'k', 2, 0)]).toEqual([1, 0]);
});
