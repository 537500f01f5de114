// `npm run lab -- mutants`: how many mistakes in the money code the lab finds.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startTestServer } from '@coinslot/testing/global-setup';
import { openBundler, ROOT } from './bundle.ts';
import { MUTANTS, type Mutant } from './list.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    only: { type: 'string' },
    /** The program as it is: it must live. */
    none: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
  },
});

const tell = (text: string): void => void process.stdout.write(`${text}\n`);
/** A mutant whose lab does not come back is stopped: it had the time that it was given, and what a start takes. */
const GRACE_MS = 90_000;

interface Result {
  isKilled: boolean;
  rule: string | null;
  what: string | null;
  histories: number;
  ends: Record<string, number>;
  all?: unknown[];
}

function play(file: string, serverUrl: string): Promise<Result | string> {
  const child = spawn(process.execPath, [file], {
    cwd: ROOT,
    env: {
      ...process.env,
      LAB_SERVER_URL: serverUrl,
      LAB_SECONDS: values.seconds,
      ...(values.all && { LAB_TELLS_ALL: 'yes' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', chunk => {
    output += String(chunk);
  });
  child.stderr.on('data', chunk => {
    errors += String(chunk);
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), Number(values.seconds) * 1000 + GRACE_MS);
  return new Promise(resolve => {
    child.once('exit', () => {
      clearTimeout(limit);
      const line = output.split('\n').findLast(text => text.startsWith('{'));
      resolve(line ? (JSON.parse(line) as Result) : `it did not come to an end: ${errors.slice(-600)}`);
    });
  });
}

const wanted: (Mutant | null)[] = values.none
  ? [null]
  : MUTANTS.filter(({ name }) => values.only === undefined || name.includes(values.only));
const server = await startTestServer();
const bundler = await openBundler();
const living: string[] = [];
try {
  for (const mutant of wanted) {
    const name = mutant?.name ?? 'the program as it is';
    const started = Date.now();
    const file = await bundler.bundle(mutant);
    const result = await play(file, server.url);
    const seconds = Math.round((Date.now() - started) / 1000);
    // A program that no longer runs at all is found by everyone.
    const isKilled = typeof result === 'string' || result.isKilled;
    if (!isKilled) living.push(name);
    const how =
      typeof result === 'string'
        ? result
        : result.isKilled
          ? `${result.rule}: ${result.what}`
          : JSON.stringify(result.ends);
    tell(`${isKilled ? 'killed' : 'LIVES '} "${name}" in ${seconds} s: ${how}`);
    if (typeof result !== 'string') for (const one of result.all ?? []) tell(`    ${JSON.stringify(one)}`);
  }
  tell(`${wanted.length - living.length} of ${wanted.length} killed`);
  if (living.length > 0 && !values.none) tell(`alive: ${living.join('; ')}`);
} finally {
  await bundler.close();
  await server.stop();
}
