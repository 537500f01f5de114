import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

export interface FailedTest {
  name: string;
  error: string;
}

export interface FileReport {
  file: string;
  project: string;
  /** From its imports to its last hook. */
  seconds: number;
  passed: number;
  skipped: number;
  failed: FailedTest[];
  /** Failed and then held when it was tried again. */
  unsteady: FailedTest[];
}

const firstLine = (errors: readonly { message: string }[] | undefined): string =>
  errors?.[0]?.message.split('\n')[0] ?? 'no error told';

const failureOf = (test: TestCase): FailedTest => ({ name: test.fullName, error: firstLine(test.result().errors) });

function fileReport(module: TestModule): FileReport {
  const tests = [...module.children.allTests()];
  const inState = (state: string): TestCase[] => tests.filter(test => test.result().state === state);
  const failed = inState('failed').map(failureOf);
  // A file whose imports or hooks failed may have no test that did.
  const isBroken = module.state() === 'failed' && failed.length === 0;
  const suites = [module, ...module.children.allSuites()];
  const setUp: FailedTest = { name: 'its set-up', error: firstLine(suites.flatMap(suite => suite.errors())) };
  const durations = Object.entries(module.diagnostic()).filter(([name]) => /duration$/i.test(name));
  return {
    file: module.relativeModuleId,
    project: module.project.name,
    seconds: durations.reduce((total, [, durationMs]) => total + Number(durationMs), 0) / 1000,
    passed: inState('passed').length,
    skipped: inState('skipped').length,
    failed: isBroken ? [setUp] : failed,
    unsteady: tests.filter(test => test.diagnostic()?.flaky === true).map(failureOf),
  };
}

/** Writes what `tools/test/check.mjs` tells at the end of a run: counts, times, what failed, and what failed once. */
export default class RunReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.RUN_REPORT;
    if (!file) return;
    writeFileSync(file, JSON.stringify({ files: modules.map(fileReport), unhandled: unhandled.length }));
  }
}
