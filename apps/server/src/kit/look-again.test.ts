import { expect, test } from 'vitest';
import { beginWait, lookAgainMs } from './look-again.ts';

test('few waits look every second, and thousands no more than 200 times in a second together (row 278)', () => {
  expect(lookAgainMs()).toBe(1_000);
  const ends = Array.from({ length: 3_000 }, beginWait);
  expect((3_000 / lookAgainMs()) * 1000).toBe(200);
  for (const end of ends) {
    end();
    end();
  }
  expect(lookAgainMs()).toBe(1_000);
});
