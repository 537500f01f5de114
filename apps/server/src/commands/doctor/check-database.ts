import { statfs } from 'node:fs/promises';
import type { Db } from '../../db/db.ts';
import { findWorkerBeat, writeToFreeSpace } from '../../db/health.sql.ts';
import { OLDEST_POSTGRESQL } from '../../db/sessions/connection-problem.ts';
import { countConnections } from '../../db/sessions/count-connections.ts';
import { POOLER_ADVICE as advice, sharesSessions } from '../../db/sessions/transaction-pooler.ts';
import type { Parts } from '../../program/parts.ts';
import type { Config } from '../../settings/config.ts';
import { countOwnSessions, findServerSettings, listGamesWithoutEndpoint, type ServerSettings } from './doctor.sql.ts';
import { type Finding, note, ok, wrong } from './finding.ts';

const MAX_SKEW_MS = 2_000;
const WORKER_SILENT_SECONDS = 120;
const LOW_BYTES = 2 * 1024 ** 3;

export function judgeServer({ version, major, isReadOnly }: ServerSettings): Finding {
  if (major < OLDEST_POSTGRESQL)
    return wrong('database', `PostgreSQL ${version}`, `Upgrade it to ${OLDEST_POSTGRESQL} or newer.`);
  if (!isReadOnly) return ok('database', `PostgreSQL ${version} answers and takes writes`);
  return wrong(
    'database',
    `PostgreSQL ${version} takes no writes: a standby, or set to read-only`,
    'Name the host that does in DATABASE_URL, or several and ?target_session_attrs=read-write.',
  );
}

export async function checkServer(db: Db): Promise<Finding[]> {
  const facts = await findServerSettings(db);
  const { fsync, synchronousCommit } = facts;
  return [
    judgeServer(facts),
    fsync === 'off' || synchronousCommit === 'off'
      ? wrong(
          'durability',
          `fsync is ${fsync}, synchronous_commit is ${synchronousCommit}`,
          'Set both to on: a lost commit is a lost purchase.',
        )
      : ok('durability', 'a commit is on the disk before it is answered'),
  ];
}

/** Opens them for a moment: a pooler's limit is written nowhere that this side can read. */
export async function checkConnections(db: Db, url: string, { operations }: Config): Promise<Finding> {
  const wanted = operations.databaseConnections * operations.processes;
  const inUse = await countOwnSessions(db);
  const more = await countConnections(url, Math.max(0, wanted - inUse));
  const beside = inUse > 0 ? ` (${inUse} of them are in use now)` : '';
  if (inUse + more >= wanted) return ok('connections', `all ${wanted} of DATABASE_CONNECTIONS can be had${beside}`);
  return wrong(
    'connections',
    `only ${inUse + more} of the ${wanted} of DATABASE_CONNECTIONS can be had${beside}; payments beyond them get 503`,
    'Give the pooler (default_pool_size) or the server (max_connections) more, or lower DATABASE_CONNECTIONS.',
  );
}

export async function checkPooler(url: string, { operations }: Config): Promise<Finding> {
  const { sessionUrl } = operations;
  if (sessionUrl !== undefined && (await sharesSessions(sessionUrl)))
    return wrong('pooler', 'DATABASE_SESSION_URL gives no whole sessions', advice);
  if (!(await sharesSessions(url))) return ok('pooler', 'each connection has a session of its own');
  return sessionUrl === undefined
    ? wrong('pooler', 'connections share sessions', advice)
    : ok('pooler', 'sessions are shared by transaction, and there is a way past it');
}

export async function checkSchemaFits({ schemaProblem }: Parts): Promise<Finding> {
  const problem = await schemaProblem();
  return problem === null
    ? ok('schema', 'the one that this program needs')
    : wrong('schema', problem, 'Run npm run migrate, or start the version that fits.');
}

export async function checkKey({ keyring }: Parts): Promise<Finding> {
  await keyring.load();
  return ok('master key', 'it opens the secrets of this database');
}

export async function checkClock({ clock }: Parts): Promise<Finding> {
  await clock.refresh();
  const skewMs = clock.skewMs();
  const says = `${(skewMs / 1000).toFixed(1)} s off the database's`;
  return Math.abs(skewMs) > MAX_SKEW_MS
    ? wrong('clock', says, 'Run NTP on this host and on that of the database: signatures carry the time.')
    : ok('clock', says);
}

export async function checkDisk(db: Db, { databaseUrl, dataDir }: Config): Promise<Finding> {
  await db.transaction(writeToFreeSpace);
  if (databaseUrl !== undefined) return ok('disk', 'the database can write');
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const says = `${(free / 1024 ** 3).toFixed(1)} GB free in ${dataDir}`;
  return free < LOW_BYTES
    ? note('disk', says, 'Free disk space: on a full disk no order is taken. An order takes about 7 KB.')
    : ok('disk', says);
}

export async function checkWorker(db: Db): Promise<Finding> {
  const beat = await findWorkerBeat(db);
  if (beat && beat.secondsAgo <= WORKER_SILENT_SECONDS)
    return ok('worker', `one was at work ${Math.round(beat.secondsAgo)} s ago`);
  const says = beat ? `none was at work for ${Math.round(beat.secondsAgo)} s` : 'none was ever at work';
  return note('worker', says, 'Start the program, or a process with the command work.');
}

export async function checkGameEndpoints(db: Db): Promise<Finding[]> {
  const games = await listGamesWithoutEndpoint(db);
  if (games.length === 0) return [ok('games', 'every live game with orders has an endpoint for its items')];
  return games.map(({ name, environmentId }) =>
    wrong(
      'games',
      `${name} (${environmentId}) has live orders and no endpoint that takes item.add`,
      'Register one, or its paid orders are held and then refunded: docs/guides/webhook-receiver.md',
    ),
  );
}
