// `npm test`: everything that must hold, in the order in which a mistake is cheapest to find.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const REPORTS = mkdtempSync(join(tmpdir(), 'coinslot-report-'));
const PATH = `${join(ROOT, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;

const reportOf = project => join(REPORTS, `${project}.json`);
const runOf = (project, ...more) => [
  'run',
  `--project=${project}`,
  ...more,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportOf(project)}`,
];

// What fails there once is tried once more, because a browser on a busy machine may be late; it is named at the end.
const END_TO_END = ['--retry=1', '--reporter=./tools/second-tries.ts'];

const STEPS = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'lint with types', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', command: 'tsc', args: ['-p', 'tsconfig.check.json'] },
  { name: 'advisories', command: 'tsx', args: ['tools/advisories/main.ts'] },
  { name: 'tests', command: 'vitest', args: runOf('server') },
  { name: 'end-to-end tests', command: 'vitest', args: runOf('e2e', ...END_TO_END) },
];

function run(command, args) {
  return new Promise((done, failed) => {
    const env = { ...process.env, PATH };
    const child = spawn(command, args, { cwd: ROOT, env, stdio: 'inherit', shell: process.platform === 'win32' });
    child.once('error', failed);
    child.once('exit', (code, signal) => done(code ?? `signal ${signal}`));
  });
}

function totals() {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const project of ['server', 'e2e']) {
    try {
      const report = JSON.parse(readFileSync(reportOf(project), 'utf8'));
      sum.passed += report.numPassedTests;
      // A file that does not load has no tests to count.
      const unloaded = report.testResults.filter(
        file => file.status === 'failed' && file.assertionResults.length === 0,
      );
      sum.failed += report.numFailedTests + unloaded.length;
      sum.skipped += report.numPendingTests + report.numTodoTests;
    } catch (error) {
      // A step that was not reached, or that died, has no report; the exit code tells about the second.
      if (error.code !== 'ENOENT' && !(error instanceof SyntaxError)) throw error;
    }
  }
  return sum;
}

async function failedStep() {
  for (const { name, command, args } of STEPS) {
    console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const code = await run(command, args);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(code === 0 ? `── ${name}: ok, ${seconds} s` : `── ${name}: FAILED (${code}), ${seconds} s`);
    if (code !== 0) return name;
  }
  return undefined;
}

const broken = await failedStep();
const { passed, failed, skipped } = totals();
rmSync(REPORTS, { recursive: true, force: true });
console.log(broken ? `\nStopped at: ${broken}` : '\nEverything holds.');
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${broken ? Math.max(failed, 1) : failed} failed`);
process.exitCode = broken ? 1 : 0;
