import { expect, test } from 'vitest';
import { createOnce } from './collections.ts';

test('a name is first once, until it is forgotten', () => {
  const once = createOnce(10);
  expect([once.isFirst('a'), once.isFirst('a'), once.isFirst('b')]).toEqual([true, false, true]);
  once.forget('a');
  expect([once.isFirst('a'), once.isFirst('b')]).toEqual([true, false]);
});

test('the oldest name makes room', () => {
  const once = createOnce(2);
  for (const name of ['a', 'b', 'c']) once.isFirst(name);
  expect([once.isFirst('c'), once.isFirst('b'), once.isFirst('a')]).toEqual([false, false, true]);
});
