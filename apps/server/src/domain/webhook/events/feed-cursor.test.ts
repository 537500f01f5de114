import { expect, test } from 'vitest';
import { createSeal, macRootOf } from '../../../kit/seal.ts';
import { feedCursor, seqOfCursor } from './feed-cursor.ts';

const [former, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const seal = createSeal(former);

test('a cursor leads to its place in its own environment alone, and is always the same', () => {
  const cursor = feedCursor(seal, 'env_a', 123_456);
  expect(feedCursor(seal, 'env_a', 123_456)).toBe(cursor);
  expect(seqOfCursor(seal, 'env_a', cursor)).toBe(123_456);
  expect(() => seqOfCursor(seal, 'env_b', cursor)).toThrow();
  for (const at of [0, 15, 20, 31]) {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    expect(() => seqOfCursor(seal, 'env_a', cursor.slice(0, at) + other + cursor.slice(at + 1))).toThrow();
  }
});

test('shows nothing of the number, which counts the events of all tenants (row 275)', () => {
  const ends = [1, 2, 3, 4].map(seq => Buffer.from(feedCursor(seal, 'env_a', seq), 'base64url').subarray(16));
  expect(new Set(ends.map(end => end.subarray(0, 4).toString('hex'))).size).toBe(4);
});

test('outlives its master key', () => {
  const cursor = feedCursor(seal, 'env_a', 7);
  const later = createSeal(current);
  expect(() => seqOfCursor(later, 'env_a', cursor)).toThrow();
  later.adopt({ current, others: [], earlierMacRoots: [macRootOf(former)] });
  expect(seqOfCursor(later, 'env_a', cursor)).toBe(7);
});
