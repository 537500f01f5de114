import { expect, it, test } from 'vitest';
import { semaphore, semaphores, singleFlight } from './concurrency.ts';

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

test('slots that become fewer are not given again, and slots that become more are', async () => {
  let slots = 3;
  const inTurn = semaphores(() => slots);
  const ends: (() => void)[] = [];
  const work = () => inTurn('a', () => new Promise<void>(resolve => ends.push(resolve)));
  const works = Array.from({ length: 8 }, work);
  const begun = async () => {
    await new Promise(setImmediate);
    return ends.length;
  };
  expect(await begun()).toBe(3);
  slots = 1;
  ends[0]!();
  ends[1]!();
  expect(await begun()).toBe(3);
  ends[2]!();
  expect(await begun()).toBe(4);
  slots = 3;
  ends[3]!();
  expect(await begun()).toBe(7);
  for (const end of ends) end();
  expect(await begun()).toBe(8);
  ends[7]!();
  await Promise.all(works);
});

test('who waited for slots that were none goes on before the next one who asks, also where nothing woke it', async () => {
  let slots = 0;
  const begun: string[] = [];
  const inTurn = semaphore(() => slots);
  const first = inTurn(async () => begun.push('first'));
  await new Promise(setImmediate);
  expect(begun).toEqual([]);
  slots = 1;
  await Promise.all([first, inTurn(async () => begun.push('second'))]);
  expect(begun).toEqual(['first', 'second']);
});

test('each key has slots of its own', async () => {
  const inTurn = semaphores(() => 1);
  const never = inTurn('a', () => new Promise<void>(() => {}));
  expect(await Promise.race([inTurn('b', async () => 'went'), never])).toBe('went');
});
