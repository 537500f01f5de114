import { fragment, type Queryable, sql, type Tx } from '../../../db/statement.ts';
import type { Delivery } from './delivery.sql.ts';

/**
 * Grants that waited too long, whose money goes back: no endpoint takes them, or the one that does is down. Removals are not
 * among them: they wait for an endpoint however long that takes.
 */
const HELD_TOO_LONG = fragment`deliveries
    where lane = 'items' and status = 'held' and event_type = 'item.add' and give_up_at <= app_now()`;

const DOWN_TOO_LONG = fragment`h.lane = 'items' and h.state = 'down' and d.status = 'pending' and d.claim_id is null
      and d.event_type = 'item.add' and d.give_up_at <= app_now()`;

export const ANY_HELD_TOO_LONG = fragment`(exists (select 1 from ${HELD_TOO_LONG})
    or exists (select 1 from endpoint_health h join deliveries_items d on d.environment_id = h.endpoint
               where ${DOWN_TOO_LONG}))`;

export const listHeldTooLong = (
  db: Queryable,
  limit: number,
): Promise<{ environmentId: string; id: string; orderId: string }[]> =>
  db.query(sql('delivery_list_held_too_long')`
    select environment_id as "environmentId", id, order_id as "orderId" from ${HELD_TOO_LONG}
    union all
    select d.environment_id, d.id, d.order_id from endpoint_health h join deliveries_items d on d.environment_id = h.endpoint
    where ${DOWN_TOO_LONG}
    limit ${limit}`);

export const updateDeliveryGivenUp = (tx: Tx, delivery: Delivery): Promise<void> =>
  tx.execute(sql('delivery_give_up')`
    update deliveries set status = 'exhausted', next_attempt_at = null, finished_at = app_now()
    where environment_id = ${delivery.environmentId} and id = ${delivery.id}`);
