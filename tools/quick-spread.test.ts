import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { withQuickSpreads } from './quick-spread.mjs';

const write = (code: string): string => withQuickSpreads('sample.js', code);

test.each([
  ['{ ...a, b: 1 }', '{ ...null, ...a, b: 1 }'],
  ['{ ...a, ...b }', '{ ...null, ...a, ...b }'],
  ['{ ...a, in: { ...b, c } }', '{ ...null, ...a, in: { ...null, ...b, c } }'],
  ['f("…", { ...a, b })', 'f("…", { ...null, ...a, b })'],
])('%s gets something in front of its spread', (from, to) => {
  expect(write(`x = ${from};`)).toBe(`x = ${to};`);
});

test.each(['{ ...a }', '{ b: 1, ...a }', '[...a, b]', 'f(...a, b)', '"{ ...a, b }"', '`{ ...a, b }`'])(
  '%s stays as it is',
  code => {
    expect(write(`x = ${code};`)).toBe(`x = ${code};`);
  },
);

test('what is taken apart stays as it is', () => {
  const code = 'const { a, ...rest } = b; function f({ ...c }) {}';
  expect(write(code)).toBe(code);
});

test('a literal means what it meant: later properties win, in the same order', () => {
  const code = '({ ...a, x: 2, ...(y && { z: 3 }), ...null, w: { ...a, v: 4 } })';
  const run = (text: string): unknown => runInNewContext(text, { a: { x: 1, u: 0 }, y: true });
  expect(JSON.stringify(run(write(code)))).toBe(JSON.stringify(run(code)));
  expect(write(code)).not.toBe(code);
});
