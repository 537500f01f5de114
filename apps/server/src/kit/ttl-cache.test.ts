import { expect, test } from 'vitest';
import { createTtlCache } from './ttl-cache.ts';

function harness(answers: Map<string, string>, maxEntries = 100) {
  const questions: string[] = [];
  let nowMs = 1_000_000;
  let failure: Error | null = null;
  const get = createTtlCache<string>({
    load: async key => {
      questions.push(key);
      await Promise.resolve();
      if (failure) throw failure;
      return answers.get(key) ?? null;
    },
    clock: { nowMs: () => nowMs },
    freshMs: 5_000,
    absentMs: 1_000,
    maxEntries,
  });
  return {
    get,
    questions,
    advance: (ms: number) => {
      nowMs += ms;
    },
    failWith: (error: Error | null) => {
      failure = error;
    },
  };
}

test('a known answer comes without a promise and without a question', async () => {
  const { get, questions } = harness(new Map([['a', 'A']]));
  expect(await get('a')).toBe('A');
  expect(get('a')).toBe('A');
  expect(questions).toEqual(['a']);
});

test('callers who miss at the same time share one question', async () => {
  const { get, questions } = harness(new Map([['a', 'A']]));
  expect(await Promise.all(['a', 'a', 'a'].map(async key => get(key)))).toEqual(['A', 'A', 'A']);
  expect(questions).toEqual(['a']);
});

test('an answer is loaded again when it is too old', async () => {
  const answers = new Map([['a', 'A']]);
  const { get, questions, advance } = harness(answers);
  await get('a');
  answers.delete('a');
  advance(4_999);
  expect(get('a')).toBe('A');
  advance(1);
  expect(await get('a')).toBeNull();
  expect(get('a')).toBeNull();
  expect(questions).toEqual(['a', 'a']);
});

test('"there is none" is believed for a shorter time', async () => {
  const answers = new Map<string, string>();
  const { get, advance } = harness(answers);
  expect(await get('a')).toBeNull();
  answers.set('a', 'A');
  advance(999);
  expect(get('a')).toBeNull();
  advance(1);
  expect(await get('a')).toBe('A');
  expect(get('a')).toBe('A');
});

test('a clock that is set back does not keep an answer alive', async () => {
  const { get, questions, advance } = harness(new Map([['a', 'A']]));
  await get('a');
  advance(-60_000);
  await get('a');
  expect(questions).toHaveLength(2);
});

test('a failure reaches every caller and is not remembered', async () => {
  const { get, failWith } = harness(new Map([['a', 'A']]));
  failWith(new Error('away'));
  const both = await Promise.allSettled(['a', 'a'].map(async key => get(key)));
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  failWith(null);
  expect(await get('a')).toBe('A');
});

test('a flood of unknown keys pushes no known one out, and neither kind grows without end', async () => {
  const { get, questions } = harness(
    new Map([
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ]),
    2,
  );
  await get('a');
  for (let i = 0; i < 50; i++) await get(`unknown-${i}`);
  expect(get('a')).toBe('A');
  await get('b');
  await get('c');
  questions.length = 0;
  await get('a');
  await get('unknown-0');
  expect(questions).toEqual(['a', 'unknown-0']);
});
