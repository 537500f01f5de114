import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { splitTexts } from './apps/dashboard/split-texts.ts';
import { LongestFirst } from './tools/longest-first.ts';

const conditions = ['source'];
// What is published names no condition that only this repository has.
const alias = { '@coinslot/sdk': fileURLToPath(new URL('packages/sdk/src/index.ts', import.meta.url)) };
const common = {
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // A busy machine is slower than a second; nothing waits that long when all is well.
  expect: { poll: { timeout: 20_000, interval: 50 } },
  globalSetup: ['packages/testing/src/global-setup.ts'],
};

export default defineConfig({
  plugins: [splitTexts()],
  resolve: { alias, conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'server',
          maxWorkers: 2,
          // Each file has its own database and program; loading the program anew for each took half of the time.
          isolate: false,
          include: [
            'apps/*/src/**/*.test.{ts,tsx}',
            'packages/*/src/**/*.test.ts',
            'examples/*/src/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          ...common,
          name: 'e2e',
          // A browser, a program and its database wait for each other a good part of the time: three files fill two cores.
          maxWorkers: 3,
          include: ['e2e/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
