import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, ROOT } from './tidy/sources.ts';

const TABLE = 'docs/faults.md';
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Faults that no test covers yet. A row leaves this list when its test is written; a new row may join it. */
const OPEN: number[] = [];

interface Row {
  number: number;
  cells: string[];
  test: string;
  files: string[];
}

const rows: Row[] = read(TABLE)
  .split('\n')
  .filter(line => /^\| \d+ \|/.test(line))
  .map(line => {
    const cells = line.split(' | ').map(cell => cell.replace(/^\| | \|$/g, ''));
    const test = cells[4] ?? '';
    const files = [...test.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file = '']) => file);
    return { number: Number(cells[0]), cells, test, files };
  });

/** The one form: "(row 26)" or "(rows 31, 84)". */
const citedIn = (text: string): number[] =>
  [...text.matchAll(/\((?:row (\d+)|rows (\d+(?:, \d+)+))\)/g)].flatMap(([, one, several]) =>
    (one ?? several ?? '').split(', ').map(Number),
  );

const tests = ['apps', 'packages', 'e2e', 'tools', 'bench', 'examples']
  .flatMap(folder => listFiles(folder, /\.test\.tsx?$/))
  .filter(path => path !== 'tools/faults.test.ts');
const citations = new Map(tests.map(path => [path, new Set(citedIn(read(path)))]));
const rowOf = (number: number): Row | undefined => rows.find(row => row.number === number);
const isOpen = ({ test }: Row): boolean => /^open(?:: .+)?$/.test(test);

describe('the table of faults', () => {
  it('numbers its rows upward, each once, and fills every cell', () => {
    const numbers = rows.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    expect(rows.filter(({ cells }) => cells.length !== 5 || cells.some(cell => cell.trim() === ''))).toEqual([]);
    expect(rows.length).toBeGreaterThanOrEqual(115);
  });

  it('ends each row with tests, with why it cannot happen, or with the word open', () => {
    const endings = ({ test, files }: Row): number =>
      [files.length > 0, /^Cannot happen: .{20}/.test(test), /^open(?:: .+)?$/.test(test)].filter(Boolean).length;
    expect(rows.filter(row => endings(row) !== 1).map(({ number, test }) => `row ${number}: ${test}`)).toEqual([]);
  });

  it('links only files that exist and cite the row', () => {
    const wrong = rows.flatMap(({ number, files }) =>
      files
        .filter(file => !existsSync(join(ROOT, file)) || !citations.get(file)?.has(number))
        .map(
          file =>
            `row ${number} links ${file}, ${existsSync(join(ROOT, file)) ? 'which does not cite it' : 'a missing file'}`,
        ),
    );
    expect(wrong).toEqual([]);
  });

  it('says how many rows are open, and which ones is no secret', () => {
    const open = rows.filter(isOpen).map(({ number }) => number);
    const newlyOpen = open.filter(number => !OPEN.includes(number));
    const closed = OPEN.filter(number => !open.includes(number));
    expect({ newlyOpen, closedButListed: closed }).toEqual({ newlyOpen: [], closedButListed: [] });
    expect(read(TABLE)).toContain(`${open.length} of the rows are open.`);
  });
});

describe('a test', () => {
  it('cites rows that exist and link it', () => {
    const wrong = [...citations].flatMap(([path, numbers]) =>
      [...numbers]
        .filter(number => !rowOf(number)?.files.includes(path))
        .map(number => `${path} cites row ${number}, which ${rowOf(number) ? `does not link it` : 'does not exist'}`),
    );
    expect(wrong).toEqual([]);
  });

  it('cites in one form', () => {
    const wrong = tests.flatMap(path => {
      const rest = read(path).replace(/\((?:row \d+|rows \d+(?:, \d+)+)\)/g, '');
      return [...rest.matchAll(/\brows? #?\d+.*|\b(?:fault list|fault table)\b.*|(?:it|test)\('\d+: .*/gi)].map(
        ([text]) => `${path}: ${text}`,
      );
    });
    expect(wrong).toEqual([]);
  });

  it('is read in that form and in no other', () => {
    expect(citedIn("it('a (row 2)'); it('b (rows 3, 14)'); it('c (row 5, 6)'); it('row 7'); // (rows 8)")).toEqual([
      2, 3, 14,
    ]);
  });
});
