import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../../apps/server/src/db/embedded/start-embedded.ts';
import { migrate } from '../../../apps/server/src/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run; each test file makes its own database in it from `template_coinslot`. */
    databaseUrl: string;
  }
}

const PREFIX = 'coinslot-test-';
const TEMPLATE = 'template_coinslot';
// Tests check what is committed, not what survives a power cut: the launcher's own tests run with fsync on.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '500',
  // Guards a password that is read from a file here, and is paid for by each of some ten thousand connections of a run.
  scram_iterations: '1',
  // Its log is kept in memory too.
  max_wal_size: '512MB',
};

const MEMORY = '/dev/shm';
const GIB = 2 ** 30;

/**
 * In memory where Linux has enough of it: a run makes and drops hundreds of databases of 700 files each, which takes ext4 six times
 * as much of a processor. The lab of a million orders, which says so by `FLAT_ORDERS`, stays on the disk.
 */
async function findPlace(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined);
  const isEnough = found && found.bavail * found.bsize > 2 * GIB && freemem() > 4 * GIB;
  return isEnough && process.env.FLAT_ORDERS === undefined ? MEMORY : tmpdir();
}

const start = (dataDir: string) => startEmbedded({ dataDir, settings, log: message => console.error(message) });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A run that was killed leaves its server behind. */
async function removeAbandoned(place: string): Promise<void> {
  for (const name of await readdir(place).catch(() => [])) {
    const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0] : Number.NaN);
    if (!Number.isInteger(pid) || isAlive(pid)) continue;
    const dataDir = join(place, name);
    await start(dataDir)
      .then(left => left.stop())
      .catch(() => {});
    await rm(dataDir, { recursive: true, force: true }).catch(() => {});
  }
}

async function migrateTemplate(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const url = new URL(adminUrl);
  url.pathname = `/${TEMPLATE}`;
  await migrate(url.href);
}

export interface TestServer {
  url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL with the migrated template, for as long as this process runs. */
export async function startTestServer(): Promise<TestServer> {
  for (const place of [MEMORY, tmpdir()]) await removeAbandoned(place);
  const dataDir = await mkdtemp(join(await findPlace(), `${PREFIX}${process.pid}-`));
  const embedded = await start(dataDir);
  const stop = async (): Promise<void> => {
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  await migrateTemplate(embedded.url).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url: embedded.url, stop };
}

/** Each project of a run loads this file for itself, and all share one server. */
const shared = globalThis as { coinslotTestServer?: { users: number; server: Promise<TestServer> } };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.coinslotTestServer ??= { users: 0, server: startTestServer() };
  const { coinslotTestServer: current } = shared;
  current.users++;
  const server = await current.server;
  project.provide('databaseUrl', server.url);
  return async () => {
    current.users--;
    if (current.users > 0) return;
    shared.coinslotTestServer = undefined;
    await server.stop();
  };
}
