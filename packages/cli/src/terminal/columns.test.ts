import { expect, it } from 'vitest';
import { columns, widthOf } from './columns.ts';
import { createStyle, plain, wantsColor } from './style.ts';

it('columns are aligned whatever colors and wide letters they hold', () => {
  const { green } = createStyle(true);
  const lines = columns([
    ['ID', 'STATE', 'NAME'],
    ['1', green('paid'), '剣'],
    ['10', 'rejected', 'sword'],
  ]).split('\n');
  expect(lines.map(line => widthOf(line.slice(0, line.lastIndexOf(' '))))).toEqual([13, 13, 13]);
});

it('nothing ends with spaces', () => {
  expect(
    columns([
      ['a', ''],
      ['bbb', 'c'],
    ]),
  ).toBe('a\nbbb  c');
});

it('text from elsewhere gives the terminal no commands (row 78)', () => {
  expect(plain('sword\u001B[2J\u0007\u202Etxt')).toBe('sword\\u001b[2J\\u0007\\u202etxt');
  expect(plain('two\r\n  lines\tand a tab')).toBe('two lines and a tab');
  expect(plain('família 👩‍👧 剣')).toBe('família 👩‍👧 剣');
});

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ TERM: 'dumb' }, true, false],
])('colors: %j on a terminal (%s) is %s', (env, isTerminal, wanted) => {
  expect(wantsColor({ env } as never, isTerminal)).toBe(wanted);
});
