import { dirname } from 'node:path';
import { Visitor } from 'vite';
import { describe, expect, it } from 'vitest';
import { isBelow, isTest, lineAt, offenses, product, readSource, type Source, sources } from './sources.ts';
import { UNFINISHED } from './unfinished.ts';

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 70;
const MAX_FOLDER_FILES = 20;
const MIN_FILE_LINES = 15;

/** Short, and yet no part of a neighbor. */
const BOUNDARIES: { path: RegExp; because: string }[] = [
  { path: /\/main\.tsx?$/, because: 'a program starts there' },
  { path: /\.jobs\.ts$/, because: 'the names of durable jobs stand apart from what they do' },
  { path: /\.sql\.ts$/, because: 'SQL stands apart from rules' },
  { path: /\/kit\/[\w-]+\.tsx?$/, because: 'one tool, one file: it knows no neighbor' },
  { path: /^packages\/exam\/src\/index\.ts$/, because: 'what a package offers, and nothing else' },
  { path: /^packages\/sdk\/src\/version\.ts$/, because: 'each release writes it' },
  { path: /-error\.ts$/, because: 'both the thrower and the catcher import it' },
  { path: /\/(?:csv|step-index)\.ts$/, because: 'one pure rule that several screens or lists share' },
  { path: /^packages\/texts\/src\//, because: 'a list of languages, one line for each' },
  { path: /\/favicon\.ts$/, because: 'a picture' },
  { path: /\/db\/statement\.ts$/, because: 'what a file of statements needs, from one place' },
  { path: /\/web-crypto\.ts$/, because: 'a port to the platform' },
];

function longFunctions({ text, program }: Source): string[] {
  const found: string[] = [];
  const measure = ({ start, end }: { start: number; end: number }): void => {
    const first = lineAt(text, start);
    const length = lineAt(text, end) - first + 1;
    if (length > MAX_FUNCTION_LINES) found.push(`function of ${length} lines at line ${first}`);
  };
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(program);
  return found;
}

/** A translation is a row of a table that happens to be a file: a reader opens one, however many there are. */
const TABLES = ['packages/texts/src/players'];

function fullFolders(): { folder: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const { path } of sources) {
    if (!isTest(path)) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, files]) => files > MAX_FOLDER_FILES && !TABLES.includes(folder))
    .map(([folder, files]) => ({ folder, files }));
}

const lineCount = ({ lines }: Source): number => (lines.at(-1) === '' ? lines.length - 1 : lines.length);

const crumbs = product.filter(
  source => lineCount(source) < MIN_FILE_LINES && !BOUNDARIES.some(({ path }) => path.test(source.path)),
);

describe('a file', () => {
  it(`has at most ${MAX_FILE_LINES} lines`, () => {
    const tooLong = (source: Source): string[] =>
      lineCount(source) > MAX_FILE_LINES ? [`${lineCount(source)} lines`] : [];
    expect(offenses(tooLong, sources)).toEqual([]);
  });

  it(`has at least ${MIN_FILE_LINES} lines, unless it is a boundary`, () => {
    const wrong = crumbs.filter(({ path }) => !isBelow(path, UNFINISHED.crumbs));
    expect(wrong.map(source => `${source.path}: ${lineCount(source)} lines`)).toEqual([]);
    expect(UNFINISHED.crumbs.filter(folder => !crumbs.some(({ path }) => isBelow(path, [folder])))).toEqual([]);
  });

  it('is named in kebab-case and says what is in it', () => {
    const banned = /^(?:utils?|helpers?|common|misc|types|manager|service)\b/;
    const wrong = sources.filter(({ path }) => {
      const name = path.split('/').at(-1)!;
      return (
        banned.test(name) ||
        !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:sql|jobs|config))?(?:\.test)?\.(?:ts|tsx|mjs)$/.test(name)
      );
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

describe('a function', () => {
  it(`has at most ${MAX_FUNCTION_LINES} lines`, () => {
    expect(offenses(longFunctions)).toEqual([]);
  });

  it('is measured from its first line to its last, however it is written and whatever it returns', () => {
    const body = '  work();\n'.repeat(69);
    const written = [
      `function* a(\n  b: { c: 1 },\n): Iterable<{\n  d: 2;\n}> {\n${body}}`,
      `export const a =\n  (b: string) =>\n  async (c = {}): Promise<void> => {\n${body}};`,
      `class A {\n  static #b(): { c: 1 } {\n${body}  }\n}`,
      `const a = {\n  async *[b]() {\n${body}  },\n};`,
    ];
    for (const text of written) expect(longFunctions(readSource('a.ts', text)).length).toBeGreaterThan(0);
    expect(longFunctions(readSource('a.ts', `function a() {\n${body.slice(0, -10)}}\n`))).toEqual([]);
  });
});

describe('a folder', () => {
  it(`has at most ${MAX_FOLDER_FILES} files beside its tests`, () => {
    const full = fullFolders();
    const unfinished: readonly string[] = UNFINISHED.folderSizes;
    expect(full.filter(({ folder }) => !unfinished.includes(folder))).toEqual([]);
    expect(unfinished.filter(folder => !full.some(one => one.folder === folder))).toEqual([]);
  });
});
