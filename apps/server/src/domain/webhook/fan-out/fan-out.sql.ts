import type { Queryable, Tx } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import type { EventRow } from '../events/event-rows.sql.ts';

const FAN_OUT_LOCK = 4242_0003;

export async function listEnvironmentsToFanOut(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ environmentId: string }>(sql('event_list_to_fan_out')`
    select environment_id as "environmentId" from waiting_events`);
  return rows.map(({ environmentId }) => environmentId);
}

/** One fan-out of an environment at a time, so that the deliveries of an order are made in the order of its events. */
export const lockFanOut = (tx: Tx, environmentId: string): Promise<boolean> =>
  tx.queryValue(sql('event_fan_out_lock')`
    select pg_try_advisory_xact_lock(${FAN_OUT_LOCK}, hashtext(${environmentId})) as locked`);

export type ClaimedEvent = Pick<EventRow, 'id' | 'kind' | 'orderId'>;

export const claimEventsToFanOut = (tx: Tx, environmentId: string, limit: number): Promise<ClaimedEvent[]> =>
  tx.query(sql('event_claim_fan_out')`
    with due as (
      select id from events where environment_id = ${environmentId} and fan_out order by seq limit ${limit}
    ), done as (
      update events e set fan_out = false from due where e.environment_id = ${environmentId} and e.id = due.id
      returning e.id, e.type, e.order_id, e.seq
    )
    select id, type as kind, order_id as "orderId" from done order by seq`);
