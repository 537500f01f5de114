import type { Db } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import { findWorkerBeat, updateHeartbeat, writeToFreeSpace } from '../../db/health.sql.ts';
import { isDatabaseUnavailable, sqlStateOf } from '../../db/sessions/database-errors.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Readiness } from './ops-door.ts';

export interface ReadinessOptions {
  /** Every pool that an order goes through, by name. */
  pools: Record<string, Db>;
  clock: DbClock;
  /** Whether the secrets in the database can be opened. */
  keyProblem: () => Promise<string | null>;
  /** Whether the tables are those that this program knows. */
  schemaProblem: () => Promise<string | null>;
  /** Seconds since this process began. */
  uptimeSeconds: () => number;
  isStopping: () => boolean;
}

/** More, and what was signed here looks old or new to others. */
const MAX_SKEW_MS = 2_000;
const ANSWER_WITHIN_MS = 2_000;
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

async function withinLimit(check: Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve('the database does not answer'), ANSWER_WITHIN_MS);
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

/** Red before money is touched, green at the next look after the cause is gone. */
export async function readinessOf(options: ReadinessOptions): Promise<Readiness> {
  const { pools, clock, keyProblem, schemaProblem, uptimeSeconds, isStopping } = options;
  if (isStopping()) return { ready: false, problems: ['the server is stopping'] };
  const checks = Object.values(pools).map(db => withinLimit(checkPool(db)));
  const [first] = Object.values(pools);
  const workers = withinLimit(checkWorkers(first!, uptimeSeconds()));
  const found = await Promise.all([
    ...checks,
    withinLimit(checkDisk(first!)),
    workers,
    withinLimit(keyProblem()),
    withinLimit(schemaProblem()),
    clock.refresh().then(
      () => checkClock(clock),
      () => null,
    ),
  ]);
  const problems = [...new Set(found.filter(problem => problem !== null))];
  return { ready: problems.length === 0, problems };
}

interface Liveness {
  /** What a restart would mend, in words for the operator; null: nothing. */
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
