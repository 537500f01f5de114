// Makes what is published: folders that `npm publish` takes as they are, one for each package. Run after a build:
//   npm run pack:all -- --out build/packages [--repository https://git.example.com/you/coinslot]
// Links of a README that lead outside its package become absolute under the repository's address. Without one they become
// plain words, because a link that leads nowhere is worse than none.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { APART, bundleServer } from '../bundle.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({ options: { out: { type: 'string' }, repository: { type: 'string' } } });
const OUT = values.out ?? join(ROOT, 'build/packages');
const REPOSITORY = values.repository?.replace(/\/+$/, '');

const readJson = file => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
const inRoot = (...parts) => join(ROOT, ...parts);

function start(name) {
  const folder = join(OUT, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(inRoot('LICENSE'), join(folder, 'LICENSE'));
  return folder;
}

const isOurs = file => !/\.(?:test\.|tsbuildinfo$)|tsbuildinfo/.test(file);
const copy = (from, to) => cpSync(inRoot(from), to, { recursive: true, filter: isOurs });

function readmeFor(file) {
  return readFileSync(inRoot(file), 'utf8').replaceAll(
    /\[([^\]]+)\]\(((?!https?:|#|mailto:)[^)]+)\)/g,
    (_all, text, href) => {
      const [path, anchor] = href.split('#');
      const target = posix.join(posix.dirname(file), path);
      return REPOSITORY ? `[${text}](${REPOSITORY}/blob/main/${target}${anchor ? `#${anchor}` : ''})` : text;
    },
  );
}

function manifest(file, more) {
  const { private: _private, devDependencies: _dev, ...kept } = readJson(inRoot(file));
  const about = REPOSITORY ? { repository: { type: 'git', url: `git+${REPOSITORY}.git` } } : {};
  return { ...kept, ...about, ...more };
}

/** One file for `require`, and the same types again in a folder that counts as CommonJS. */
async function addCommonJs(folder) {
  const cjs = join(folder, 'dist/cjs');
  const entryPoints = [inRoot('packages/sdk/src/index.ts')];
  await build({
    entryPoints,
    outfile: join(cjs, 'index.js'),
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
  });
  for (const name of readdirSync(join(folder, 'dist'), { recursive: true }).filter(file => file.endsWith('.d.ts')))
    cpSync(join(folder, 'dist', name), join(cjs, name));
  writeJson(join(cjs, 'package.json'), { type: 'commonjs' });
}

async function packSdk() {
  const folder = start('sdk');
  copy('packages/sdk/dist', join(folder, 'dist'));
  copy('packages/sdk/src', join(folder, 'src'));
  await addCommonJs(folder);
  writeFileSync(join(folder, 'README.md'), readmeFor('packages/sdk/README.md'));
  const exports = {
    '.': {
      import: { types: './dist/index.d.ts', default: './dist/index.js' },
      require: { types: './dist/cjs/index.d.ts', default: './dist/cjs/index.js' },
    },
    './package.json': './package.json',
  };
  writeJson(
    join(folder, 'package.json'),
    manifest('packages/sdk/package.json', { main: './dist/cjs/index.js', exports }),
  );
}

/** Puts packages that are not published themselves into the one that needs them. */
function bundle(folder, names) {
  for (const name of names) {
    const to = join(folder, 'node_modules/@coinslot', name);
    copy(`packages/${name}/dist`, join(to, 'dist'));
    const own = manifest(`packages/${name}/package.json`, {});
    for (const entry of Object.values(own.exports)) if (typeof entry === 'object') delete entry.source;
    writeJson(join(to, 'package.json'), own);
  }
}

function packCli() {
  const folder = start('cli');
  copy('packages/cli/dist', join(folder, 'dist'));
  copy('packages/cli/templates', join(folder, 'templates'));
  // What `init` writes for these is the receiver of the examples.
  for (const language of ['python', 'go']) copy(`examples/receivers/${language}`, join(folder, 'receivers', language));
  // The SDK too: the tarball alone must install where no registry has our packages.
  bundle(folder, ['exam', 'sdk']);
  writeFileSync(join(folder, 'README.md'), readmeFor('packages/cli/README.md'));
  const bundleDependencies = ['@coinslot/exam', '@coinslot/sdk'];
  writeJson(join(folder, 'package.json'), manifest('packages/cli/package.json', { bundleDependencies }));
}

/** For a test suite of one's own: the cases, and what runs them. */
function packExam() {
  const folder = start('exam');
  copy('packages/exam/dist', join(folder, 'dist'));
  bundle(folder, ['sdk']);
  writeFileSync(join(folder, 'README.md'), readmeFor('packages/exam/README.md'));
  const own = manifest('packages/exam/package.json', { bundleDependencies: ['@coinslot/sdk'] });
  for (const entry of Object.values(own.exports)) delete entry.source;
  writeJson(join(folder, 'package.json'), {
    ...own,
    engines: readJson(inRoot('package.json')).engines,
    files: ['dist'],
  });
}

/** As in the repository, so that the program finds its files where it looks for them there. */
const SERVED = ['apps/server/migrations', 'apps/server/package.json', 'apps/dashboard/dist', 'apps/docs/dist', 'ops'];

async function packServer() {
  const folder = start('server');
  for (const path of SERVED) copy(path, join(folder, path));
  await bundleServer({ out: join(folder, 'apps/server/dist') });
  const { dependencies, optionalDependencies, ...about } = manifest('apps/server/package.json', {});
  writeFileSync(join(folder, 'README.md'), readmeFor('README.md'));
  writeJson(join(folder, 'package.json'), {
    ...about,
    name: 'coinslot-server',
    description: readJson(inRoot('package.json')).description,
    engines: readJson(inRoot('package.json')).engines,
    bin: { 'coinslot-server': 'apps/server/dist/main.js' },
    // All else is in the program, in the versions that were tested: an installation can bring no other.
    dependencies: Object.fromEntries(Object.entries(dependencies).filter(([name]) => APART.test(name))),
    optionalDependencies,
  });
}

if (!existsSync(inRoot('apps/server/dist/main.js'))) throw new Error('Build first: npm run build');
await packSdk();
packCli();
packExam();
await packServer();
console.log(`Packages are in ${OUT}. Publish one with: npm publish ${join(OUT, 'sdk')}`);
