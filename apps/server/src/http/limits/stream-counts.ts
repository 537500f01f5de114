import type { Queryable } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { assertCapacity } from './budgets.ts';
import { countOpenStreams, deleteOpenStreams, upsertOpenStreams } from './stream-count.sql.ts';

/** The streams of a company over all processes of the database. */
export interface StreamCounts {
  /** Refuses one that is beyond the budget; 0 is no limit. Returns what gives its place back. */
  open(companyId: string, most: number): Promise<() => void>;
  count(companyId: string): Promise<number>;
  stop(): Promise<void>;
}

const RETRY_SECONDS = 30;
/** A third of the time after which a process that says nothing counts as dead. */
const REFRESH_MS = 30_000;

/**
 * Each process keeps a row for each company that has streams at it, and a new stream is counted over all rows. Two that are opened at
 * two processes in the same moment may not see each other, so that a company can have one more for each process.
 */
export function createStreamCounts(db: Queryable, onError: (error: unknown, source: string) => void): StreamCounts {
  const processId = newId('prc');
  const here = new Map<string, number>();
  let underWay: Promise<void> = Promise.resolve();
  let hasRows = false;

  /** One after the other, and each with what is open then: a late write never puts an older number back. */
  const write = (companyId: string): Promise<void> => {
    hasRows = true;
    const written = underWay.then(() =>
      upsertOpenStreams(db, processId, [{ companyId, open: here.get(companyId) ?? 0 }]),
    );
    underWay = written.catch(error => onError(error, 'streams'));
    return written;
  };

  function add(companyId: string, change: number): Promise<void> {
    const open = (here.get(companyId) ?? 0) + change;
    if (open > 0) here.set(companyId, open);
    else here.delete(companyId);
    return write(companyId);
  }

  async function refresh(): Promise<void> {
    if (here.size === 0) return;
    await upsertOpenStreams(
      db,
      processId,
      [...here].map(([companyId, open]) => ({ companyId, open })),
    );
  }
  const timer = setInterval(() => {
    underWay = underWay.then(refresh).catch(error => onError(error, 'streams'));
  }, REFRESH_MS).unref();

  return {
    async open(companyId, most) {
      let isOpen = true;
      const leave = (): void => {
        if (isOpen) void add(companyId, -1).catch(() => {});
        isOpen = false;
      };
      try {
        await add(companyId, 1);
        if (most > 0) assertCapacity('open streams', (await countOpenStreams(db, companyId)) - 1, most, RETRY_SECONDS);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    },
    count: companyId => countOpenStreams(db, companyId),
    async stop() {
      clearInterval(timer);
      await underWay;
      if (hasRows) await deleteOpenStreams(db, processId).catch(error => onError(error, 'streams'));
    },
  };
}
