import type { NumberedRow, RowsStatement, Send } from '../sql.ts';
import type { Work } from '../transaction.ts';
import { batchRows, eachRowAlone } from './batch-rows.ts';
import { type CoalesceOptions, coalesce } from './coalesce.ts';
import { shareCommits } from './share-commits.ts';

/** All that the program knows of batching. What it does and what it is worth stands in README.md beside this file. */
export interface Batching {
  /** A transaction that may share its commit with others that come at the same time and have other keys. */
  shared<T>(key: string, work: Work<T>): Promise<T>;
  /** One row's answer from a statement for many: callers of one moment share the statement. */
  queryRow<Row extends NumberedRow, Answer>(
    statement: RowsStatement<Row, Answer>,
    row: Row,
  ): Promise<Answer | undefined>;
  /** How long the oldest shared transaction has been under way; 0: none is. */
  oldestBatchMs(): number;
  /** Calls that come while earlier ones are under way are run together, as one transaction. */
  coalesce<In, Out>(options: CoalesceOptions<In, Out>): (input: In) => Promise<Out>;
}

/** Which of the three are used. All are, except where the bench measures what each is worth. */
export interface BatchingSwitches {
  sharedCommits: boolean;
  batchedRows: boolean;
  coalescing: boolean;
}

export const ALL_BATCHING: BatchingSwitches = { sharedCommits: true, batchedRows: true, coalescing: true };

export interface BatchingOptions {
  send: Send;
  /** Several works in one transaction, which gives up early where a row is locked. */
  runTogether: (works: Work<unknown>[]) => Promise<unknown[]>;
  /** One work in a transaction of its own, with all the time that a caller has. */
  runAlone: <T>(work: Work<T>) => Promise<T>;
  switches: BatchingSwitches;
}

export function createBatching({ send, runTogether, runAlone, switches }: BatchingOptions): Batching {
  const batch = switches.batchedRows ? batchRows : eachRowAlone;
  // Sent once all requests that have arrived were read, not after each of them. A failure reaches the callers by their own
  // promises.
  const reads = batch({ send, schedule: setImmediate, onSent: sent => void sent.catch(() => {}) });
  const { share, oldestMs } = shareCommits({ runTogether, runAlone });
  return {
    shared: (key, work) => (switches.sharedCommits ? share(key, work) : runAlone(work)),
    oldestBatchMs: oldestMs,
    queryRow: (statement, row) => reads.forCaller().ask(statement, row),
    coalesce: <In, Out>(options: CoalesceOptions<In, Out>) =>
      coalesce<In, Out>({
        ...options,
        ...(!switches.coalescing && { maxBatch: 1, maxInFlight: Number.POSITIVE_INFINITY }),
        runTogether,
        runAlone,
      }),
  };
}
