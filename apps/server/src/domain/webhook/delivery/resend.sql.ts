import { type Queryable, sql, type Tx } from '../../../db/statement.ts';

export const insertTestDelivery = (
  tx: Tx,
  ids: { environmentId: string; eventId: string; deliveryId: string; subscriptionId: string },
  data: unknown,
): Promise<void> =>
  tx.execute(sql('delivery_insert_test')`
    with emitted as (
      insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
      values (${ids.environmentId}, ${ids.eventId}, 'webhook.test', null, ${JSON.stringify(data)}, false, app_now())
    )
    insert into deliveries (environment_id, id, event_id, event_type, lane, subscription_id, idempotency_key, status,
                            next_attempt_at, created_at)
    values (${ids.environmentId}, ${ids.deliveryId}, ${ids.eventId}, 'webhook.test', 'observer', ${ids.subscriptionId},
            ${ids.eventId}, 'pending', app_now(), app_now())`);

export interface SpanCounts {
  total: number;
  waiting: number;
  succeeded: number;
  failed: number;
}

/** How the deliveries of a subscription made between two times stand, at most `most` of them. */
export const findSpanCounts = (
  db: Queryable,
  environmentId: string,
  subscriptionId: string,
  span: { since: Date; until: Date | null; fromId: string; belowId: string },
  most: number,
): Promise<SpanCounts> =>
  db.queryFirst(sql('delivery_find_span_counts')`
    select count(*)::int as total, count(*) filter (where status in ('pending', 'blocked', 'held'))::int as waiting,
           count(*) filter (where status = 'succeeded')::int as succeeded,
           count(*) filter (where status in ('declined', 'exhausted'))::int as failed
    from (select status from deliveries
          where environment_id = ${environmentId} and subscription_id = ${subscriptionId}
            and id >= ${span.fromId} and id < ${span.belowId}
            and created_at >= ${span.since} and (${span.until}::timestamptz is null or created_at <= ${span.until})
          order by id desc limit ${most}) span`);
