import type { Db } from '../../../db/db.ts';
import type { NumberedReader } from '../../../db/read-numbered.sql.ts';
import { readNumbered, type Span } from '../../../db/read-numbered.ts';
import type { Tx } from '../../../db/statement.ts';
import { NUMBERED_EVENTS } from '../../event/event.sql.ts';
import {
  insertItemEntries,
  insertPaymentEntries,
  insertPlayerEntries,
  upsertPlayerFigures,
} from './search-entries.sql.ts';

/** Has a place of its own: figures that are built again count from the first event, and these must not be added twice. */
export const PLAYERS_READER: NumberedReader = { name: 'players', table: NUMBERED_EVENTS };

/** What players bought, and by which payments they are found. Each event once. True: there may be more at once. */
export const rollUpPlayers = (db: Db): Promise<boolean> =>
  readNumbered(db, PLAYERS_READER, async (tx, span) => {
    await upsertPlayerFigures(tx, span);
    await insertPaymentEntries(tx, span);
  });

/** By which items new orders are found, and by which names their players. */
export async function insertOrderEntries(tx: Tx, span: Span): Promise<void> {
  await insertItemEntries(tx, span);
  await insertPlayerEntries(tx, span);
}
