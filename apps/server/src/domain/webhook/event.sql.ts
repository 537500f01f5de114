import type { EventKind } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { ROWS, sql, sqlForRows } from '../../db/sql.ts';
import { newId } from '../../kit/ids.ts';

export interface NewEvent {
  environmentId: string;
  orderId: string | null;
  kind: EventKind;
  data: unknown;
}

export interface EventRow {
  environmentId: string;
  id: string;
  kind: EventKind;
  orderId: string | null;
  data: Record<string, unknown>;
  createdAt: Date;
}

const wildcardOf = (kind: EventKind): string => `${kind.slice(0, kind.indexOf('.'))}.*`;

const insertMarkedEvents = sqlForRows<NewEvent & { id: string; wildcard: string }>('event_insert', {
  environmentId: 'text',
  id: 'text',
  kind: 'text',
  wildcard: 'text',
  orderId: 'text',
  data: 'json',
})`
  insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
  select t.environment_id, t.id, t.kind, t.order_id, t.data,
         exists (select 1 from webhook_subscriptions s where s.environment_id = t.environment_id
                   and s.events && array[t.kind, t.wildcard, '*']),
         app_now()
  from ${ROWS} as t`;

/**
 * The outbox: an event is written in the transaction of what it tells. It is marked for fan-out only when a
 * subscription observes its kind, so the common case costs one row and no further work.
 */
export function insertEvents(tx: Tx, events: NewEvent[]): void {
  tx.writeRows(
    insertMarkedEvents,
    events.map(event => ({ id: newId('evt'), wildcard: wildcardOf(event.kind), ...event })),
  );
}

export async function findEvent(db: Queryable, environmentId: string, id: string): Promise<EventRow | null> {
  const [row] = await db.query<EventRow>(sql('event_find')`
    select environment_id as "environmentId", id, type as kind, order_id as "orderId", data, created_at as "createdAt"
    from events where environment_id = ${environmentId} and id = ${id}`);
  return row ?? null;
}

/** Events with what their bytes need beside them. */
export const listEventsToSend = (
  db: Queryable,
  environmentId: string,
  ids: string[],
): Promise<(EventRow & { gameId: string; mode: 'live' | 'sandbox' })[]> =>
  db.query(sql('event_list_to_send')`
    select e.environment_id as "environmentId", e.id, e.type as kind, e.order_id as "orderId", e.data,
           e.created_at as "createdAt", n.game_id as "gameId", n.mode
    from events e join environments n on n.id = e.environment_id
    where e.environment_id = ${environmentId} and e.id = any(${ids}::text[])`);

const FAN_OUT_LOCK = 4242_0003;

/** One fan-out at a time, so that the deliveries of an order are made in the order of its events. */
export async function lockFanOut(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(sql('event_fan_out_lock')`
    select pg_try_advisory_xact_lock(${FAN_OUT_LOCK}) as locked`);
  return row!.locked;
}

export const claimEventsToFanOut = (tx: Tx, limit: number): Promise<EventRow[]> =>
  tx.query(sql('event_claim_fan_out')`
    with due as (
      select environment_id, id, seq from events where fan_out order by seq limit ${limit}
    ), done as (
      update events e set fan_out = false from due where e.environment_id = due.environment_id and e.id = due.id
      returning e.environment_id, e.id, e.type, e.order_id, e.data, e.created_at, e.seq
    )
    select environment_id as "environmentId", id, type as kind, order_id as "orderId", data, created_at as "createdAt"
    from done order by seq`);

export function updateEventData(tx: Tx, event: EventRow, data: unknown): void {
  tx.write(sql('event_update_data')`
    update events set data = ${JSON.stringify(data)} where environment_id = ${event.environmentId} and id = ${event.id}`);
}

/**
 * The first opening of an order's page; the order's own row decides which one that is. A page that is opened while another
 * process holds the order does not wait for it: the next look tells.
 */
export async function insertOpenedEvent(tx: Tx, event: NewEvent & { orderId: string }): Promise<boolean> {
  const inserted = await tx.query(sql('event_insert_opened')`
    with free as (
      select environment_id, id from orders
      where environment_id = ${event.environmentId} and id = ${event.orderId} and opened_at is null for update skip locked
    ), opened as (
      update orders o set opened_at = app_now() from free where o.environment_id = free.environment_id and o.id = free.id
      returning o.id
    )
    insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
    select ${event.environmentId}, ${newId('evt')}, ${event.kind}, opened.id, ${JSON.stringify(event.data)},
           exists (select 1 from webhook_subscriptions s where s.environment_id = ${event.environmentId}
                     and s.events && ${[event.kind, wildcardOf(event.kind), '*']}::text[]),
           app_now()
    from opened returning id`);
  return inserted.length > 0;
}
