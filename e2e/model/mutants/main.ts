// `npm run lab -- mutants`: how many mistakes in the money code the lab finds.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startTestServer } from '@coinslot/testing/global-setup';
import { openBundler, ROOT } from './bundle.ts';
import { MUTANTS, type Mutant } from './list.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    /** A part of a name; may be given several times. */
    only: { type: 'string', multiple: true },
    /** The program as it is: it must live. */
    none: { type: 'boolean', default: false },
  },
});

const print = (text: string): void => void process.stdout.write(`${text}\n`);
/** A mutant whose lab does not come back is stopped: it had the time that it was given, and what a start takes. */
const GRACE_MS = 120_000;

interface Result {
  isKilled: boolean;
  rule: string | null;
  what: string | null;
  histories: number;
  ends: Record<string, number>;
}

/** The lab said nothing: it had no time left, or the program no longer runs at all. */
interface Silence {
  isOutOfTime: boolean;
  errors: string;
}

function play(file: string, serverUrl: string, topic: string | undefined): Promise<Result | Silence> {
  const child = spawn(process.execPath, [file], {
    cwd: ROOT,
    env: {
      ...process.env,
      LAB_SERVER_URL: serverUrl,
      LAB_SECONDS: values.seconds,
      ...(topic && { LAB_TOPIC: topic }),
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
    child.once('exit', (_, signal) => {
      clearTimeout(limit);
      const line = output.split('\n').findLast(text => text.startsWith('{"isKilled"'));
      resolve(line ? (JSON.parse(line) as Result) : { isOutOfTime: signal !== null, errors: errors.slice(-600) });
    });
  });
}

function textOf(result: Result | Silence): string {
  if (!('isKilled' in result)) return result.isOutOfTime ? 'it was out of time' : result.errors;
  const { isKilled, rule, what, histories, ends } = result;
  return isKilled
    ? `${rule}: ${what}, after ${histories} histories`
    : `${histories} histories, ${JSON.stringify(ends)}`;
}

const wanted: (Mutant | null)[] = values.none
  ? [null]
  : MUTANTS.filter(({ name }) => !values.only || values.only.some(part => name.includes(part)));
const server = await startTestServer();
const bundler = await openBundler();
const living: string[] = [];
try {
  for (const mutant of wanted) {
    const name = mutant?.name ?? 'the program as it is';
    const started = Date.now();
    const file = await bundler.bundle(mutant);
    const result = await play(file, server.url, mutant?.topic);
    const seconds = Math.round((Date.now() - started) / 1000);
    // A program that does not even start is found by everyone; a lab that was too slow has found nothing.
    const isKilled = 'isKilled' in result ? result.isKilled : !result.isOutOfTime;
    const { test } = mutant ?? {};
    if (!isKilled) living.push(test ? `${name} (for ${test.file}: "${test.title}")` : name);
    print(`${isKilled ? 'killed' : 'LIVES '} "${name}" in ${seconds} s: ${textOf(result)}`);
  }
  print(`${wanted.length - living.length} of ${wanted.length} killed`);
  if (living.length > 0 && !values.none) print(`alive: ${living.join('; ')}`);
} finally {
  await bundler.close();
  await server.stop();
}
