import type { Db } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import { findWorkerBeat, updateHeartbeat, writeToFreeSpace } from '../../db/health.sql.ts';
import { listInvalidIndexes } from '../../db/schema/invalid-indexes.ts';
import { isDatabaseUnavailable, sqlStateOf } from '../../db/sessions/database-errors.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Readiness } from './ops-door.ts';

export interface ReadinessOptions {
  pools: Record<string, Db>;
  clock: DbClock;
  /** Whether the secrets in the database can be opened. */
  keyProblem: () => Promise<string | null>;
  /** Whether the tables are those that this program knows. */
  schemaProblem: () => Promise<string | null>;
  uptimeSeconds: () => number;
  isStopping: () => boolean;
}

/** More, and what was signed here looks old or new to others. */
const MAX_SKEW_MS = 2_000;
const ANSWER_WITHIN_MS = 2_000;
/** So that a connection which never answered has waited for longer than the limit. */
const LATER_MS = 50;
/** Longer than a worker needs to start again. */
const WORKER_SILENT_SECONDS = 120;

const READ_ONLY = '25006';
/** PostgreSQL names what it refused; a connection that was lost names itself otherwise. */
const SQL_STATE = /^[0-9A-Z]{5}$/;

function problemOf(error: unknown): string {
  const state = sqlStateOf(error) ?? '';
  if (state === READ_ONLY) return 'the database is read-only';
  if (isDatabaseUnavailable(error) && !state.startsWith('53')) return 'the database cannot be reached';
  return SQL_STATE.test(state) ? 'the database takes no writes; is its disk full?' : 'the database cannot be reached';
}

/** The way of an order: a transaction that writes, under the limits of its pool. */
const checkPool = (db: Db): Promise<string | null> =>
  db.transaction(tx => updateHeartbeat(tx, 'readiness')).then(() => null, problemOf);

/** One server is behind all pools, so one of them asks for all. */
const checkDisk = (db: Db): Promise<string | null> => db.transaction(writeToFreeSpace).then(() => null, problemOf);

/** A string is what keeps orders from being completed. */
type Look = string | { warning: string } | null;

const SLOW = { warning: 'the database answers slowly' };

/** Orders wait for longer than a load balancer does: while every connection hears of the database, it is slow and not away. */
async function withinLimit(db: Db, check: Promise<Look>): Promise<Look> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Look>(resolve => {
    const say = (): void => resolve(db.usage().silentMs < ANSWER_WITHIN_MS ? SLOW : 'the database does not answer');
    timer = setTimeout(say, ANSWER_WITHIN_MS + LATER_MS);
  });
  const problem = await Promise.race([check, late]).catch(problemOf);
  clearTimeout(timer);
  return problem;
}

async function checkWorkers(db: Db, uptimeSeconds: number): Promise<string | null> {
  const secondsAgo = (await findWorkerBeat(db))?.secondsAgo ?? Number.POSITIVE_INFINITY;
  // After a start of everything the workers may come last.
  if (Math.min(secondsAgo, uptimeSeconds) <= WORKER_SILENT_SECONDS) return null;
  return `no worker was at work for ${WORKER_SILENT_SECONDS} s; is one running?`;
}

function checkClock(clock: DbClock): string | null {
  const skewMs = clock.skewMs();
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return null;
  return `the clock of this host is ${Math.round(skewMs / 1000)} s off the database's`;
}

/** A pooler or a server that has fewer sessions than the pools may open: the callers in excess get 503. */
function checkSessions(pools: readonly Db[]): Look {
  const usages = pools.map(db => db.usage());
  if (usages.every(({ shortAt }) => shortAt === null)) return null;
  const got = usages.reduce((sum, { open, shortAt }) => sum + (shortAt ?? open), 0);
  const wanted = usages.reduce((sum, { max }) => sum + max, 0);
  const advice = 'give its pooler or server more, or lower DATABASE_CONNECTIONS';
  return { warning: `only ${got} of ${wanted} connections to the database could be opened; ${advice}` };
}

async function checkIndexes(db: Db): Promise<Look> {
  const plain = (await listInvalidIndexes(db)).filter(({ isUnique }) => !isUnique);
  if (plain.length === 0) return null;
  const names = plain.map(({ name }) => name).join(', ');
  return {
    warning: `the index ${names} is not valid, so lists are slow; "reindex index concurrently" builds it again`,
  };
}

/** Red before money is touched, green at the next look after the cause is gone. */
export async function readinessOf(options: ReadinessOptions): Promise<Readiness> {
  const { pools, clock, keyProblem, schemaProblem, uptimeSeconds, isStopping } = options;
  if (isStopping()) return { ready: false, problems: ['the server is stopping'], warnings: [] };
  const list = Object.values(pools);
  const first = list[0]!;
  const ofFirst = (check: Promise<Look>): Promise<Look> => withinLimit(first, check);
  const found = await Promise.all([
    ...list.map(db => withinLimit(db, checkPool(db))),
    ofFirst(checkIndexes(first)),
    ofFirst(checkDisk(first)),
    ofFirst(checkWorkers(first, uptimeSeconds())),
    ofFirst(keyProblem()),
    ofFirst(schemaProblem()),
    ofFirst(
      clock.refresh().then(
        () => checkClock(clock),
        () => null,
      ),
    ),
  ]);
  const looks = [...found, checkSessions(list)].filter(look => look !== null);
  const problems = [...new Set(looks.filter(look => typeof look === 'string'))];
  const warnings = [...new Set(looks.filter(look => typeof look !== 'string').map(({ warning }) => warning))];
  return { ready: problems.length === 0, problems, warnings };
}

interface Liveness {
  problem(): string | null;
  stop(): void;
}

const STUCK_MS = 30_000;
const TICK_MS = 1_000;

/** Red only for what ends with this process: an event loop or a batch that has not moved for half a minute. */
export function watchLiveness(clock: Clock, oldestBatchMs: () => number): Liveness {
  let tickedMs = clock.nowMs();
  const timer = setInterval(() => {
    tickedMs = clock.nowMs();
  }, TICK_MS);
  timer.unref();
  return {
    problem() {
      if (clock.nowMs() - tickedMs > STUCK_MS) return 'the event loop stood still';
      if (oldestBatchMs() > STUCK_MS) return 'a shared transaction does not come to its end';
      return null;
    },
    stop: () => clearInterval(timer),
  };
}
