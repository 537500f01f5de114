import { expect, it } from 'vitest';
import { columns, widthOf } from './columns.ts';
import { createStyle, plain, wantsColour } from './style.ts';

it('columns are aligned whatever colours and wide letters they hold', () => {
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
  expect(plain('família 👩‍👧 剣')).toBe('família 👩‍👧 剣');
});

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ TERM: 'dumb' }, true, false],
])('colours: %j on a terminal (%s) is %s', (env, isTerminal, wanted) => {
  expect(wantsColour({ env } as never, isTerminal)).toBe(wanted);
});
