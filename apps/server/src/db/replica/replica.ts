import { createTicker } from '../../jobs/ticker.ts';
import { AppError } from '../../kit/app-error.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Db } from '../db.ts';
import { sqlStateOf } from '../sessions/database-errors.ts';
import { countPassedPositions, findWrittenPosition } from './replica.sql.ts';

/** What a list may lack at most, whatever becomes of the replica. */
export const MOST_BEHIND_MS = 10_000;
const LOOK_EVERY_MS = 1_000;
const MOST_SAMPLES = 60;
const STATEMENT_TOO_LONG = '57014';

export interface Replica {
  /** Reads from the replica while it is known to be near enough, else from the main database. Writes nothing. */
  reader: Db;
  /** How old what it shows may be; null while it is away or has not been looked at. */
  behindMs(): number | null;
  /** Resolves when the reader shows everything that is committed now. */
  caughtUp(): Promise<void>;
  look(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface ReplicaOptions {
  main: Db;
  replica: Db;
  clock: Clock;
  onError: (error: unknown, source: string) => void;
}

interface Sample {
  atMs: number;
  lsn: string;
}

/** Compares where the main database writes with what the replica has replayed: a replica that is cut off cannot seem up to date. */
function createLag({ main, replica, clock }: Omit<ReplicaOptions, 'onError'>) {
  let samples: Sample[] = [];
  let shownAsOfMs: number | null = null;
  return {
    async look(): Promise<void> {
      const atMs = clock.nowMs();
      const { cluster, lsn } = await findWrittenPosition(main);
      samples = [...samples, { atMs, lsn }].slice(-MOST_SAMPLES);
      const passed = await countPassedPositions(
        replica,
        cluster,
        samples.map(sample => sample.lsn),
      );
      if (passed === null) shownAsOfMs = null;
      if (!passed) return;
      shownAsOfMs = samples[passed - 1]!.atMs;
      samples = samples.slice(passed - 1);
    },
    shownAsOfMs: () => shownAsOfMs,
    distrust(): void {
      shownAsOfMs = null;
    },
  };
}

type Read = <T>(ask: (db: Db) => Promise<T>) => Promise<T>;

const readerOf = (main: Db, read: Read): Db => ({
  ...main,
  query: statement => read(db => db.query(statement)),
  queryRow: (statement, row) => read(db => db.queryRow(statement, row)),
  transaction: work => read(db => db.transaction(work)),
});

export function createReplica(options: ReplicaOptions): Replica {
  const { main, replica, clock, onError } = options;
  const lag = createLag(options);
  const looked = new Set<() => void>();

  const behindMs = (): number | null => {
    const asOfMs = lag.shownAsOfMs();
    return asOfMs === null ? null : clock.nowMs() - asOfMs;
  };
  const isNear = (): boolean => (behindMs() ?? Number.POSITIVE_INFINITY) <= MOST_BEHIND_MS;

  async function look(): Promise<void> {
    try {
      await lag.look();
    } catch (error) {
      lag.distrust();
      throw error;
    } finally {
      for (const wake of looked) wake();
    }
  }

  /** What only reads may be asked again, so any failure of the replica is one of the main database or none. */
  async function read<T>(ask: (db: Db) => Promise<T>): Promise<T> {
    if (!isNear()) return ask(main);
    try {
      return await ask(replica);
    } catch (error) {
      if (sqlStateOf(error) === STATEMENT_TOO_LONG) throw error;
      if (!(error instanceof AppError)) lag.distrust();
      return ask(main);
    }
  }

  const ticker = createTicker({
    name: 'replica',
    everyMs: LOOK_EVERY_MS,
    work: async () => {
      await look();
      return false;
    },
    onError,
  });

  return {
    reader: readerOf(main, read),
    behindMs,
    async caughtUp() {
      const sinceMs = clock.nowMs();
      while (isNear() && lag.shownAsOfMs()! < sinceMs) {
        await new Promise<void>(resolve => {
          const wake = (): void => {
            looked.delete(wake);
            resolve();
          };
          looked.add(wake);
        });
      }
    },
    look,
    start: ticker.start,
    async stop() {
      await ticker.stop();
      lag.distrust();
      for (const wake of looked) wake();
      await replica.close();
    },
  };
}
