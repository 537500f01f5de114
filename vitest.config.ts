import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { configDefaults, defineConfig } from 'vitest/config';
import { splitTexts } from './apps/dashboard/split-texts.ts';
import { LongestFirst } from './tools/test/longest-first.ts';

const conditions = ['source'];
// What is published names no condition that only this repository has.
const alias = { '@coinslot/sdk': fileURLToPath(new URL('packages/sdk/src/index.ts', import.meta.url)) };
/** What proves packages and documents, sweeps every page, or strikes at every point: `npm run test:release`. */
const RELEASE = [
  'e2e/release/**/*.test.ts',
  'e2e/dashboard/every-page.test.ts',
  'e2e/nothing-is-lost/{cli,connections,keys,paypal-crash,stripe-crash}.test.ts',
  'e2e/{bad-input,cli,page-states}.test.ts',
  'e2e/operations.test.ts',
  'packages/cli/src/init/init.test.ts',
  'packages/testing/src/tiny-double/tiny-shop.test.ts',
  'apps/docs/src/site.test.ts',
  'tools/bundle.test.ts',
  'tools/machine-reference.test.ts',
  'tools/postman.test.ts',
  'tools/regexes/regexes.test.ts',
  'apps/server/src/http/greatest-length.test.ts',
];
/** No test is tried again by itself: many go on from the one before. `tools/test/check.mjs` runs the whole file once more, alone. */
const common = {
  pool: 'forks' as const,
  // Programs, databases, browsers and clocks wait for each other half of the time: six files fill two cores.
  // Not `--maxWorkers`, which a project that has a number of its own does not see.
  maxWorkers: Number(process.env.TEST_WORKERS ?? 6),
  // A busy machine is ten times as slow; nothing waits that long when all is well.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // Each file has its own database and program; loading the program again for each took half of the time. The files of a worker
  // share its browser too.
  isolate: false,
  expect: { poll: { timeout: 60_000, interval: 50 } },
  globalSetup: ['packages/testing/src/global-setup.ts'],
};

/** Where each package leads its importers, which the cache of modules keeps with them. */
const manifests = ['apps', 'packages', 'examples']
  .flatMap(folder => readdirSync(new URL(`${folder}/`, import.meta.url)).map(name => `${folder}/${name}/package.json`))
  .filter(path => existsSync(new URL(path, import.meta.url)))
  .map(path => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('');

/** A part of the dashboard's texts is made of what the code names, which the cache does not look at. */
const cacheKeys: Plugin = {
  name: 'cache-keys',
  configureVitest: ({ experimental_defineCacheKeyGenerator: defineKey }) =>
    defineKey(({ id }) => (id.includes('?') ? false : manifests)),
};

export default defineConfig({
  plugins: [splitTexts(), cacheKeys],
  resolve: { alias, conditions },
  ssr: { resolve: { conditions, externalConditions: ['source'] } },
  test: {
    sequence: { sequencer: LongestFirst },
    // What one project or run has compiled the next one reads, by its bytes.
    experimental: { fsModuleCache: true },
    projects: [
      {
        extends: true,
        test: {
          ...common,
          name: 'daily',
          include: [
            'apps/*/src/**/*.test.{ts,tsx}',
            'packages/*/src/**/*.test.ts',
            'examples/*/src/**/*.test.ts',
            'tools/**/*.test.ts',
            'e2e/**/*.test.ts',
          ],
          exclude: [...configDefaults.exclude, ...RELEASE],
        },
      },
      { extends: true, test: { ...common, name: 'release', include: RELEASE } },
    ],
  },
});
