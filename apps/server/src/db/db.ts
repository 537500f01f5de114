import type { ErrorCode } from '@coinslot/contract';
import pg from 'pg';
import { AppError } from '../kit/app-error.ts';
import { ALL_BATCHING, type Batching, type BatchingSwitches, createBatching } from './batching/batching.ts';
import { createFollowingGuard, createStackGuard } from './pool-guard.ts';
import { sqlStateOf } from './sessions/database-errors.ts';
import { createPool, type PoolUsage } from './sessions/pool.ts';
import { MONEY_LIMITS, type SessionLimits } from './sessions/session.ts';
import { createTrust, type Trust } from './sessions/trust.ts';
import type { Statement } from './sql.ts';
import { BY_QUERY, type Queryable, runOnce, runTransaction, type Work } from './transaction.ts';

export type { Queryable, StatementRunner, Tx } from './transaction.ts';

/** A pool of connections. Inside one of its transactions every method throws (see `pool-guard.ts`): there is `tx`. */
export interface Db extends Queryable, Batching {
  transaction<T>(work: Work<T>): Promise<T>;
  usage(): PoolUsage;
  close(): Promise<void>;
}

export interface DbOptions {
  url: string;
  maxConnections: number;
  onError: (error: Error) => void;
  /** The money path runs the same few statements all day: one plan for each, never a new one for new values. */
  fixedPlans?: boolean;
  /** Those of the money path, if nothing is said. */
  limits?: SessionLimits;
  /** How long a caller waits for a free connection before it is asked to come back later. */
  waitForConnectionMs?: number;
  /** Behind a pooler that hands sessions out by transaction. */
  byTransaction?: boolean;
  /** For a replica, which takes no writes. */
  readOnly?: boolean;
  /** Whether each call is followed, to refuse all from inside a transaction and not only those that would wait; yes if nothing is said. */
  isFollowing?: boolean;
  /** Shared by the pools of one database, so that none learns from a silence of its own what another knows. */
  trust?: Trust;
  /** For the bench. */
  batching?: Partial<BatchingSwitches>;
}

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const MAX_TRIES = 4;

export const constraintOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined;

/** For `catch`: a broken constraint becomes the error that callers know. */
export const orConflict =
  (constraint: string, code: ErrorCode) =>
  (error: unknown): never => {
    throw constraintOf(error) === constraint ? new AppError(code, { cause: error }) : error;
  };

const mayRetry = (error: unknown): boolean => [SERIALIZATION_FAILURE, DEADLOCK].includes(sqlStateOf(error) ?? '');

/** Works that share a transaction wait no longer than this for a row; then each goes alone, and only one waits on. */
const SHARED_LOCK_MS = 250;

const USUAL = {
  fixedPlans: false,
  waitForConnectionMs: 5_000,
  limits: MONEY_LIMITS,
  byTransaction: false,
  readOnly: false,
};

export function createDb(options: DbOptions): Db {
  const switches = { ...ALL_BATCHING, ...options.batching };
  const pool = createPool({ ...USUAL, trust: createTrust(), ...options });
  const guard = options.isFollowing === false ? createStackGuard(pool.hasFree) : createFollowingGuard();
  const inTransaction = { guard, batchedRows: switches.batchedRows, onFailure: pool.judge };
  const inShared = { lockLimitMs: SHARED_LOCK_MS, ...inTransaction };

  async function send<Row>(statement: Statement): Promise<Row[]> {
    const client = await pool.connect();
    return runOnce<Row>(client, statement, pool.judge);
  }

  const runTogether = async (works: Work<unknown>[]): Promise<unknown[]> =>
    runTransaction(await pool.connect(), works, inShared);

  async function runAlone<T>(work: Work<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const [result] = await runTransaction(await pool.connect(), [work], inTransaction);
        return result as T;
      } catch (error) {
        if (tries >= MAX_TRIES || !mayRetry(error)) throw error;
      }
    }
  }

  const batching = createBatching({ send, runTogether, runAlone, switches });
  return {
    ...BY_QUERY,
    query(statement) {
      guard.assertOutside();
      return send(statement);
    },
    queryRow(statement, row) {
      guard.assertOutside();
      return batching.queryRow(statement, row);
    },
    transaction(work) {
      guard.assertOutside();
      return runAlone(work);
    },
    shared(key, work) {
      guard.assertOutside();
      return batching.shared(key, work);
    },
    coalesce(many) {
      const call = batching.coalesce(many);
      return input => {
        guard.assertOutside();
        return call(input);
      };
    },
    oldestBatchMs: batching.oldestBatchMs,
    usage: pool.usage,
    close: () => pool.end(),
  };
}
