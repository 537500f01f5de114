import pg from 'pg';
import { batchRows, eachRowAlone, type RowBatches } from './batching/batch-rows.ts';
import { PreparedQuery } from './driver/prepared-query.ts';
import { SentRows } from './driver/sent-rows.ts';
import type { PoolGuard } from './pool-guard.ts';
import { assertReplicated } from './sessions/unreplicated.ts';
import type { NumberedRow, RowsStatement, Send, Statement } from './sql.ts';

/** What runs one statement. */
export interface StatementRunner {
  query<Row>(statement: Statement): Promise<Row[]>;
  /** The first row, for a statement that answers one at most. */
  queryOne<Row>(statement: Statement): Promise<Row | null>;
  /** The row of a statement that always answers one. */
  queryFirst<Row>(statement: Statement): Promise<Row>;
  /** The only column of the first row; null without a row. */
  queryValue<Value>(statement: Statement): Promise<Value>;
  /** Whether it answers any row: whether there is one, or one was written. */
  queryAny(statement: Statement): Promise<boolean>;
  /** A statement that answers nothing. */
  execute(statement: Statement): Promise<void>;
}

/** By the `query` of the object that has them, so that a wrapper which replaces that one replaces these too. */
export const BY_QUERY: Omit<StatementRunner, 'query'> = {
  async queryOne<Row>(this: StatementRunner, statement: Statement) {
    const [row] = await this.query<Row>(statement);
    return row ?? null;
  },
  async queryFirst<Row>(this: StatementRunner, statement: Statement) {
    const [row] = await this.query<Row>(statement);
    return row!;
  },
  async queryValue<Value>(this: StatementRunner, statement: Statement) {
    const [row] = await this.query<Record<string, Value>>(statement);
    return (row ? Object.values(row)[0] : null) as Value;
  },
  async queryAny(this: StatementRunner, statement: Statement) {
    const rows = await this.query(statement);
    return rows.length > 0;
  },
  async execute(this: StatementRunner, statement: Statement) {
    await this.query(statement);
  },
};

export interface Queryable extends StatementRunner {
  /** One row's answer from a statement for many: callers of one moment share the statement. */
  queryRow<Row extends NumberedRow, Answer>(
    statement: RowsStatement<Row, Answer>,
    row: Row,
  ): Promise<Answer | undefined>;
}

export interface Tx extends Queryable {
  /**
   * For the last statement: the commit travels with it, not after its answer, which saves a trip. What its caller does with
   * the answer must not fail, because nothing undoes the transaction then.
   */
  last: StatementRunner;
  /**
   * A statement whose answer the caller does not need. It travels at once, together with what follows, and the
   * commit waits for it: if it fails, the transaction fails.
   */
  write(statement: Statement): void;
  /** The same for rows of a statement for many: works that share the transaction share the statement. */
  writeRows<Row extends NumberedRow>(statement: RowsStatement<Row>, rows: readonly Row[]): void;
  /** Runs once the transaction is durable, never when it rolled back. For wake-ups, not for anything that must happen. */
  afterCommit(work: () => void): void;
}

export type Work<T> = (tx: Tx) => Promise<T>;

export interface TransactionOptions {
  guard: PoolGuard;
  /** Absent: the session's own limit. */
  lockLimitMs?: number;
  batchedRows: boolean;
  onFailure: (error: unknown) => void;
}

// Row types are asserted here and nowhere else: each statement's function names what its columns are.
async function run<Row>(client: pg.PoolClient, statement: Statement): Promise<Row[]> {
  try {
    return (await new Promise<object[]>((resolve, reject) => {
      void client.query(new PreparedQuery(statement, (error, rows) => (error ? reject(error) : resolve(rows))));
    })) as Row[];
  } catch (error) {
    // The driver's stack ends at the socket. The caller's stack says which statement failed.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}

/** What is sent within one turn of the event loop travels in one packet. */
function packing(client: pg.PoolClient): () => void {
  // The types know the connection of a client, and a client of the pool is one.
  const { stream } = (client as pg.PoolClient & pg.Client).connection;
  let isOpen = false;
  return () => {
    if (isOpen) return;
    isOpen = true;
    stream.cork();
    process.nextTick(() => {
      isOpen = false;
      stream.uncork();
    });
  };
}

/** pg would refuse these only while it sends the rest, and the commit behind them could still succeed. */
function assertSendable({ name, values }: Statement): void {
  for (const value of values) {
    const isPlain = typeof value !== 'object' || value === null || Array.isArray(value);
    if (!isPlain && !(value instanceof Date) && !(value instanceof Uint8Array) && !(value instanceof SentRows)) {
      throw new TypeError(`${name} was given an object; write it as JSON text`);
    }
  }
}

const failureIn = (settled: PromiseSettledResult<unknown>[]): unknown =>
  settled.find((one): one is PromiseRejectedResult => one.status === 'rejected')?.reason;

const beginning = (lockLimitMs: number | undefined): string =>
  lockLimitMs === undefined ? 'begin' : `begin; set local lock_timeout = ${lockLimitMs}`;

interface Statements {
  batches: RowBatches;
  send: Send;
  sendLast: Send;
  assertOpen: (name: string) => void;
  awaitAtEnd: (written: Promise<unknown>) => void;
  after: (() => void)[];
}

function openTx({ batches, send, sendLast, assertOpen, awaitAtEnd, after }: Statements): Tx {
  const rows = batches.forCaller();
  // Named one by one: of a spread with properties behind it the engine makes a slower object, and every work has these two.
  const { queryOne, queryFirst, queryValue, queryAny, execute } = BY_QUERY;
  const queryBy =
    (sendOne: Send): Send =>
    <Row>(statement: Statement) => {
      batches.flush();
      return sendOne<Row>(statement);
    };
  return {
    query: queryBy(send),
    queryOne,
    queryFirst,
    queryValue,
    queryAny,
    execute,
    last: { query: queryBy(sendLast), queryOne, queryFirst, queryValue, queryAny, execute },
    queryRow(statement, row) {
      assertOpen(statement.name);
      return rows.ask(statement, row);
    },
    write(statement) {
      assertSendable(statement);
      batches.flush();
      awaitAtEnd(send(statement));
    },
    writeRows(statement, given) {
      assertOpen(statement.name);
      rows.write(statement, given);
    },
    afterCommit: later => after.push(later),
  };
}

async function runAll(
  client: pg.PoolClient,
  works: Work<unknown>[],
  { guard, lockLimitMs, batchedRows }: TransactionOptions,
): Promise<unknown[]> {
  const after: (() => void)[] = [];
  const writes: Promise<unknown>[] = [];
  const pack = packing(client);
  let isOver = false;
  const assertOpen = (name: string): void => {
    if (isOver) throw new Error(`${name} came after the end of its transaction`);
  };
  const send = <Row>(statement: Statement): Promise<Row[]> => {
    assertOpen(statement.name);
    pack();
    return run<Row>(client, statement);
  };
  let committing: Promise<pg.QueryResult> | undefined;
  const commit = (): Promise<pg.QueryResult> => {
    isOver = true;
    pack();
    const committed = client.query('commit');
    committed.catch(() => {});
    return committed;
  };
  const sendLast = <Row>(statement: Statement): Promise<Row[]> => {
    const answer = send<Row>(statement);
    // The others that share the transaction may not be through.
    if (works.length === 1) committing = commit();
    return answer;
  };
  const awaitAtEnd = (written: Promise<unknown>): void => {
    written.catch(() => {});
    writes.push(written);
  };
  const batches = (batchedRows ? batchRows : eachRowAlone)({
    send,
    schedule: process.nextTick,
    onSent: awaitAtEnd,
  });
  const txOfWork = (): Tx => openTx({ batches, send, sendLast, assertOpen, awaitAtEnd, after });
  pack();
  const begun = client.query(beginning(lockLimitMs));
  begun.catch(() => {});
  // All must have come to an end before the transaction does: what one sent after it would stand outside.
  const settled = await Promise.allSettled(works.map(work => guard.runInside(() => work(txOfWork()))));
  batches.flush();
  isOver = true;
  const failure = failureIn(settled);
  if (failure !== undefined) throw failure;
  // The server commits only if everything before it went well; otherwise it rolls back, and the failed write reports it.
  const [committed] = await Promise.all([committing ?? commit(), begun, ...writes]);
  // A caller that swallowed a failed statement must not take its transaction for durable.
  if (committed.command !== 'COMMIT') throw new Error('the transaction was rolled back: a statement in it had failed');
  assertReplicated(client);
  for (const later of after) later();
  return settled.map(one => (one as PromiseFulfilledResult<unknown>).value);
}

/** One statement that is a transaction of its own; the connection goes back, or away if it failed in it. */
export async function runOnce<Row>(
  client: pg.PoolClient,
  statement: Statement,
  onFailure: TransactionOptions['onFailure'],
): Promise<Row[]> {
  try {
    const rows = await run<Row>(client, statement);
    assertReplicated(client);
    client.release();
    return rows;
  } catch (error) {
    onFailure(error);
    // What the database itself refused leaves the connection whole.
    client.release(!(error instanceof pg.DatabaseError));
    throw error;
  }
}

/** One transaction for one or several works: all of it is durable when this resolves, none of it when it rejects. */
export async function runTransaction(
  client: pg.PoolClient,
  works: Work<unknown>[],
  options: TransactionOptions,
): Promise<unknown[]> {
  let broken: Error | undefined;
  const lost = (error: Error): void => {
    broken = error;
  };
  // The pool listens only while the connection rests with it. Cut between two statements and unheard, it would end the program.
  client.on('error', lost);
  try {
    return await runAll(client, works, options);
  } catch (error) {
    options.onFailure(error);
    await client.query('rollback').catch(lost);
    throw error;
  } finally {
    client.off('error', lost);
    client.release(broken);
  }
}
