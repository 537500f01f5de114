import type { Db } from '../../../db/db.ts';
import { insertAttemptFigures, lockAttemptsPosition, updateAttemptsPosition } from './delivery-figures.sql.ts';

/** At most this much time in one go, so that a long pause is caught up in steps. */
const MOST_SECONDS = 3_600;

/** Adds the attempts of the minutes that are over to their figures, each exactly once. Returns true when there is more. */
export function rollUpAttempts(db: Db, mostSeconds = MOST_SECONDS): Promise<boolean> {
  return db.transaction(async tx => {
    const span = await lockAttemptsPosition(tx, mostSeconds);
    if (!span) return false;
    await insertAttemptFigures(tx, span);
    updateAttemptsPosition(tx, span.to);
    return true;
  });
}
