import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../../kit/clock.ts';
import { ADMIN, type Cluster } from './cluster.ts';
import { EmbeddedError } from './embedded-error.ts';
import {
  freePort,
  type Postmaster,
  readPostmaster,
  type Started,
  spawnPostmaster,
  stopPostmaster,
  usesSocket,
} from './postmaster.ts';

export interface Launch {
  cluster: Cluster;
  runtimeDir: string;
  settings: Record<string, string>;
  port: number;
  /** The URL was handed out, so a restart must listen where it did. */
  isPortFixed: boolean;
}

/** This process's share in the running server; as long as its session lives, no other process stops it. */
export interface ServerLease {
  client: pg.Client;
  /** Another process started it. */
  adopted: boolean;
}

export const USERS_LOCK = 4242_0002;
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 60_000;
const POLL_MS = 10;
export const RESTART_PAUSE_MS = 500;

// Another process is starting the same server, or the last sessions of a killed one are still leaving.
const ANOTHER_STARTS = /lock file "[^"]*" already exists|pre-existing shared memory block|Address already in use/;
const WRONG_PASSWORD = '28P01';

export function urlFor(cluster: Cluster, port: number, user: string, database: string): string {
  const place = usesSocket(cluster)
    ? `localhost/${database}?host=${encodeURIComponent(cluster.dir)}`
    : `127.0.0.1:${port}/${database}`;
  return `postgresql://${user}:${cluster.password}@${place}`;
}

/**
 * Who uses the server is known by a shared lock that each process holds in a session of its own: the kernel ends the
 * session with the process, so no crash leaves a wrong count. A process that gets the lock alone may stop it.
 */
async function join(cluster: Cluster, port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: urlFor(cluster, port, ADMIN, 'postgres'),
    application_name: 'coinslot-keeper',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1)', [USERS_LOCK]);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

async function tryJoin(cluster: Cluster, running: Postmaster | undefined): Promise<pg.Client | undefined> {
  const mayAnswer = running?.isLive ? running.isReady : usesSocket(cluster);
  if (!mayAnswer) return undefined;
  try {
    return await join(cluster, running?.port ?? 0);
  } catch (error) {
    if ((error as { code?: string }).code === WRONG_PASSWORD) {
      throw new EmbeddedError(`The password in ${cluster.home}/password is not that of the server.`, { cause: error });
    }
    return undefined;
  }
}

/** Finds the running server or starts one, and takes the shared lock in it. Safe to call from two processes at once. */
export async function leaseServer(launch: Launch): Promise<ServerLease> {
  const { cluster } = launch;
  const giveUpAtMs = systemClock.nowMs() + READY_TIMEOUT_MS;
  let started: Started | undefined;
  while (systemClock.nowMs() < giveUpAtMs) {
    const running = await readPostmaster(cluster);
    const client = await tryJoin(cluster, running);
    if (client) return { client, adopted: running?.pid !== started?.child.pid };

    const failure = await started?.failure();
    if (failure && !ANOTHER_STARTS.test(failure)) {
      throw new EmbeddedError(`PostgreSQL did not start (${failure}). Its log is ${cluster.logFile}.`);
    }
    if (!running?.isLive && (!started || failure)) {
      if (failure) await pause(RESTART_PAUSE_MS);
      if (!launch.isPortFixed && !usesSocket(cluster)) launch.port = await freePort();
      started = await spawnPostmaster(cluster, launch.runtimeDir, launch.port, launch.settings);
    }
    await pause(POLL_MS);
  }
  throw new EmbeddedError(
    `PostgreSQL was not ready after ${READY_TIMEOUT_MS / 1000} s. Its log is ${cluster.logFile}.`,
  );
}

/** Gives the shared lock back. The process that then gets it alone is the last one and stops the server. */
export async function releaseServer(launch: Launch, keeper: pg.Client, log: (message: string) => void): Promise<void> {
  try {
    await keeper.query('select pg_advisory_unlock_shared($1)', [USERS_LOCK]);
    const { rows } = await keeper.query('select pg_try_advisory_lock($1) as alone', [USERS_LOCK]);
    const isAlone: boolean = rows[0]?.alone === true;
    if (isAlone && !(await stopPostmaster(launch.cluster, launch.runtimeDir, STOP_TIMEOUT_MS))) {
      log(`The embedded PostgreSQL is still writing; it ends by itself. Its log is ${launch.cluster.logFile}.`);
    }
  } catch (error) {
    log(`The embedded PostgreSQL had already ended: ${(error as Error).message}`);
  } finally {
    await keeper.end().catch(() => {});
  }
}
