import type { Db } from '../../../db/db.ts';
import { deleteFigures } from './figures.sql.ts';

/** Counts everything anew, from the first event, order and attempt. Whoever rolls up goes on from there. */
export const rebuildFigures = (db: Db): Promise<void> => db.transaction(tx => deleteFigures(tx));
