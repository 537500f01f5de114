import { csvCell, csvLine } from '@coinslot/contract/csv-cell';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

describe('a cell', () => {
  it.each([
    ['=1+1', `'=1+1`],
    ['+49123', `'+49123`],
    ['-5', `'-5`],
    ['@SUM(A1)', `'@SUM(A1)`],
    ['\t=1', `'\t=1`],
    ['=HYPERLINK("http://evil","x")', `"'=HYPERLINK(""http://evil"",""x"")"`],
    ['\r\n=cmd', `"'\r\n=cmd"`],
    ['＝1+1', `'＝1+1`],
    ['＋cmd', `'＋cmd`],
    ['－cmd', `'－cmd`],
    ['＠SUM(A1)', `'＠SUM(A1)`],
    ['﹦1', `'﹦1`],
    ['\u200b=1', `'\u200b=1`],
    ['\u3000＝1', `'\u3000＝1`],
    ['  =1', `'  =1`],
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['', ''],
  ])('%j becomes %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('never begins as a formula, whatever a player is called', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const cell = csvCell(text).replace(/^"/, '');
        expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
    );
  });

  it('is empty for what is not there, and a number stays one', () => {
    expect(csvLine([null, 5, -5, 'x'])).toBe(',5,-5,x\r\n');
  });
});
