import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';

export interface ToldKinds {
  environmentId: string;
  kinds: string[];
}

export async function findNewestSeq(db: Queryable): Promise<number> {
  const [row] = await db.query<{ seq: number }>(sql('changes_find_newest')`
    select seq from events where type <> 'order.created' order by seq desc limit 1`);
  return row?.seq ?? 0;
}

/** Which kinds of events came since a position, for those who are watched. At most so many are looked at: many is many. */
export const listToldSince = (
  db: Queryable,
  environmentIds: string[],
  afterSeq: number,
): Promise<(ToldKinds & { newest: number })[]> =>
  db.query(sql('changes_list_told')`
    select environment_id as "environmentId", array_agg(distinct type) as kinds, max(seq) as newest
    from (select environment_id, type, seq from events where seq > ${afterSeq} and type <> 'order.created'
          order by seq desc limit 2000) told
    where environment_id = any(${environmentIds}::text[]) group by environment_id`);

export interface NewestMarks {
  environmentId: string;
  orderId: string | null;
  deliveryId: string | null;
}

/** What was created last: orders and deliveries come at the end of their keys. */
export const listNewestMarks = (db: Queryable, environmentIds: string[]): Promise<NewestMarks[]> =>
  db.query(sql('changes_list_newest')`
    select e.environment_id as "environmentId",
           (select o.id from orders o where o.environment_id = e.environment_id order by o.id desc limit 1) as "orderId",
           (select d.id from deliveries d where d.environment_id = e.environment_id order by d.id desc limit 1) as "deliveryId"
    from unnest(${environmentIds}::text[]) as e (environment_id)`);

/** When the last attempt of each ended. Attempts are recorded at their end, and none lasts a minute. */
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
