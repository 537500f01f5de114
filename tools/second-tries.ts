import type { Reporter, TestCase } from 'vitest/node';

/** Names at the end of a run what passed only when it was tried again, with what went wrong first: that is a bug too. */
export default class SecondTries implements Reporter {
  readonly #found: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const [first] = test.result().errors ?? [];
    this.#found.push(
      `${test.module.relativeModuleId} > ${test.fullName}\n    first: ${first?.message ?? 'no error told'}`,
    );
  }

  onTestRunEnd(): void {
    if (this.#found.length === 0) return;
    console.log(`\nPassed only on the second try (${this.#found.length}), look into each:`);
    for (const text of this.#found) console.log(`  ${text}`);
  }
}
