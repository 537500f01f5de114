import { expect, it } from 'vitest';
import { countEnvironments } from './failing-environments.ts';

const FIVE_MINUTES_MS = 300_000;

it('one tenant whose receiver refuses thousands is one of those that were tried', () => {
  const { note, count } = countEnvironments(() => 0);
  for (let n = 0; n < 5_000; n++) note('env_slow', true);
  for (const id of ['env_1', 'env_2', 'env_3']) note(id, false);
  expect(count()).toEqual({ tried: 4, failing: 1 });
});

it('a tenant is failing while more than half of its tries fail, and forgotten when it is tried no more', () => {
  let nowMs = 0;
  const { note, count } = countEnvironments(() => nowMs);
  note('env_1', true);
  note('env_1', false);
  expect(count()).toEqual({ tried: 1, failing: 0 });
  nowMs += FIVE_MINUTES_MS;
  note('env_1', true);
  expect(count()).toEqual({ tried: 1, failing: 1 });
  nowMs += 2 * FIVE_MINUTES_MS;
  expect(count()).toEqual({ tried: 0, failing: 0 });
});
