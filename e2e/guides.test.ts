import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './free-port.ts';
import { startReaderShell } from './reader-shell.ts';
import { type Coinslot, startCoinslot } from './start-coinslot.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const GUIDES = join(ROOT, 'docs/guides');

interface Block {
  language: string;
  notes: string[];
  code: string;
}

const read = (file: string): string => readFileSync(join(GUIDES, file), 'utf8');

/** Code blocks in order, without the indentation of a list they stand in. */
function blocksOf(file: string): Block[] {
  return [...read(file).matchAll(/^( *)```(\w+)([^\n]*)\n(.*?)^ *```$/gms)].map(
    ([, indent = '', language = '', notes = '', code = '']) => ({
      language,
      notes: notes.trim().split(' '),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

const guides = [...read('README.md').matchAll(/\]\(([\w-]+\.md)\)/g)]
  .map(([, file = '']) => file)
  .filter(file => existsSync(join(GUIDES, file)));

/** What a block prints, line by line; `…` stands for anything. */
interface Expectation {
  /** What runs in the background may have been faster than the block, so its predecessor counts too. */
  from: number;
  lines: RegExp[];
}

const lineOf = (line: string): RegExp =>
  new RegExp(
    `^${line
      .split('…')
      .map(part => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      .join('.*')}$`,
    'm',
  );

const marker = (at: number): string => `@@ block ${at}`;

/** A guide as one script: a reader types one block after the other into the same shell. */
function scriptOf(blocks: Block[], move: (text: string) => string): { script: string; expected: Expectation[] } {
  const steps: string[] = ['set -e'];
  const expected: Expectation[] = [];
  let last = 0;
  let before = 0;
  for (const [at, { language, notes, code }] of blocks.entries()) {
    const file = notes.find(note => note.startsWith('file='))?.slice('file='.length);
    if (file) steps.push(`cat > ${file} <<'END_OF_FILE'\n${move(code)}END_OF_FILE`);
    if (language === 'text') {
      expected.push({ from: before, lines: move(code).trim().split('\n').map(lineOf) });
    } else if (language === 'sh' && !notes.includes('server')) {
      before = last;
      last = at;
      steps.push(`echo '${marker(at)}'`, move(code), 'echo');
    }
  }
  return { script: [...steps, "echo '@@ end'", 'wait'].join('\n'), expected };
}

const waiting = { timeout: 150_000, interval: 50 };

describe('every command of the guides works as it is written', () => {
  let coinslot: Coinslot;
  const folders: string[] = [];

  beforeAll(async () => {
    coinslot = await startCoinslot();
  });

  afterAll(async () => {
    await coinslot?.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });

  /** The folder a reader works in: empty, but with the SDK installed. */
  async function readersFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'coinslot-guide-'));
    folders.push(folder);
    await mkdir(join(folder, 'node_modules/@coinslot'), { recursive: true });
    await symlink(join(ROOT, 'packages/sdk'), join(folder, 'node_modules/@coinslot/sdk'));
    return folder;
  }

  async function envOf(file: string, folder: string): Promise<NodeJS.ProcessEnv> {
    const { PATH, HOME } = process.env;
    // This one is about processes and databases of its own.
    if (file === 'production.md') return { PATH, HOME, DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1' };
    const account = await coinslot.setup(`reader-of-${file.replace('.md', '')}@studio.example`);
    return { PATH, HOME, ...coinslot.env, S2S_KEY: account.sandbox.s2s_key };
  }

  async function mover(): Promise<(text: string) => string> {
    const ports = new Map<string, number>();
    for (const port of ['4300', '4250', '9464', '9465']) ports.set(port, await freePort());
    // All at once: a free port may hold the digits of another one.
    const known = new RegExp(`\\b(?:${[...ports.keys()].join('|')})\\b`, 'g');
    return text =>
      text
        .replaceAll(known, port => String(ports.get(port)))
        .replaceAll('http://localhost:4242', coinslot.url)
        .replaceAll(/\bnpm (?=run|start)/g, `npm --prefix ${ROOT} `)
        .replaceAll('apps/server/dist/main.js', join(ROOT, 'apps/server/dist/main.js'));
  }

  it.concurrent.for(guides)('%s', async (file, context) => {
    const folder = await readersFolder();
    const { script, expected } = scriptOf(blocksOf(file), await mover());
    const shell = startReaderShell(script, await envOf(file, folder), folder);
    try {
      await context.expect.poll(shell.output, waiting).toMatch(/^@@ (?:end|over)/m);
      context.expect(shell.output()).toContain('@@ end');
      for (const { from, lines } of expected) {
        // What runs in the background may also print a moment later.
        const printed = (): string => shell.output().slice(Math.max(0, shell.output().indexOf(marker(from))));
        for (const line of lines) await context.expect.poll(printed, { ...waiting, timeout: 10_000 }).toMatch(line);
      }
    } finally {
      await shell.end();
    }
  });
});

describe('every other piece of code in the guides', () => {
  const pieces = guides.flatMap(file => blocksOf(file).map((block, at) => ({ ...block, name: `${file} ${at}` })));
  const of = (...languages: string[]) => pieces.filter(({ language }) => languages.includes(language));

  it.each(of('js', 'json').map(piece => [piece.name, piece] as const))('%s can be parsed', async (_name, piece) => {
    await transform(piece.code, { loader: piece.language as 'js' | 'json' });
  });

  it.each(of('csharp', 'cpp', 'swift', 'kotlin').map(piece => [piece.name, piece] as const))(
    '%s closes what it opens',
    (_name, { code }) => {
      for (const [open, close] of [
        ['(', ')'],
        ['{', '}'],
        ['[', ']'],
      ] as const) {
        expect(code.split(open).length, open).toBe(code.split(close).length);
      }
    },
  );

  it('is of a kind that is known here, so that nothing goes unchecked by a typing error', () => {
    // `console` and `ini` are shown only: they need machines that a test has not.
    const shown = ['console', 'ini'];
    const known = ['sh', 'text', 'js', 'json', 'csv', 'csharp', 'cpp', 'swift', 'kotlin', 'xml', 'yaml', ...shown];
    expect(pieces.filter(({ language }) => !known.includes(language)).map(({ name }) => name)).toEqual([]);
  });

  it('starts Coinslot as the README does', () => {
    expect(pieces.filter(({ notes }) => notes.includes('server')).map(({ code }) => code)).toEqual(['npm start\n']);
  });
});
