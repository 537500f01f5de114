import type { DisputeDetail } from '@coinslot/contract';
import { expect, it } from 'vitest';
import { isChanged, stateOf, withPart } from './evidence-form.ts';

const evidence = { statement: 'a', product: 'b', delivery: 'c', receipt: 'd', history: 'e', email: null };
const NOW = 1_000;
const at = (changes: Partial<DisputeDetail>) =>
  stateOf(
    { status: 'open', evidence_status: 'none', why_not: null, evidence_due_at: 2_000, ...changes } as DisputeDetail,
    NOW,
  );

it('a text that was typed and taken back is no change', () => {
  const typed = withPart(evidence, 'history', 'e!');
  expect(isChanged(typed, evidence)).toBe(true);
  expect(isChanged(withPart(typed, 'history', 'e'), evidence)).toBe(false);
});

it.each<[string, Partial<DisputeDetail>]>([
  ['open', {}],
  ['open', { evidence_status: 'draft' }],
  ['sending', { evidence_status: 'sending', why_not: 'sending' }],
  ['taken', { evidence_status: 'taken', why_not: 'given' }],
  ['refused', { evidence_status: 'refused' }],
  ['late', { why_not: 'over', evidence_due_at: 999 }],
  ['late', { evidence_status: 'refused', why_not: 'over', evidence_due_at: 999 }],
  ['decided', { status: 'lost', evidence_status: 'taken', why_not: 'closed' }],
  ['decided', { why_not: 'closed' }],
])('the member is told that it is %s', (state, changes) => {
  expect(at(changes)).toBe(state);
});
