import type { Queryable } from '../../../db/db.ts';
import type { Span } from '../../../db/read-numbered.ts';
import { sql } from '../../../db/sql.ts';

export interface EventKinds {
  environmentId: string;
  kinds: string[];
}

/** Which kinds of events a span has, for the environments that are watched. Of a long span the end is enough: many is many. */
export const listKindsIn = (db: Queryable, environmentIds: string[], { after, upTo }: Span): Promise<EventKinds[]> =>
  db.query(sql('changes_list_kinds')`
    select environment_id as "environmentId", array_agg(distinct type) as kinds
    from (select environment_id, type from events where seq > ${after} and seq <= ${upTo} and type <> 'order.created'
          order by seq desc limit 2000) read
    where environment_id = any(${environmentIds}::text[]) group by environment_id`);

export interface NewestMarks {
  environmentId: string;
  orderId: string | null;
  deliveryId: string | null;
}

/** What was created last: ids hold their time, so it stands at the end of the key. */
export const listNewestMarks = (db: Queryable, environmentIds: string[]): Promise<NewestMarks[]> =>
  db.query(sql('changes_list_newest')`
    select e.environment_id as "environmentId",
           (select o.id from orders o where o.environment_id = e.environment_id order by o.id desc limit 1) as "orderId",
           (select d.id from deliveries d where d.environment_id = e.environment_id order by d.id desc limit 1) as "deliveryId"
    from unnest(${environmentIds}::text[]) as e (environment_id)`);

/** When the last attempt of each environment ended. An attempt is recorded at its end, and none lasts a minute. */
export const listLastAttempts = (
  db: Queryable,
  environmentIds: string[],
): Promise<{ environmentId: string; endedMs: number }[]> =>
  db.query(sql('changes_list_attempts')`
    select environment_id as "environmentId",
           max(extract(epoch from started_at) * 1000 + duration_ms)::float8 as "endedMs"
    from (select environment_id, started_at, duration_ms from delivery_attempts
          where started_at > app_now() - interval '60 seconds' order by started_at desc limit 2000) recent
    where environment_id = any(${environmentIds}::text[]) group by environment_id`);
