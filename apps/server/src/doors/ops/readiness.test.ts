import { expect, it } from 'vitest';
import { watchLiveness } from './readiness.ts';

it('a restart is asked for only by what a restart mends: a loop or a batch that stands still', () => {
  let nowMs = 1_000_000;
  let oldestBatchMs = 0;
  const liveness = watchLiveness({ nowMs: () => nowMs }, () => oldestBatchMs);
  expect(liveness.problem()).toBeNull();
  oldestBatchMs = 29_000;
  expect(liveness.problem()).toBeNull();
  oldestBatchMs = 31_000;
  expect(liveness.problem()).toBe('a shared transaction does not come to its end');
  oldestBatchMs = 0;
  expect(liveness.problem()).toBeNull();
  nowMs += 31_000;
  expect(liveness.problem()).toBe('the event loop stood still');
  liveness.stop();
});
