import { expect, it } from 'vitest';
import { backoffSeconds } from './clock.ts';

it('doubles up to its limit', () => {
  expect([1, 2, 3, 4, 40].map(tries => backoffSeconds(tries, 0.5, 2, 10))).toEqual([2, 4, 8, 10, 10]);
});

it('spreads by a fifth to either side', () => {
  expect(backoffSeconds(1, 0, 10)).toBeCloseTo(8);
  expect(backoffSeconds(1, 0.999_999, 10)).toBeCloseTo(12);
});
