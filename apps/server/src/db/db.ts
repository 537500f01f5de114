import pg from 'pg';
import { AppError } from '../kit/app-error.ts';
import type { Statement } from './sql.ts';

export interface Queryable {
  query<Row>(statement: Statement): Promise<Row[]>;
}

export interface Tx extends Queryable {
  /**
   * A statement whose answer nobody needs. It travels at once, together with what follows, and the commit waits for it:
   * if it fails, the transaction fails.
   */
  write(statement: Statement): void;
  /** Runs once the transaction is durable, never when it rolled back. For wake-ups, not for anything that must happen. */
  afterCommit(work: () => void): void;
}

export interface Db extends Queryable {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface DbOptions {
  url: string;
  maxConnections: number;
  onError: (error: Error) => void;
  /** How long a caller waits for a free connection before it is told to come back later. */
  waitForConnectionMs?: number;
}

/**
 * Every statement here finds its rows by index. A plan made while a table was nearly empty would read it whole, stay with
 * the prepared statement, and get slower with every row; so the planner may not choose such a plan at all.
 */
const INDEXED_PLANS = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';

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

// Row types are asserted here and nowhere else: each statement's function names what its columns are.
async function run<Row>(client: pg.Pool | pg.PoolClient, statement: Statement): Promise<Row[]> {
  const result = await client.query(statement);
  return result.rows as Row[];
}

function asUnavailable(error: unknown): unknown {
  const isTimeout = error instanceof Error && error.message.includes('timeout exceeded when trying to connect');
  return isTimeout
    ? new AppError('unavailable', { detail: 'All database connections are in use. Try again shortly.' })
    : error;
}

async function attempt<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => Promise.reject(asUnavailable(error)));
  const after: (() => void)[] = [];
  const writes: Promise<unknown>[] = [];
  // The types know the connection of a client, and a client of the pool is one.
  const { stream } = (client as pg.PoolClient & pg.Client).connection;
  let isHeld = false;
  let broken: Error | undefined;
  const lost = (error: Error): void => {
    broken = error;
  };
  // The pool listens only while the connection rests with it. Cut between two statements and unheard, it would end the program.
  client.on('error', lost);
  // What nobody waits for is held until something is, and then all of it travels in one packet.
  const hold = (written: Promise<unknown>): void => {
    written.catch(() => {});
    writes.push(written);
  };
  const holding = (): pg.PoolClient => {
    if (!isHeld) stream.cork();
    isHeld = true;
    return client;
  };
  const send = <Sent>(sent: Sent): Sent => {
    if (isHeld) stream.uncork();
    isHeld = false;
    return sent;
  };
  try {
    hold(holding().query('begin'));
    const result = await work({
      query: statement => send(run(client, statement)),
      write: statement => hold(holding().query(statement)),
      afterCommit: later => after.push(later),
    });
    // The server commits only if everything before it went well; otherwise it rolls back, and the failed write tells.
    const [committed] = await Promise.all([send(client.query('commit')), ...writes]);
    // A caller that swallowed a failed statement must not be told that its transaction is durable.
    if (committed.command !== 'COMMIT')
      throw new Error('the transaction was rolled back: a statement in it had failed');
    for (const later of after) later();
    return result;
  } catch (error) {
    await send(client.query('rollback')).catch(lost);
    throw error;
  } finally {
    client.off('error', lost);
    client.release(broken);
  }
}

export function createDb({ url, maxConnections, onError, waitForConnectionMs = 5_000 }: DbOptions): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    types,
    pipeline: true,
    connectionTimeoutMillis: waitForConnectionMs,
    idleTimeoutMillis: 60_000,
    application_name: 'coinslot',
    options: INDEXED_PLANS,
  });
  pool.on('error', onError);
  // A connection that is handed from one caller to the next has no listener for a moment. If the word that it was cut
  // comes in the same packet as the last answer, it comes in that moment, and unheard it would end the program.
  pool.on('connect', client => client.on('error', () => {}));
  return {
    query: statement => run<never>(pool, statement).catch((error: unknown) => Promise.reject(asUnavailable(error))),
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(pool, work);
        } catch (error) {
          if (tries >= MAX_TRIES || !mayRetry(error)) throw error;
        }
      }
    },
    close: () => pool.end(),
  };
}
