// Runs before everything else, so it uses nothing but Node itself: installs the dependencies when the lock file changed,
// builds when a source changed, and for the tests finds or installs a browser. All output goes to stderr, because the
// command that follows may print JSON.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browsers.mjs';
import { withLock } from './with-lock.mjs';

const OLDEST_NODE = [20, 19];
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const INSTALLED = join(MODULES, '.coinslot-stamp');
const BUILT = join(MODULES, '.coinslot-build');
const PROGRAM = join(ROOT, 'apps/server/dist/main.js');
const COMMANDS = join(ROOT, 'packages/cli/dist/main.js');
const DASHBOARD = join(ROOT, 'apps/dashboard');
const DASHBOARD_BUILT = join(MODULES, '.coinslot-dashboard-build');
const DASHBOARD_PAGE = join(DASHBOARD, 'dist/index.html');
const DOCS = join(ROOT, 'apps/docs');
const DOCS_BUILT = join(MODULES, '.coinslot-docs-build');
const DOCS_LIST = join(DOCS, 'dist/site.json');

const say = text => process.stderr.write(`${text}\n`);

function fail(text) {
  say(text);
  process.exit(1);
}

const textOf = file => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const hash = text => createHash('sha256').update(text).digest('hex');

/** Runs a program quietly; what it printed is shown only if it failed. */
function run(command, args, options = {}) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += chunk;
      });
    }
    child.once('error', failed);
    child.once('close', code => (code === 0 ? done() : failed(new Error(`${output.trim()}\n(exit code ${code})`))));
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  fail(
    `Coinslot needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}. See https://nodejs.org`,
  );
}

const lockFingerprint = () => hash(`${textOf(join(ROOT, 'package-lock.json'))}${process.platform}-${process.arch}`);

/** npm writes its own copy of the lock file as the last step of an installation, so an installation by hand counts too. */
function isInstalledByHand() {
  const written = textOf(join(MODULES, '.package-lock.json'));
  if (!written) return false;
  const wanted = JSON.parse(textOf(join(ROOT, 'package-lock.json'))).packages;
  const present = JSON.parse(written).packages;
  const names = Object.keys(wanted).filter(name => name.includes('node_modules/'));
  return (
    names.every(name => (present[name] ? present[name].version === wanted[name].version : wanted[name].optional)) &&
    Object.keys(present).every(name => name in wanted)
  );
}

function isInstalled() {
  if (textOf(INSTALLED) === lockFingerprint()) return true;
  if (!isInstalledByHand()) return false;
  writeFileSync(INSTALLED, lockFingerprint());
  return true;
}

function canWrite(folder) {
  try {
    accessSync(existsSync(folder) ? folder : dirname(folder), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function install() {
  say('Installing dependencies …');
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  // Development dependencies build the program, also where NODE_ENV=production would leave them out.
  const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=error'];
  // Started as root in another user's folder, npm runs us as that user with root's home.
  const cache = canWrite(join(homedir(), '.npm')) ? [] : ['--cache', join(ROOT, '.stamps', 'npm-cache')];
  try {
    await run(command, [...first, ...args, ...cache], { shell: process.platform === 'win32' && command === 'npm' });
  } catch (error) {
    fail(`${error.message}\nThe dependencies could not be installed (npm ci).`);
  }
  writeFileSync(INSTALLED, lockFingerprint());
}

function* filesUnder(folder, kinds) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== 'dist') yield* filesUnder(path, kinds);
    } else if (kinds.test(entry.name)) yield path;
  }
}

/** Names, sizes and times of what a build reads: a few milliseconds, where asking the compiler takes a second. */
function fingerprintOf(files) {
  const facts = files.map(file => {
    const { size, mtimeMs } = statSync(file);
    return `${relative(ROOT, file)} ${size} ${mtimeMs}`;
  });
  return hash(facts.toSorted((a, b) => (a < b ? -1 : 1)).join('\n'));
}

function sourceFingerprint() {
  const code = ['apps', 'packages'].flatMap(folder => [...filesUnder(join(ROOT, folder), /\.(ts|json)$/)]);
  const settings = readdirSync(ROOT).filter(name => /^tsconfig.*\.json$|^package-lock\.json$/.test(name));
  settings.push('tools/bundle.mjs', 'tools/quick-spread.mjs');
  const isPage = file => file.startsWith(DASHBOARD) || file.startsWith(DOCS);
  return fingerprintOf([...code.filter(file => !isPage(file)), ...settings.map(name => join(ROOT, name))]);
}

/** The page takes nothing but types from the packages, so that only its own files make it old. */
const dashboardFingerprint = () =>
  fingerprintOf([
    ...filesUnder(DASHBOARD, /(?<!\.test)\.\w+$/),
    join(ROOT, 'packages/contract/src/currencies.ts'),
    join(ROOT, 'package-lock.json'),
  ]);

/** What the documentation site is made of: its own code, the documents, and the calls of the contract. */
const docsFingerprint = () =>
  fingerprintOf([
    ...['apps/docs', 'docs', 'examples/receivers', 'packages/contract/src'].flatMap(folder => [
      ...filesUnder(join(ROOT, folder), /(?<!\.test)\.\w+$/),
    ]),
    ...['sdk', 'python', 'go', 'cli'].map(name => join(ROOT, 'packages', name, 'README.md')),
    ...['ops/README.md', 'apps/server/package.json', 'package-lock.json'].map(name => join(ROOT, name)),
  ]);

const isProgramBuilt = () => existsSync(PROGRAM) && existsSync(COMMANDS) && textOf(BUILT) === sourceFingerprint();
const isDashboardBuilt = () => existsSync(DASHBOARD_PAGE) && textOf(DASHBOARD_BUILT) === dashboardFingerprint();
const isDocsBuilt = () => existsSync(DOCS_LIST) && textOf(DOCS_BUILT) === docsFingerprint();
const isBuilt = () => isProgramBuilt() && isDashboardBuilt() && isDocsBuilt();

/** What the packages give to others; the program itself is made of their sources. */
async function buildPackages() {
  const compiler = join(MODULES, 'typescript', 'bin', 'tsc');
  // Its notes of what is built stay behind when a developer deletes the output.
  const force = existsSync(COMMANDS) ? [] : ['--force'];
  try {
    await run(process.execPath, [compiler, '-b', ...force]);
  } catch (error) {
    fail(`${error.message}\nThe build failed (tsc -b).`);
  }
}

async function bundleProgram() {
  try {
    await run(process.execPath, [join(ROOT, 'tools/bundle.mjs')]);
  } catch (error) {
    fail(`${error.message}\nThe program could not be built (tools/bundle.mjs).`);
  }
}

async function buildProgram() {
  const fingerprint = sourceFingerprint();
  await Promise.all([buildPackages(), bundleProgram()]);
  writeFileSync(BUILT, fingerprint);
}

async function buildDashboard() {
  const fingerprint = dashboardFingerprint();
  const bundler = join(MODULES, 'vite', 'bin', 'vite.js');
  try {
    // The mode is given, because NODE_ENV=test or development would build a page with React's warnings in it.
    const env = { ...process.env, NODE_ENV: 'production' };
    await run(process.execPath, [bundler, 'build', '--logLevel', 'warn'], { cwd: DASHBOARD, env });
  } catch (error) {
    fail(`${error.message}\nThe dashboard could not be built (vite build).`);
  }
  writeFileSync(DASHBOARD_BUILT, fingerprint);
}

async function buildDocs() {
  const fingerprint = docsFingerprint();
  const runner = join(MODULES, 'tsx', 'dist', 'cli.mjs');
  try {
    await run(process.execPath, [runner, '--conditions=source', join(DOCS, 'src/main.ts')]);
  } catch (error) {
    fail(`${error.message}\nThe documentation could not be built (apps/docs/src/main.ts).`);
  }
  writeFileSync(DOCS_BUILT, fingerprint);
}

async function build() {
  say('Building …');
  // Side by side: they share no file, and none uses a whole machine.
  await Promise.all([
    isProgramBuilt() ? undefined : buildProgram(),
    isDashboardBuilt() ? undefined : buildDashboard(),
    isDocsBuilt() ? undefined : buildDocs(),
  ]);
}

const onPath = name =>
  (process.env.PATH ?? '').split(delimiter).some(folder => folder !== '' && existsSync(join(folder, name)));

async function installBrowser() {
  const isRoot = process.getuid?.() === 0;
  const sudo = !isRoot && onPath('sudo') && spawnSync('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : [];
  if (!onPath('apt-get') || (!isRoot && sudo.length === 0)) {
    const how = onPath('apt-get') ? 'As root run "apt-get install chromium", or' : 'Install Chromium or Chrome, or';
    fail(`The browser tests need Chromium, and none was found. ${how} set CHROME_PATH to the browser's program.`);
  }
  say('Installing Chromium …');
  const apt = (...args) => {
    const [command, ...rest] = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];
    return run(command, rest);
  };
  try {
    await apt('update');
    await apt('install', '-y', '--no-install-recommends', 'chromium');
  } catch (error) {
    fail(`${error.message}\nChromium could not be installed (apt-get).`);
  }
  // The tests run without it as well, only more slowly, and not every machine has a package of it.
  await apt('install', '-y', '--no-install-recommends', 'chromium-headless-shell').catch(() => {});
}

const hasBrowser = () => findBrowser() !== undefined;

async function makeReady(needsBrowser) {
  const isReady = () => isInstalled() && isBuilt() && (!needsBrowser || hasBrowser());
  if (isReady()) return;
  mkdirSync(join(ROOT, '.stamps'), { recursive: true });
  await withLock(join(ROOT, '.stamps', 'prepare.lock'), async () => {
    if (!isInstalled()) await install();
    if (!isBuilt()) await build();
    if (needsBrowser && !hasBrowser()) await installBrowser();
  });
}

/** `program`: packages and build. `tests`: a browser too. */
export async function prepare(needs) {
  checkNode();
  if (needs === 'nothing') return;
  try {
    await makeReady(needs === 'tests');
  } catch (error) {
    fail(`Preparing failed: ${error.message}`);
  }
}

// For an image and for an operator who builds without starting.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const mode = process.argv[2];
  if (mode !== 'start' && mode !== 'test') fail('Usage: node tools/prepare.mjs start|test');
  await prepare(mode === 'test' ? 'tests' : 'program');
}
