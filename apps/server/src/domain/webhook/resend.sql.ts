import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Delivery } from './delivery.sql.ts';

/** Due now, behind nothing it was not behind before. A claim that is under way is left alone. */
export async function updateDeliveryDue(tx: Tx, delivery: Delivery): Promise<boolean> {
  const rows = await tx.query(sql('delivery_due_now')`
    update deliveries set status = 'pending', next_attempt_at = app_now(), finished_at = null
    where environment_id = ${delivery.environmentId} and id = ${delivery.id}
      and (claimed_until is null or claimed_until <= app_now()) and status <> 'canceled'
    returning id`);
  return rows.length > 0;
}

export interface ReplaySpan {
  since: Date;
  until: Date | null;
  onlyFailed: boolean;
}

/**
 * Finished deliveries of a span, due again. A grant is sent again only while its order is paid: the game recognizes the
 * key, and an order that was rejected or refunded must not be granted late.
 */
export async function updateDeliveriesReplayed(
  db: Queryable,
  environmentId: string,
  subscriptionId: string,
  span: ReplaySpan,
): Promise<number> {
  const rows = await db.query(sql('delivery_replay')`
    update deliveries d set status = 'pending', next_attempt_at = app_now(), finished_at = null
    where d.environment_id = ${environmentId} and d.subscription_id = ${subscriptionId}
      and d.status in ('succeeded', 'declined', 'exhausted')
      and d.created_at >= ${span.since} and (${span.until}::timestamptz is null or d.created_at <= ${span.until})
      and (not ${span.onlyFailed} or d.status <> 'succeeded')
      and (d.event_type <> 'item.add' or exists (
        select 1 from orders o where o.environment_id = d.environment_id and o.id = d.order_id and o.status = 'paid'))
    returning d.id`);
  return rows.length;
}

export async function insertTestDelivery(
  tx: Tx,
  ids: { environmentId: string; eventId: string; deliveryId: string; subscriptionId: string },
  data: unknown,
): Promise<void> {
  await tx.query(sql('delivery_insert_test')`
    with told as (
      insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
      values (${ids.environmentId}, ${ids.eventId}, 'webhook.test', null, ${JSON.stringify(data)}, false, app_now())
    )
    insert into deliveries (environment_id, id, event_id, event_type, lane, subscription_id, idempotency_key, status,
                            next_attempt_at, created_at)
    values (${ids.environmentId}, ${ids.deliveryId}, ${ids.eventId}, 'webhook.test', 'observer', ${ids.subscriptionId},
            ${ids.eventId}, 'pending', app_now(), app_now())`);
}

export interface SpanCounts {
  total: number;
  waiting: number;
  succeeded: number;
  failed: number;
}

/** How the deliveries of a subscription made between two times stand, at most `most` of them. */
export async function findSpanCounts(
  db: Queryable,
  environmentId: string,
  subscriptionId: string,
  span: { since: Date; until: Date | null; fromId: string; belowId: string },
  most: number,
): Promise<SpanCounts> {
  const [row] = await db.query<SpanCounts>(sql('delivery_find_span_counts')`
    select count(*)::int as total, count(*) filter (where status in ('pending', 'blocked', 'held'))::int as waiting,
           count(*) filter (where status = 'succeeded')::int as succeeded,
           count(*) filter (where status in ('declined', 'exhausted'))::int as failed
    from (select status from deliveries
          where environment_id = ${environmentId} and subscription_id = ${subscriptionId}
            and id >= ${span.fromId} and id < ${span.belowId}
            and created_at >= ${span.since} and (${span.until}::timestamptz is null or created_at <= ${span.until})
          order by id desc limit ${most}) span`);
  return row!;
}
