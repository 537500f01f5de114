import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { accountFor } from './account.ts';
import { createCluster, findCluster } from './cluster.ts';
import { EmbeddedError, folderProblem } from './embedded-error.ts';
import { boundLog, readPostmaster } from './postmaster.ts';
import { installRuntime } from './runtime.ts';
import { type Launch, leaseServer, RESTART_PAUSE_MS, releaseServer, USERS_LOCK, urlFor } from './server-lease.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: (message: string) => void;
  /** Settings of PostgreSQL that differ from ours, such as `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
}

export interface Embedded {
  url: string;
  /** A server was found running, left by a process that crashed or shared with one that lives. */
  adopted: boolean;
  /** Ends the server, unless another process still uses it. */
  stop(): Promise<void>;
}

const APP = 'coinslot';
const SETUP_LOCK = USERS_LOCK + 1;
const LOG_CHECK_MS = 60_000;

async function createDatabase(client: pg.Client, password: string): Promise<void> {
  const known = await client.query('select datname from pg_database where datname = $1', [APP]);
  if (known.rows.length > 0) return;
  // The shared lock lets two processes come here at once; this one takes turns.
  await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
  try {
    const roles = await client.query('select rolname from pg_roles where rolname = $1', [APP]);
    if (roles.rows.length === 0) await client.query(`create role ${APP} login createdb password '${password}'`);
    const databases = await client.query('select datname from pg_database where datname = $1', [APP]);
    if (databases.rows.length === 0) await client.query(`create database ${APP} owner ${APP}`);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [SETUP_LOCK]);
  }
}

async function prepare({ dataDir, settings = {} }: EmbeddedOptions): Promise<Launch> {
  const isRoot = process.getuid?.() === 0;
  const place = await mkdir(dataDir, { recursive: true, mode: isRoot ? 0o711 : 0o700 })
    .then(() => realpath(dataDir))
    .catch((error: unknown) => Promise.reject(folderProblem(dataDir, error)));
  const found = await findCluster(place);
  const account = found ? found.account : await accountFor();
  const runtimeDir = await installRuntime(place, account).catch((error: unknown) =>
    Promise.reject(error instanceof EmbeddedError ? error : folderProblem(dataDir, error)),
  );
  if (!found) await createCluster(place, runtimeDir, account, settings.fsync !== 'off');
  const cluster = found ?? (await findCluster(place));
  if (!cluster) throw new EmbeddedError(`The database files in ${place} are gone. Start again.`);
  return { cluster, runtimeDir, settings, port: 0, isPortFixed: false };
}

/** Our own PostgreSQL in `dataDir`: adopted if it runs, started if not, watched while we live. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { log } = options;
  const launch = await prepare(options);
  const { cluster } = launch;
  const first = await leaseServer(launch);
  await createDatabase(first.client, cluster.password);
  launch.port = (await readPostmaster(cluster))?.port ?? launch.port;
  launch.isPortFixed = true;
  const keeper = keep(launch, first.client, log);
  const logCheck = setInterval(() => void boundLog(cluster).catch(() => {}), LOG_CHECK_MS).unref();

  return {
    url: urlFor(cluster, launch.port, APP, APP),
    adopted: first.adopted,
    async stop() {
      clearInterval(logCheck);
      await keeper.stop();
    },
  };
}

/** Holds the lock for as long as we live, and starts the server again when it goes away under us. */
function keep(launch: Launch, first: pg.Client, log: (message: string) => void): { stop(): Promise<void> } {
  const state = { client: first, isStopping: false, recovery: Promise.resolve() };
  const watch = (): void => {
    state.client.once('end', () => {
      if (!state.isStopping) state.recovery = recover();
    });
  };
  const recover = async (): Promise<void> => {
    log('The embedded PostgreSQL went away; starting it again.');
    while (!state.isStopping) {
      try {
        state.client = (await leaseServer(launch)).client;
        watch();
        return;
      } catch (error) {
        log(`The embedded PostgreSQL did not come back: ${(error as Error).message}`);
        await pause(RESTART_PAUSE_MS);
      }
    }
  };
  watch();
  return {
    async stop() {
      if (state.isStopping) return;
      state.isStopping = true;
      await state.recovery;
      await releaseServer(launch, state.client, log);
    },
  };
}

/** The URL of the server that runs in this folder now, without starting or keeping it. */
export async function findRunning(dataDir: string): Promise<string | undefined> {
  const cluster = await findCluster(dataDir);
  const running = cluster && (await readPostmaster(cluster));
  if (!cluster || !running?.isLive || !running.isReady) return undefined;
  return urlFor(cluster, running.port, APP, APP);
}
