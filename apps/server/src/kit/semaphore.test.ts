import { expect, test } from 'vitest';
import { semaphore } from './semaphore.ts';

test('no more than allowed run at once, in the order they came, also when some fail', async () => {
  const inTurn = semaphore(2);
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const works = Array.from({ length: 9 }, (_, i) =>
    inTurn(async () => {
      begun.push(i);
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      if (i % 3 === 0) throw new Error(String(i));
      return i;
    }),
  );
  const settled = await Promise.allSettled(works);
  expect(most).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(3);
});
