import type { Db } from '../../../db/db.ts';
import type { NumberedReader } from '../../../db/read-numbered.sql.ts';
import { readNumbered } from '../../../db/read-numbered.ts';
import { NUMBERED_EVENTS } from '../../event/event.sql.ts';
import { NUMBERED_ORDERS } from '../figures/figures.sql.ts';
import {
  deleteFigures,
  insertAttemptFigures,
  insertEventFigures,
  insertOrderFigures,
  lockAttemptsPosition,
  updateAttemptsPosition,
} from './roll-up.sql.ts';
import { insertOrderEntries } from './roll-up-players.ts';

export const FIGURES_READER: NumberedReader = { name: 'figures', table: NUMBERED_EVENTS };
export const ORDERS_READER: NumberedReader = { name: 'orders', table: NUMBERED_ORDERS };

/** Adds new events to the figures of hours and days, each exactly once. True: there may be more at once. */
export const rollUpEvents = (db: Db, batch?: number): Promise<boolean> =>
  readNumbered(db, FIGURES_READER, insertEventFigures, batch);

/** Adds new orders to the hourly figures, each exactly once. True: there may be more at once. */
export const rollUpOrders = (db: Db): Promise<boolean> =>
  readNumbered(db, ORDERS_READER, async (tx, span) => {
    await insertOrderFigures(tx, span);
    await insertOrderEntries(tx, span);
  });

/** At most this much time in one go, so that a long pause is caught up in steps. */
const MOST_SECONDS = 3_600;

/** Adds the attempts of the minutes that are over to their figures, each exactly once. True: there may be more at once. */
export function rollUpAttempts(db: Db, mostSeconds = MOST_SECONDS): Promise<boolean> {
  return db.transaction(async tx => {
    const span = await lockAttemptsPosition(tx, mostSeconds);
    if (!span) return false;
    await insertAttemptFigures(tx, span);
    updateAttemptsPosition(tx, span.to);
    return true;
  });
}

/** Forgets every figure. The roll-ups then count from the first event, order and attempt. */
export const rebuildFigures = (db: Db): Promise<void> => db.transaction(tx => deleteFigures(tx));
