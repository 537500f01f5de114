import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

export async function findDeliveryOfEvent(
  db: Queryable,
  environmentId: string,
  eventId: string,
  subscriptionId: string,
): Promise<{ id: string; body: string | null } | null> {
  const [row] = await db.query<{ id: string; body: string | null }>(sql('report_find_delivery_of_event')`
    select d.id, d.body from events e
    join deliveries d on d.environment_id = e.environment_id and d.order_id = e.order_id and d.event_id = e.id
    where e.environment_id = ${environmentId} and e.id = ${eventId} and d.subscription_id = ${subscriptionId} limit 1`);
  return row ?? null;
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
  const [row] = await db.query<SpanCounts>(sql('report_find_span_counts')`
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
