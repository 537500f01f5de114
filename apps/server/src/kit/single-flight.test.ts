import { expect, it } from 'vitest';
import { singleFlight } from './single-flight.ts';

it('asks once for those who ask together, and again for those who come later', async () => {
  let asked = 0;
  const ask = singleFlight(async (...key: string[]) => `${key.join('/')} ${++asked}`);
  expect(await Promise.all([ask('a', 'b'), ask('a', 'b'), ask('c')])).toEqual(['a/b 1', 'a/b 1', 'c 2']);
  expect(await ask('a', 'b')).toBe('a/b 3');
});

it('forgets a failed question', async () => {
  let asked = 0;
  const ask = singleFlight(async (_key: string) => {
    if (++asked === 1) throw new Error('no');
    return 'yes';
  });
  await expect(Promise.all([ask('a'), ask('a')])).rejects.toThrow('no');
  expect(await ask('a')).toBe('yes');
});
