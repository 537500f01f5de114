import type { Order } from '../order/order.ts';
import { insertEventOnce } from '../webhook/event.sql.ts';
import type { FulfillmentDeps } from './fulfillment-deps.ts';

/** Tells once for each order that the player has opened the form, and whether this was that time. A page never waits for it. */
export function noteOpening({ db }: Pick<FulfillmentDeps, 'db'>, order: Order): Promise<boolean> {
  return db.transaction(tx =>
    insertEventOnce(tx, {
      environmentId: order.environmentId,
      orderId: order.id,
      kind: 'checkout.opened',
      data: { order_id: order.id, player_id: order.playerId },
    }),
  );
}
