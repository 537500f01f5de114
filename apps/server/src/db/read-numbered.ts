import type { Db, Queryable, Tx } from './db.ts';
import {
  findNewestSeq,
  listWriters,
  lockPosition,
  type NumberedReader,
  type NumberedTable,
  type Position,
  updatePosition,
} from './read-numbered.sql.ts';

/** The rows numbered above `after`, up to and with `upTo`. */
export interface Span {
  after: number;
  upTo: number;
}

const BATCH = 5_000;

/**
 * How far a reader may go now.
 *
 * A number is drawn before its transaction commits, so a higher one may be seen while a lower one is still to come. Numbers
 * are drawn in ascending order by transactions that hold a lock on the table until they end. So once the newest number is
 * known, every transaction that may still bring a lower one is among those that hold the lock, and when these have ended,
 * however long that takes, a new look at the table sees everything up to that number.
 */
export async function settle(db: Queryable, table: NumberedTable, position: Position): Promise<Position> {
  const { seq } = position;
  const nextSeq = position.nextSeq ?? (await findNewestSeq(db, table));
  if (nextSeq === null || nextSeq <= seq) return { seq, nextSeq: null, waitsFor: [] };
  const writers = await listWriters(db, table);
  const waitsFor = position.nextSeq === null ? writers : position.waitsFor.filter(one => writers.includes(one));
  return { seq, nextSeq, waitsFor };
}

/**
 * Hands every row of a numbered table to `work` exactly once, whichever worker reads: the position moves in the transaction of
 * `work`. True: there may be more at once. What came while it read waits for the next round: a busy shop always has something
 * new, and a reader that took it at once would make a round of its own of every few rows.
 */
export function readNumbered(
  db: Db,
  reader: NumberedReader,
  work: (tx: Tx, span: Span) => Promise<void>,
  batch = BATCH,
): Promise<boolean> {
  return db.transaction(async tx => {
    const position = await lockPosition(tx, reader);
    if (!position) return false;
    const settled = await settle(tx, reader.table, position);
    const { seq, nextSeq, waitsFor } = settled;
    if (nextSeq === null) return false;
    if (waitsFor.length > 0) {
      updatePosition(tx, reader, settled);
      return false;
    }
    const upTo = Math.min(nextSeq, seq + batch);
    await work(tx, { after: seq, upTo });
    const isMore = upTo < nextSeq;
    updatePosition(tx, reader, { seq: upTo, nextSeq: isMore ? nextSeq : null, waitsFor: [] });
    // A place that was noted in a round before is old by now, so the next one is noted at once.
    return isMore || position.nextSeq !== null;
  });
}
