import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { TEST_CONNECTIONS, testDatabase } from '@coinslot/testing/database';
import pg from 'pg';
import { findRunning } from '../apps/server/src/db/embedded/start-embedded.ts';
import { freePort } from './free-port.ts';

const PROGRAM = fileURLToPath(new URL('../apps/server/dist/main.js', import.meta.url));
const START_MS = 150_000;

/** What `setup --json` prints. */
export interface Account {
  company_id: string;
  game_id: string;
  sandbox: { s2s_key: string };
  live: { s2s_key: string };
}

/**
 * Where its database is. Nearly every test is about something else and takes a database on the PostgreSQL of the run, made
 * from the migrated template. Embedded stay the three files that prove what comes with it: the first start and the first run
 * of the dashboard (dashboard/first-run), disk, backup and restore (operations), and the guides' commands (release/guides).
 */
type DatabaseKind = 'of the run' | 'embedded';

/** The built program in a process of its own, with its own database, used only from outside. */
export interface Coinslot {
  url: string;
  /** Its settings, for commands that are run beside it. */
  env: NodeJS.ProcessEnv;
  /** Everything it wrote so far, on both streams. */
  log(): string;
  /** Runs one of its commands beside it; answers with standard output. Settings at the end replace the program's. */
  run(command: string, ...args: (string | NodeJS.ProcessEnv)[]): Promise<string>;
  setup(email?: string): Promise<Account>;
  /** Looks into its database. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Moves the shop's clock that far ahead of the real one. */
  setClockAhead(seconds: number): Promise<void>;
  /** Another process on the same database; `stop` of this one ends it too. */
  startAnother(env: NodeJS.ProcessEnv): Promise<{ url: string; stop(): Promise<void> }>;
  pid: number;
  /** Ends it without a farewell. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  child: ChildProcess;
  url: string;
  log(): string;
}

/** `PATH` and the like, without settings of the program that happen to be set here. */
const plainEnv = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: process.env.HOME });

async function launch(env: NodeJS.ProcessEnv): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...plainEnv(), HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  await new Promise<void>((ready, failed) => {
    const timer = setTimeout(() => failed(new Error(`the program did not start:\n${log}`)), START_MS);
    let isUp = false;
    const hear = (chunk: Buffer): void => {
      log += chunk.toString();
      if (isUp || !log.includes(' is running at ')) return;
      isUp = true;
      clearTimeout(timer);
      ready();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', code => failed(new Error(`the program ended with ${code}:\n${log}`)));
  });
  return { child, url, log: () => log };
}

async function end({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

export async function startCoinslot(
  env: NodeJS.ProcessEnv = {},
  databaseKind: DatabaseKind = 'of the run',
): Promise<Coinslot> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'coinslot-e2e-')));
  const ofTheRun = databaseKind === 'of the run' ? await testDatabase() : undefined;
  const settings = {
    DATA_DIR: dataDir,
    ...(ofTheRun && { DATABASE_URL: ofTheRun.url }),
    MASTER_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'trace',
    DATABASE_CONNECTIONS: TEST_CONNECTIONS,
    ...env,
  };
  const running = await launch(settings);
  const others: Running[] = [];
  const database = new pg.Pool({ connectionString: ofTheRun?.url ?? (await findRunning(dataDir)), max: 2 });
  // An embedded server is stopped under it at the end.
  database.on('error', () => {});

  const run: Coinslot['run'] = async (command, ...args) => {
    const texts = args.filter(arg => typeof arg === 'string');
    const own = args.filter(arg => typeof arg !== 'string');
    const options = { env: Object.assign(plainEnv(), settings, ...own) as NodeJS.ProcessEnv };
    return (await promisify(execFile)(process.execPath, [PROGRAM, command, ...texts], options)).stdout;
  };
  return {
    url: running.url,
    env: settings,
    log: running.log,
    pid: running.child.pid!,
    run,
    setup: async (email = 'owner@studio.example') =>
      JSON.parse(
        await run(
          'setup',
          `--email=${email}`,
          '--password=orange lamp on the roof',
          '--company=Northwind Games',
          '--game-url=https://apps.apple.com/us/app/castle-quest/id1234567890',
          '--json',
        ),
      ),
    query: async (text, values = []) => (await database.query(text, values)).rows,
    async setClockAhead(seconds) {
      const body = `select now() + interval '${seconds} seconds'`;
      await database.query(
        `create or replace function app_now() returns timestamptz language sql stable parallel safe as $f$${body}$f$`,
      );
    },
    async startAnother(more) {
      const another = await launch({ ...settings, ...more });
      others.push(another);
      return { url: another.url, stop: () => end(another) };
    },
    async kill() {
      running.child.kill('SIGKILL');
      await once(running.child, 'exit');
    },
    async stop() {
      await database.end();
      // A test that failed did not come to end its own.
      await Promise.all([running, ...others].map(end));
      await ofTheRun?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
