import type { Shop } from '../shop.ts';
import { claimLapsedOrders, updateOrder } from './order.sql.ts';
import { decideOrder } from './order.ts';
import { emitOrderEvent } from './order-view.ts';

const BATCH = 200;

/** Expires the orders whose time is over. Returns how many, so that the caller goes on while there are more. */
export function expireOrders({ db }: Shop): Promise<number> {
  return db.transaction(async tx => {
    const lapsed = await claimLapsedOrders(tx, BATCH);
    for (const locked of lapsed) {
      const decision = decideOrder(locked.order, 'expire', locked.now);
      if ('refused' in decision) continue;
      updateOrder(tx, locked, decision.order);
      emitOrderEvent(tx, decision.order, decision.event!);
    }
    return lapsed.length;
  });
}
