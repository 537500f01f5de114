import type { Db } from '../../../db/db.ts';
import { idBound } from '../../../kit/ids.ts';
import { insertOrderFigures, lockOrdersPosition, updateOrdersPosition } from './figures.sql.ts';

/** An id is made before its order is committed; no creation takes this long. */
const SETTLED_AFTER_SECONDS = 60;

/** Adds orders to the hourly figures once their time is over, each exactly once. */
export function rollUpOrders(db: Db): Promise<boolean> {
  return db.transaction(async tx => {
    const span = await lockOrdersPosition(tx, SETTLED_AFTER_SECONDS);
    if (!span) return false;
    await insertOrderFigures(tx, idBound('ord', span.from?.getTime() ?? 0), idBound('ord', span.to.getTime()));
    updateOrdersPosition(tx, span.to);
    return false;
  });
}
