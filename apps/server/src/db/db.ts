import pg from 'pg';
import { AppError } from '../kit/app-error.ts';
import { batchRows } from './batching/batch-rows.ts';
import { shareCommits } from './batching/share-commits.ts';
import type { Statement } from './sql.ts';
import { type Queryable, run, runTransaction, type Work } from './transaction.ts';

export type { Queryable, Tx } from './transaction.ts';

export interface Db extends Queryable {
  transaction<T>(work: Work<T>): Promise<T>;
  /** A transaction that may share its commit with others that come at the same time and have other keys. */
  shared<T>(key: string, work: Work<T>): Promise<T>;
  /** Open connections, of those idle, and callers that wait for one. */
  usage(): { open: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface DbOptions {
  url: string;
  maxConnections: number;
  onError: (error: Error) => void;
  /** The money path runs the same few statements all day: one plan for each, never a new one for new values. */
  fixedPlans?: boolean;
  /** How long a caller waits for a free connection before it is told to come back later. */
  waitForConnectionMs?: number;
}

/**
 * Every statement here finds its rows by index. A plan made while a table was nearly empty would read it whole, stay with
 * the prepared statement, and get slower with every row; so the planner may not choose such a plan at all.
 */
const INDEXED_PLANS = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off';

const FIXED_PLANS = `${INDEXED_PLANS} -c plan_cache_mode=force_generic_plan`;

/**
 * A transaction here never waits for anything but the database. One that does nothing for this long belongs to a process
 * that stands still, and the orders it has locked are needed by the others.
 */
const STALLED_AFTER = '-c idle_in_transaction_session_timeout=10s';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const MAX_TRIES = 4;

const types = new pg.TypeOverrides();
// Amounts stay below 2^53 by rule, so a plain number is exact.
types.setTypeParser(pg.types.builtins.INT8, Number);

export const sqlStateOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export const constraintOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined;

const mayRetry = (error: unknown): boolean => [SERIALIZATION_FAILURE, DEADLOCK].includes(sqlStateOf(error) ?? '');

function asUnavailable(error: unknown): unknown {
  const isTimeout = error instanceof Error && error.message.includes('timeout exceeded when trying to connect');
  return isTimeout
    ? new AppError('unavailable', { detail: 'All database connections are in use. Try again shortly.' })
    : error;
}

export function createDb({ url, maxConnections, onError, fixedPlans, waitForConnectionMs = 5_000 }: DbOptions): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types,
    pipeline: true,
    connectionTimeoutMillis: waitForConnectionMs,
    idleTimeoutMillis: 60_000,
    application_name: 'coinslot',
    options: `${fixedPlans ? FIXED_PLANS : INDEXED_PLANS} ${STALLED_AFTER}`,
  });
  pool.on('error', onError);
  // A connection that is handed from one caller to the next has no listener for a moment. If the word that it was cut
  // comes in the same packet as the last answer, it comes in that moment, and unheard it would end the program.
  pool.on('connect', client => client.on('error', () => {}));
  const connect = (): Promise<pg.PoolClient> =>
    pool.connect().catch((error: unknown) => Promise.reject(asUnavailable(error)));
  const runTogether = async (works: Work<unknown>[]): Promise<unknown[]> => runTransaction(await connect(), works);

  async function transaction<T>(work: Work<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const [result] = await runTogether([work]);
        return result as T;
      } catch (error) {
        if (tries >= MAX_TRIES || !mayRetry(error)) throw error;
      }
    }
  }

  const query = <Row>(statement: Statement): Promise<Row[]> =>
    run<Row>(pool, statement).catch((error: unknown) => Promise.reject(asUnavailable(error)));
  // The waiters hear of a failure themselves.
  const reads = batchRows({ send: query, schedule: process.nextTick, onSent: sent => void sent.catch(() => {}) });

  return {
    query,
    queryRow: (statement, row) => reads.forCaller().ask(statement, row),
    transaction,
    shared: shareCommits({ runTogether, runAlone: transaction }),
    usage: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}
