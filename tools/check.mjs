// `npm test`: everything that must hold, in the order in which a mistake is cheapest to find.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const REPORTS = mkdtempSync(join(tmpdir(), 'coinslot-report-'));
const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;

const reportOf = project => join(REPORTS, `${project}.json`);
const runOf = (project, more = [], report = project) => [
  'run',
  `--project=${project}`,
  ...more,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportOf(report)}`,
];

// What fails there once is tried once more, because a browser on a busy machine may be late; it is named at the end.
const END_TO_END = ['--retry=1', '--reporter=./tools/second-tries.ts'];

// More than these is no unsteady test.
const UNSTEADY_FILES_AT_MOST = 3;

const STEPS = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'lint with types', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: 'tsc', args: ['-p', 'tsconfig.check.json'] },
  { name: 'advisories', command: 'tsx', args: ['tools/advisories/main.ts'] },
  { name: 'tests', command: 'vitest', args: runOf('server'), project: 'server' },
  { name: 'end-to-end tests', command: 'vitest', args: runOf('e2e', END_TO_END), project: 'e2e' },
];

function run(command, args) {
  return new Promise((done, failed) => {
    const env = { ...process.env, PATH };
    const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit', shell: process.platform === 'win32' });
    child.once('error', failed);
    child.once('exit', (code, signal) => done(code ?? `signal ${signal}`));
  });
}

function readReport(project) {
  try {
    return JSON.parse(readFileSync(reportOf(project), 'utf8'));
  } catch (error) {
    // A step that was not reached, or that died, has no report; the exit code tells about the second.
    if (error.code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

const testsOf = (report, status) =>
  report.testResults.flatMap(file => file.assertionResults.filter(test => test.status === status));

const unsteady = [];

/** Files in which few tests failed are run once more, alone: what holds then is named at the end, as a bug of its own. */
async function holdsAlone(project) {
  const report = readReport(project);
  const files = report?.testResults.filter(file => file.status === 'failed') ?? [];
  if (files.length === 0 || files.length > UNSTEADY_FILES_AT_MOST) return false;
  const paths = files.map(file => relative(ROOT, file.name));
  console.log(`\n── once more, alone: ${paths.join(', ')}`);
  const again = `${project}-again`;
  const code = await run('vitest', runOf(project, ['--maxWorkers=1', ...paths], again));
  if (code !== 0) return false;
  for (const { name, assertionResults } of files) {
    const failed = assertionResults.filter(test => test.status === 'failed').map(test => test.fullName);
    unsteady.push(`${relative(ROOT, name)} > ${failed.join(' and ') || 'its set-up'}`);
  }
  const others = report.testResults.filter(file => !files.includes(file));
  const testResults = [...others, ...readReport(again).testResults];
  writeFileSync(reportOf(project), JSON.stringify({ testResults }));
  return true;
}

function totals() {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const report of ['server', 'e2e'].map(readReport).filter(Boolean)) {
    // A file that does not load has no tests to count.
    const unloaded = report.testResults.filter(file => file.status === 'failed' && file.assertionResults.length === 0);
    sum.passed += testsOf(report, 'passed').length;
    sum.failed += testsOf(report, 'failed').length + unloaded.length;
    sum.skipped += ['skipped', 'pending', 'todo', 'disabled'].flatMap(status => testsOf(report, status)).length;
  }
  return sum;
}

async function failedStep() {
  for (const { name, command, args, project } of STEPS) {
    console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const code = await run(command, args);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(code === 0 ? `── ${name}: ok, ${seconds} s` : `── ${name}: FAILED (${code}), ${seconds} s`);
    if (code !== 0 && !(project && (await holdsAlone(project)))) return name;
  }
  return undefined;
}

const broken = await failedStep();
const { passed, failed, skipped } = totals();
rmSync(REPORTS, { recursive: true, force: true });
console.log(broken ? `\nStopped at: ${broken}` : '\nEverything holds.');
if (unsteady.length > 0) {
  console.log(`Held only when run once more, alone (${unsteady.length}), look into each:`);
  for (const text of unsteady) console.log(`  ${text}`);
}
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${broken ? Math.max(failed, 1) : failed} failed`);
process.exitCode = broken ? 1 : 0;
