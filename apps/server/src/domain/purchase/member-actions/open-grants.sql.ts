import type { DeliveryStatus, OrderStatus } from '@coinslot/contract';
import { type Queryable, sql } from '../../../db/statement.ts';
import { LAST_ATTEMPT } from '../../order/order.sql.ts';
import type { OrderItem } from '../../order/order.ts';
import { type StoredItem, toItem } from '../../order/order-row.ts';

/** The delivery that asks the game for an order's items and is not over. */
export const findOpenItemAdd = (db: Queryable, environmentId: string, orderId: string): Promise<string | null> =>
  db.queryValue(sql('grant_find_open')`
    select id from deliveries
    where environment_id = ${environmentId} and order_id = ${orderId} and lane = 'items' and event_type = 'item.add'
      and status = 'pending' limit 1`);

export interface OpenGrant {
  deliveryId: string;
  kind: 'item.add' | 'item.remove';
  status: DeliveryStatus;
  isClaimed: boolean;
  orderId: string;
  orderStatus: OrderStatus;
  paymentId: string | null;
  playerId: string;
  amountMinor: number;
  currency: string;
  items: OrderItem[];
  createdAt: Date;
  attemptsMade: number;
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: Date | null;
  giveUpAt: Date | null;
}

/** More than a studio member reads; beyond it only the number matters, and that is "many". */
export const MOST_GRANTS = 1_000;

/**
 * What the game has not accepted yet, the longest waiting first. A grant is open only while its order is `authorized`, and
 * removals that are open have an index of their own, so nothing but what waits is looked at. One that was just sent is left
 * out: it is not stuck.
 */
export async function listOpenGrants(
  db: Queryable,
  environmentId: string,
  onlyId: string | null = null,
): Promise<OpenGrant[]> {
  const rows = await db.query<Omit<OpenGrant, 'items'> & { items: StoredItem[] }>(sql('grants_list_open')`
    select d.id as "deliveryId", d.event_type as kind, d.status, d.claim_id is not null as "isClaimed", o.id as "orderId",
           o.status as "orderStatus",
           (select p.id from payments p where p.environment_id || '' = o.environment_id and p.order_id = o.id
            ${LAST_ATTEMPT}) as "paymentId",
           o.player_id as "playerId", o.amount_minor as "amountMinor", o.currency, o.items, d.created_at as "createdAt",
           d.attempts_made as "attemptsMade", d.last_status as "lastStatus", d.last_error as "lastError",
           d.next_attempt_at as "nextAttemptAt", d.give_up_at as "giveUpAt"
    from (
      select a.environment_id, a.id from (
        select environment_id, order_id from payments
        where environment_id = ${environmentId} and stage = 'open' and status = 'authorized'
        order by id limit ${MOST_GRANTS + 1}) w
      join deliveries a on a.environment_id = w.environment_id and a.order_id = w.order_id and a.lane = 'items'
        and a.event_type = 'item.add' and a.status in ('pending', 'blocked', 'held')
      union all
      (select environment_id, id from deliveries
       where lane = 'items' and environment_id = ${environmentId} and event_type = 'item.remove' and status in ('pending', 'blocked', 'held')
       order by id limit ${MOST_GRANTS + 1})
    ) open
    join deliveries d on d.lane = 'items' and d.environment_id = open.environment_id and d.id = open.id
    join orders o on o.environment_id = d.environment_id and o.id = d.order_id
    where (${onlyId}::text is null or d.id = ${onlyId})
      and (d.status <> 'pending' or d.attempts_made > 1 or d.last_error is not null
           or d.created_at <= app_now() - interval '30 seconds' or ${onlyId}::text is not null)
    order by d.id limit ${MOST_GRANTS + 1}`);
  return rows.map(row => ({ ...row, items: row.items.map(toItem) }));
}
