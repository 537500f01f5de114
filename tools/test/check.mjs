// `npm test`: everything that must hold, but for packages, documents and the long sweeps, which are `npm run test:release`.
// With names of files or options of vitest it runs only those tests: `npm test -- FILE`, `npm test -- --changed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { minutes, summaryOf } from './summary.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const REPORTS = mkdtempSync(join(tmpdir(), 'coinslot-report-'));
const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
const SLOWEST = 10;
// More than these is no unsteady test.
const UNSTEADY_FILES_AT_MOST = 6;

/** Both checkers of types are written in Go. Freeing memory a quarter as often, they take an eighth less of a processor, for up to 400 MB more. */
const GO = { GOGC: '400' };
/**
 * Run beside the tests, one after the other, each on one processor: the tests fill the others, and checkers side by side
 * look at the same types again, for half as much work more.
 */
const CHECKS = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  {
    name: 'lint with types',
    command: 'oxlint',
    args: ['--type-aware', '--deny-warnings'],
    env: { ...GO, GOMAXPROCS: '1' },
  },
  { name: 'types', command: 'tsc', args: ['-p', 'tsconfig.check.json', '--singleThreaded'], env: GO },
  { name: 'advisories', command: 'tsx', args: ['tools/advisories/main.ts'] },
];

const secondsSince = startedMs => (performance.now() - startedMs) / 1000;

function start(command, args, stdio, env = {}) {
  const options = { cwd: ROOT, env: { ...process.env, PATH, ...env }, stdio, shell: process.platform === 'win32' };
  return spawn(command, args, options);
}

const ended = child =>
  new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) => done(code ?? `signal ${signal}`));
  });

/** What it prints is kept and printed whole, so that it does not stand between the lines of the tests. */
async function runCheck({ name, command, args, env }) {
  const startedMs = performance.now();
  const child = start(command, args, ['ignore', 'pipe', 'pipe'], env);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      printed += chunk;
    });
  }
  const code = await ended(child);
  const outcome = code === 0 ? 'ok' : `FAILED (${code})`;
  return {
    name,
    isOk: code === 0,
    text: `\n── ${name}: ${outcome}, ${secondsSince(startedMs).toFixed(1)} s\n${printed}`,
  };
}

async function runChecks() {
  const results = [];
  for (const check of CHECKS) {
    const result = await runCheck(check);
    results.push(result);
    // A terminal shows the tests in lines that move; there it is told at the end.
    if (!process.stdout.isTTY) process.stdout.write(result.text);
  }
  return results;
}

async function runTests(args, name = 'report', env = {}) {
  const file = join(REPORTS, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=./tools/test/run-report.ts'];
  const child = start('vitest', ['run', ...args, ...reporters], 'inherit', { ...env, RUN_REPORT: file });
  const code = await ended(child);
  try {
    return { code, ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch (error) {
    // A run that died left no report; its exit code tells.
    if (error.code !== 'ENOENT') throw error;
    return { code: code || 1, files: [], unhandled: 0 };
  }
}

/** Files in which few tests failed are run once more, alone: what holds then is unsteady, and named at the end. */
async function tryAlone(run) {
  const broken = run.files.filter(({ failed }) => failed.length > 0);
  if (broken.length === 0 || broken.length > UNSTEADY_FILES_AT_MOST || run.unhandled > 0) return run;
  const paths = broken.map(({ file }) => file);
  console.log(`\n── once more, alone: ${paths.join(', ')}`);
  const projects = new Set(broken.map(({ project }) => `--project=${project}`));
  const again = await runTests([...projects, ...paths], 'alone', { TEST_WORKERS: '1' });
  const files = run.files.map(before => {
    const after = again.files.find(({ file }) => file === before.file);
    if (!after) return before;
    const held = before.failed.filter(({ name }) => !after.failed.some(one => one.name === name));
    return { ...after, seconds: before.seconds, unsteady: [...before.unsteady, ...after.unsteady, ...held] };
  });
  return { ...again, files };
}

function printSlowest(files) {
  console.log(`\nThe slowest of ${files.length} files:`);
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}

function ask(argv) {
  const isRelease = argv[0] === '--release';
  const given = isRelease ? argv.slice(1) : argv;
  const projects = [`--project=${isRelease ? 'release' : 'daily'}`];
  // A file says by itself which project it belongs to.
  const args = given.length > 0 && !isRelease ? given : [...projects, ...given];
  return { name: isRelease ? 'npm run test:release' : 'npm test', args, isWhole: given.length === 0, isRelease };
}

const { name, args, isWhole, isRelease } = ask(process.argv.slice(2));
const startedMs = performance.now();
const [tests, checks] = await Promise.all([runTests(args), isWhole && !isRelease ? runChecks() : []]);
const run = isWhole ? await tryAlone(tests) : tests;
if (process.stdout.isTTY) for (const { text } of checks) process.stdout.write(text);
printSlowest(run.files);
const broken = checks.filter(({ isOk }) => !isOk).map(check => check.name);
if (run.code !== 0) broken.push('tests');
const summary = summaryOf({ name, files: run.files, broken, seconds: secondsSince(startedMs) });
rmSync(REPORTS, { recursive: true, force: true });
if (process.env.TEST_SUMMARY) writeFileSync(process.env.TEST_SUMMARY, JSON.stringify(summary));
console.log(
  broken.length > 0 ? `\nBroken: ${broken.join(', ')}` : `\nEverything holds, after ${minutes(summary.seconds)}.`,
);
for (const line of summary.lines) console.log(line);
process.exitCode = broken.length > 0 ? 1 : 0;
