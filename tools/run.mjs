// `npm run NAME -- …`: installs and builds what is missing, then runs what the name stands for. It uses nothing but Node itself
// until the packages are there, because it is the first thing that runs in a fresh clone.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SERVER = 'apps/server/dist/main.js';
const CLI = 'packages/cli/dist/main.js';

/** Runs it in this process, so that signals, output and exit code are its own. */
async function become(program, args) {
  const file = join(ROOT, program);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

function runNode(args, env = {}) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'inherit' });
  // A terminal sends Ctrl-C to the child as well; this process waits until the child has cleaned up.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('exit', code => {
      process.exitCode = code ?? 1;
      done();
    });
  });
}

const TSX = 'node_modules/tsx/dist/cli.mjs';
const VITEST = 'node_modules/vitest/vitest.mjs';

const command = name => ({ needs: 'program', run: args => become(SERVER, [name, ...args]) });
const script = (file, needs = 'program') => ({ needs, run: args => runNode([file, ...args]) });
const typescript = (file, needs = 'program') => ({
  needs,
  run: args => runNode([TSX, '--conditions=source', file, ...args]),
});
/** The file says by itself which project it belongs to. */
const testFile = (file, env) => ({
  needs: 'program',
  run: args => runNode([VITEST, 'run', file, ...args], env),
});

const BENCHES = {
  orders: typescript('bench/main.ts'),
  page: typescript('bench/page.ts'),
  bodies: typescript('bench/bodies.ts'),
  waits: typescript('bench/waits.ts'),
  flood: typescript('bench/flood.ts'),
  processes: typescript('bench/processes.ts'),
  'fan-out': typescript('bench/fan-out.ts'),
  back: typescript('bench/back.ts'),
  peers: typescript('bench/peers/main.ts'),
  batching: typescript('bench/batching.ts'),
  against: typescript('bench/against/main.ts'),
  forms: typescript('bench/forms/main.ts'),
  bytes: typescript('bench/bytes.ts'),
  steps: typescript('bench/steps.ts'),
  profile: typescript('bench/profile/main.ts'),
  dashboard: typescript('bench/dashboard.ts'),
  'dashboard-slow': typescript('tools/dashboard-slow.ts', 'tests'),
  lighthouse: script('tools/lighthouse/measure.mjs'),
  // It prepares a clone of its own.
  'first-minutes': script('tools/first-minutes/measure.mjs', 'nothing'),
};

const LABS = {
  model: typescript('e2e/model/main.ts'),
  mutants: typescript('e2e/model/mutants/main.ts'),
  flat: testFile('/flat.test.ts', { FLAT_ORDERS: process.env.FLAT_ORDERS ?? '1000000' }),
  failover: typescript('e2e/failover/main.ts'),
  pitr: typescript('e2e/pitr/main.ts'),
  rolling: typescript('e2e/rolling/main.ts'),
  pooler: typescript('e2e/pooler/main.ts'),
  'crash-paypal': testFile('e2e/nothing-is-lost/paypal-crash.test.ts', { CRASH_POINTS: 'all' }),
  runtimes: script('tools/runtimes/run.mjs'),
  gallery: testFile('e2e/release/gallery/', { GALLERY: 'keep' }),
  'dashboard-look': typescript('tools/dashboard-look.ts', 'tests'),
};

/** The first word says which; without one it is the first of them. */
function choose(kind, choices, [name, ...rest]) {
  if (name !== undefined && Object.hasOwn(choices, name)) return { ...choices[name], args: rest };
  const [first] = Object.values(choices);
  if (name === undefined) return { ...first, args: [] };
  if (name.startsWith('-')) return { ...first, args: [name, ...rest] };
  console.error(`There is no ${kind} ${JSON.stringify(name)}. There are: ${Object.keys(choices).join(', ')}.`);
  return undefined;
}

const SCRIPTS = {
  start: command('start'),
  setup: command('setup'),
  game: command('game'),
  mails: command('mails'),
  reconcile: command('reconcile'),
  figures: command('figures'),
  keys: command('keys'),
  player: command('player'),
  doctor: command('doctor'),
  backup: command('backup'),
  restore: command('restore'),
  capacity: typescript('bench/capacity.ts'),
  migrate: command('migrate'),
  // For game developers; the one command that proves a provider is the operator's.
  coinslot: { needs: 'program', run: args => become(args[0] === 'provider' ? SERVER : CLI, args) },
  demo: { needs: 'program', run: args => runNode([TSX, 'tools/demo.ts', ...args]) },
  'pack:all': script('tools/pack/pack.mjs'),
  release: typescript('tools/release/main.ts', 'tests'),
  test: script('tools/test/check.mjs', 'tests'),
  'test:release': { needs: 'tests', run: args => runNode(['tools/test/check.mjs', '--release', ...args]) },
};

function find(name, args) {
  if (name === 'bench') return choose(name, BENCHES, args);
  if (name === 'lab') return choose(name, LABS, args);
  return { ...SCRIPTS[name], args };
}

const [name, ...given] = process.argv.slice(2);
const found = find(name, given);
if (found === undefined) process.exitCode = 2;
else {
  await prepare(found.needs);
  await found.run(found.args);
}
