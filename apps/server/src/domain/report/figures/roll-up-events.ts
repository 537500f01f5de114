import type { Db } from '../../../db/db.ts';
import {
  insertEventFigures,
  insertPaymentValues,
  lockEventsPosition,
  updateEventsPosition,
  updateNextSeq,
  updateNextXmax,
} from './figures.sql.ts';

const BATCH = 5_000;
/** Between drawing its number and having a transaction id an event has nothing to wait for; this is a thousand times as long. */
const GRACE_MS = 400;

/**
 * Adds new events to the hourly figures, each exactly once: the position moves in the transaction that adds.
 *
 * Numbers are drawn before a transaction commits, so a later one may be seen while an earlier one is still on its way. The
 * roll-up therefore notes how far the numbers go, then which transactions there are, and reads only when all of them have ended.
 * Returns true when there may be more to do at once.
 */
export function rollUpEvents(db: Db, { batch = BATCH, graceMs = GRACE_MS } = {}): Promise<boolean> {
  return db.transaction(async tx => {
    const position = await lockEventsPosition(tx);
    if (!position) return false;
    const { seq, nextSeq } = position;
    if (nextSeq === null) return (await updateNextSeq(tx)) && graceMs === 0;
    if (!position.hasXmax) {
      if (position.notedMsAgo! < graceMs) return false;
      await updateNextXmax(tx);
      return graceMs === 0;
    }
    if (!position.isSettled) return false;
    const upTo = Math.min(nextSeq, seq + batch);
    await insertEventFigures(tx, seq, upTo);
    await insertPaymentValues(tx, seq, upTo);
    updateEventsPosition(tx, upTo, upTo === nextSeq);
    return true;
  });
}
