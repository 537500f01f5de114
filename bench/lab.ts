import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MAIN = 'apps/server/dist/main.js';
type StartEmbedded = typeof import('../apps/server/src/db/embedded/start-embedded.ts').startEmbedded;

/** `npm start` of a checkout without its `node`. */
function startOf(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  return scripts.start.split(' ').slice(1);
}

/** The same without a look whether packages and program are there: the checkout is as it was prepared. */
const builtStartOf = (root: string): string[] => startOf(root).map(part => (part === 'tools/run.mjs' ? MAIN : part));

const PROGRAMS = [
  'echo-server',
  'floor-server',
  'timed-server',
  'page-server',
  'variant-server',
  'receiver',
  'order-load',
  'insert-load',
  'player-load',
  'vendure-load',
  'post-loop',
  'slow-stripe',
  'live-load',
] as const;
const START_MS = 30_000;

export type ProgramName = (typeof PROGRAMS)[number];

export interface BenchProgram {
  ask<Answer>(message: unknown): Promise<Answer>;
  stop(): Promise<void>;
}

export interface BenchAccount {
  sandboxKey: string;
  liveKey: string;
  companyId: string;
  gameId: string;
  email: string;
  password: string;
}

export interface BenchServer {
  pid: number;
  port: number;
  databaseUrl: string;
  account: BenchAccount;
  stop(): Promise<void>;
}

export interface Lab {
  masterKey: string;
  databaseUrl: string;
  /** The folder of the embedded PostgreSQL: `cluster/` and `postgres.log`. */
  postgresDir: string;
  /** A further, empty database on the same PostgreSQL. */
  createDatabase(name: string): Promise<string>;
  startProgram(name: ProgramName): Promise<BenchProgram>;
  /** Migrates a database and makes an account in it; each name has a company of its own. */
  register(databaseUrl: string, name?: string): Promise<BenchAccount>;
  /** The program as it ships, in a process of its own, with one account. */
  startServer(databaseUrl: string, settings?: NodeJS.ProcessEnv): Promise<BenchServer>;
  close(): Promise<void>;
}

/** Plain JavaScript without a loader, as the product is built, so that what is compared differs in nothing else. */
async function buildPrograms(folder: string): Promise<void> {
  await build({
    entryPoints: PROGRAMS.map(name => join(ROOT, 'bench/programs', `${name}.ts`)),
    outdir: folder,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
  });
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise(resolve => child.once('exit', () => resolve()));
}

async function stopChild(child: ChildProcess): Promise<void> {
  const end = ended(child);
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await end;
  clearTimeout(timer);
}

async function startProgram(file: string, children: Set<ChildProcess>): Promise<BenchProgram> {
  const child = fork(file, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.add(child);
  const receive = <Answer>(): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error(`${file} ended`));
      child.once('exit', onExit);
      child.once('message', (message: { value: Answer } | { error: string }) => {
        child.off('exit', onExit);
        if ('error' in message) reject(new Error(message.error));
        else resolve(message.value);
      });
    });
  await receive();
  return {
    ask<Answer>(message: unknown) {
      if (!child.connected) return Promise.reject(new Error(`${file} ended`));
      const answer = receive<Answer>();
      child.send(message as object);
      return answer;
    },
    stop: () => stopChild(child),
  };
}

async function register(root: string, env: NodeJS.ProcessEnv, name = 'bench'): Promise<BenchAccount> {
  const password = randomBytes(12).toString('hex');
  const email = `${name}@example.com`;
  const account = ['--email', email, '--password', password, '--company', `Company ${name}`];
  const game = ['--game-url', `https://play.google.com/store/apps/details?id=com.example.${name}`, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, MAIN), 'setup', ...account, ...game], {
    env,
  });
  const { sandbox, live, ...ids } = JSON.parse(stdout) as Record<'sandbox' | 'live', { s2s_key: string }> &
    Record<'company_id' | 'game_id', string>;
  const keys = { sandboxKey: sandbox.s2s_key, liveKey: live.s2s_key };
  return { ...keys, companyId: ids.company_id, gameId: ids.game_id, email, password };
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error('the server ended at its start');
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      answer => answer.ok,
      () => false,
    );
    if (isReady) return;
    if (Date.now() > deadline) throw new Error('the server did not become ready');
    await pause(50);
  }
}

/** `npm start` on the embedded database in this folder, until it is ready. */
export async function startAsShipped(dataDir: string): Promise<{ pid: number; stop(): Promise<void> }> {
  const port = await freePort();
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, startOf(ROOT), {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  await untilReady(port, child);
  return { pid: child.pid!, stop: () => stopChild(child) };
}

/**
 * Everything the bench starts, on loopback and in a temporary folder; `close` leaves nothing behind. The program is the built one
 * of a checkout, on the database that this checkout embeds, with these settings; the loads are always ours.
 */
export async function openLab(serverFlags: string[], root = ROOT, postgres: Record<string, string> = {}): Promise<Lab> {
  const children = new Set<ChildProcess>();
  const dataDir = await mkdtemp(join(tmpdir(), 'coinslot-bench-'));
  // Inside the modules' folder, so that the programs find their packages.
  const cache = join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const built = await mkdtemp(join(cache, 'bench-'));
  const masterKey = randomBytes(32).toString('base64');
  let embedded: Awaited<ReturnType<StartEmbedded>> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([...children].map(stopChild));
    await embedded?.stop();
    await rm(dataDir, { recursive: true, force: true });
    await rm(built, { recursive: true, force: true });
  };
  try {
    await buildPrograms(built);
    const file = pathToFileURL(join(root, 'apps/server/src/db/embedded/start-embedded.ts'));
    const { startEmbedded } = (await import(file.href)) as { startEmbedded: StartEmbedded };
    embedded = await startEmbedded({
      dataDir: join(dataDir, 'data'),
      settings: postgres,
      log: text => console.error(text),
    });
  } catch (error) {
    await close();
    throw error;
  }
  const { url } = embedded;
  const envOf = (databaseUrl: string): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    DATA_DIR: join(dataDir, 'unused'),
    DATABASE_URL: databaseUrl,
    MASTER_KEY: masterKey,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'warn',
  });
  return {
    masterKey,
    databaseUrl: url,
    postgresDir: join(dataDir, 'data/postgres-18'),
    close,
    startProgram: name => startProgram(join(built, `${name}.mjs`), children),
    async createDatabase(name) {
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const other = new URL(url);
      other.pathname = `/${name}`;
      return other.href;
    },
    register: (databaseUrl, name) => register(root, envOf(databaseUrl), name),
    async startServer(databaseUrl, settings = {}) {
      const port = await freePort();
      const env = { ...envOf(databaseUrl), ...settings, PORT: String(port) };
      const account = await register(root, env);
      const child = spawn(process.execPath, [...serverFlags, ...builtStartOf(root)], {
        cwd: root,
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
        detached: true,
      });
      children.add(child);
      await untilReady(port, child);
      return { pid: child.pid!, port, databaseUrl, account, stop: () => stopChild(child) };
    },
  };
}
