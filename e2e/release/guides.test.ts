import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { freePort } from '../free-port.ts';
import { type Coinslot, startCoinslot } from '../start-coinslot.ts';
import { startReaderShell } from './reader-shell.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDES = join(ROOT, 'docs/guides');
const PROGRAM = join(ROOT, 'apps/server/dist/main.js');

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
  from: string;
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

const marker = (file: string, at: number): string => `@@ ${file} block ${at}`;

/** What is typed and printed differently in this test than on a reader's machine. */
interface Machine {
  /** Ports, addresses and accounts, in what is typed and in what is printed. */
  move(text: string): string;
  /** How commands are started; what they print stays. */
  run(text: string): string;
}

interface Script {
  steps: string[];
  expected: Expectation[];
}

/** A guide as one script: a reader types one block after the other into the same shell. */
function scriptOf(file: string, { move, run }: Machine): Script {
  const steps: string[] = [];
  const expected: Expectation[] = [];
  let last = 0;
  let before = 0;
  for (const [at, { language, notes, code }] of blocksOf(file).entries()) {
    const saved = notes.find(note => note.startsWith('file='))?.slice('file='.length);
    if (saved) steps.push(`cat > ${saved} <<'END_OF_FILE'\n${move(code)}END_OF_FILE`);
    if (language === 'text') {
      expected.push({ from: marker(file, before), lines: move(code).trim().split('\n').map(lineOf) });
    } else if (language === 'sh' && !notes.includes('server')) {
      before = last;
      last = at;
      steps.push(`echo '${marker(file, at)}'`, run(move(code)), 'echo');
    }
  }
  // Returns only if the guide ended all that it started.
  return { steps: [...steps, 'wait'], expected };
}

/** A whole chain on a busy machine; nothing waits that long when all is well. */
const LONGEST_MS = 900_000;
const waiting = { timeout: LONGEST_MS - 20_000, interval: 50 };

describe('every command of the guides works as it is written', () => {
  let coinslot: Coinslot;
  const folders: string[] = [];

  beforeAll(async () => {
    // As on a reader's machine, the master key lies with the data.
    coinslot = await startCoinslot({ MASTER_KEY: undefined }, 'embedded');
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

  /** What stands on a reader's machine already, elsewhere than in this test. */
  async function mover(account: string): Promise<(text: string) => string> {
    const ports = new Map<string, number>();
    for (const port of ['4300', '4250', '9464', '9465']) ports.set(port, await freePort());
    // All at once: a free port may hold the digits of another one.
    const known = new RegExp(`\\b(?:${[...ports.keys()].join('|')})\\b`, 'g');
    return text =>
      text
        .replaceAll(known, port => String(ports.get(port)))
        .replaceAll('http://localhost:4242', coinslot.url)
        .replaceAll('you@studio.example', `${account}@studio.example`)
        .replaceAll('apps/server/dist/main.js', PROGRAM);
  }

  const withNpm = (text: string): string => text.replaceAll(/\bnpm (?=run|start)/g, `npm --prefix ${ROOT} `);

  /** What `npm run` starts, without npm: the first guide is run with it, and it costs a second each time. */
  const withoutNpm = (text: string): string =>
    text
      .replaceAll(/npm run --silent coinslot --/g, `node ${join(ROOT, 'packages/cli/dist/main.js')}`)
      .replaceAll(/npm run (?:--silent )?(\w+)(?: --)?/g, `node ${PROGRAM} $1`)
      .replaceAll(/npm start/g, `node ${PROGRAM}`);

  async function follow(scripts: Script[], { expect: check }: TestContext): Promise<void> {
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, HOST: '127.0.0.1', ...coinslot.env };
    const script = ['set -e', ...scripts.flatMap(({ steps }) => steps), "echo '@@ end'"].join('\n');
    const shell = startReaderShell(script, env, await readersFolder());
    try {
      await check.poll(shell.output, waiting).toMatch(/^@@ (?:end|over)/m);
      check(shell.output()).toContain('@@ end');
      for (const { from, lines } of scripts.flatMap(({ expected }) => expected)) {
        const printed = shell.output().slice(Math.max(0, shell.output().indexOf(from)));
        for (const line of lines) check(printed).toMatch(line);
      }
    } finally {
      await shell.end();
    }
  }

  it.concurrent.for(guides)('%s alone', { timeout: LONGEST_MS }, async (file, context) => {
    const move = await mover(`reader-of-${file.replace('.md', '')}`);
    const run = file === 'first-order.md' ? withNpm : withoutNpm;
    await follow([scriptOf(file, { move, run })], context);
  });

  describe('one after the other, with one account and one machine', () => {
    let machine: Machine;

    beforeAll(async () => {
      machine = { move: await mover('you'), run: withoutNpm };
    });

    it('in the order of the list, in one shell', { timeout: LONGEST_MS }, async context => {
      await follow(
        guides.map(file => scriptOf(file, machine)),
        context,
      );
    });

    it('in another order, on the next day', { timeout: LONGEST_MS }, async context => {
      await coinslot.query('update webhook_subscriptions set previous_secret_until = now()');
      await coinslot.query('delete from idempotency_keys');
      await follow(
        guides
          .filter(file => blocksOf(file).some(({ code }) => code.includes(' setup ')))
          .toReversed()
          .map(file => scriptOf(file, machine)),
        context,
      );
    });
  });
});

describe('every other piece of code in the guides', () => {
  const pieces = guides.flatMap(file => blocksOf(file).map((block, at) => ({ ...block, name: `${file} ${at}` })));
  const of = (...languages: string[]) => pieces.filter(({ language }) => languages.includes(language));

  it.each(of('js', 'json').map(piece => [piece.name, piece] as const))('%s can be parsed', async (_name, piece) => {
    await transform(piece.code, { loader: piece.language as 'js' | 'json' });
  });

  it.each(
    of('csharp', 'cpp', 'swift', 'kotlin', 'java', 'lua', 'gml', 'sql').map(piece => [piece.name, piece] as const),
  )('%s closes what it opens', (_name, { code }) => {
    for (const [open, close] of [
      ['(', ')'],
      ['{', '}'],
      ['[', ']'],
    ] as const) {
      expect(code.split(open).length, open).toBe(code.split(close).length);
    }
  });

  it('is of a kind that is known here, so that nothing goes unchecked by a typing error', () => {
    // `console` and `ini` are shown only: they need machines that a test has not.
    const shown = ['console', 'ini'];
    const known = [
      'sh',
      'text',
      'js',
      'json',
      'csv',
      'csharp',
      'cpp',
      'swift',
      'kotlin',
      'xml',
      'yaml',
      'python',
      'go',
      'java',
      'lua',
      'gml',
      'sql',
      ...shown,
    ];
    // The test of that guide compiles its listings and runs the provider that they make.
    const isCompiled = ({ language, name }: { language: string; name: string }): boolean =>
      language === 'ts' && name.includes('write-a-provider.md');
    const unknown = pieces.filter(piece => !known.includes(piece.language) && !isCompiled(piece));
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });

  it('is pasted without leaving anything to the next guide, and without a loop that may never end', () => {
    const endless = of('sh').filter(({ code }) => /^\s*(?:export|until|while)\b/m.test(code));
    expect(endless.map(({ name }) => name)).toEqual([]);
  });

  it('starts Coinslot as the README does', () => {
    expect(pieces.filter(({ notes }) => notes.includes('server')).map(({ code }) => code)).toEqual(['npm start\n']);
  });
});
