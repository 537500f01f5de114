import type { EventKind } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { fragment, ROWS, sql, sqlForRows } from '../../db/sql.ts';
import { newId } from '../../kit/ids.ts';
import { storedData, type ToldOrder, toldData } from './event-data.ts';

export interface NewEvent {
  environmentId: string;
  orderId: string | null;
  kind: EventKind;
  data: Record<string, unknown>;
}

export interface EventRow {
  environmentId: string;
  id: string;
  kind: EventKind;
  orderId: string | null;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** What the rest of an event `e` is read from; an event of a payment holds all it needs. */
export const TOLD_ORDER = fragment`case when e.type not like 'payment.%' then (
    select json_build_object('playerId', o.player_id, 'items', o.items, 'metadata', o.details -> 'metadata',
             'amountMinor', o.amount_minor, 'currency', o.currency, 'createdAt', floor(extract(epoch from o.created_at)),
             'expiresAt', floor(extract(epoch from o.expires_at)))
    from orders o where o.environment_id = e.environment_id and o.id = e.order_id) end`;

/** An event row `e` as the program reads it. */
export const EVENT_COLUMNS = fragment`e.environment_id as "environmentId", e.id, e.type as kind, e.order_id as "orderId", e.data,
  e.created_at as "createdAt", ${TOLD_ORDER} as "toldOrder"`;

/** As it was stored, with what it is completed by. */
export type StoredEventRow<Row extends EventRow = EventRow> = Row & { toldOrder: ToldOrder | null };

export const toEvent = <Row extends EventRow>({ toldOrder, ...row }: StoredEventRow<Row>): Omit<Row, 'toldOrder'> => ({
  ...row,
  data: toldData(row.kind, row.orderId, row.data, toldOrder),
});

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
    events.map(({ data, ...event }) => ({
      id: newId('evt'),
      wildcard: wildcardOf(event.kind),
      ...event,
      data: event.orderId === null ? data : storedData(event.kind, data),
    })),
  );
}

export async function findEvent(db: Queryable, environmentId: string, id: string): Promise<EventRow | null> {
  const [row] = await db.query<StoredEventRow>(sql('event_find')`
    select ${EVENT_COLUMNS} from events e where e.environment_id = ${environmentId} and e.id = ${id}`);
  return row ? toEvent(row) : null;
}

type EventToSend = EventRow & { gameId: string; mode: 'live' | 'sandbox' };

/** Events with what their bytes need beside them. */
export async function listEventsToSend(db: Queryable, environmentId: string, ids: string[]): Promise<EventToSend[]> {
  const rows = await db.query<StoredEventRow<EventToSend>>(sql('event_list_to_send')`
    select ${EVENT_COLUMNS}, n.game_id as "gameId", n.mode
    from events e join environments n on n.id = e.environment_id
    where e.environment_id = ${environmentId} and e.id = any(${ids}::text[])`);
  return rows.map(row => toEvent<EventToSend>(row));
}

const FAN_OUT_LOCK = 4242_0003;

export async function listEnvironmentsToFanOut(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ environmentId: string }>(sql('event_list_to_fan_out')`
    select environment_id as "environmentId" from waiting_events`);
  return rows.map(({ environmentId }) => environmentId);
}

/** One fan-out of an environment at a time, so that the deliveries of an order are made in the order of its events. */
export async function lockFanOut(tx: Tx, environmentId: string): Promise<boolean> {
  const [row] = await tx.query<{ locked: boolean }>(sql('event_fan_out_lock')`
    select pg_try_advisory_xact_lock(${FAN_OUT_LOCK}, hashtext(${environmentId})) as locked`);
  return row!.locked;
}

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

/**
 * The first opening of an order's page; the order's own row decides which one that is. A page that is opened while another
 * process holds the order does not wait for it: the next look tells.
 */
export async function insertOpenedEvent(tx: Tx, event: NewEvent & { orderId: string }): Promise<boolean> {
  const data = storedData(event.kind, event.data);
  const inserted = await tx.query(sql('event_insert_opened')`
    with free as (
      select environment_id, id from orders
      where environment_id = ${event.environmentId} and id = ${event.orderId} and opened_at is null for update skip locked
    ), opened as (
      update orders o set opened_at = app_now() from free where o.environment_id = free.environment_id and o.id = free.id
      returning o.id
    )
    insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
    select ${event.environmentId}, ${newId('evt')}, ${event.kind}, opened.id, ${JSON.stringify(data)},
           exists (select 1 from webhook_subscriptions s where s.environment_id = ${event.environmentId}
                     and s.events && ${[event.kind, wildcardOf(event.kind), '*']}::text[]),
           app_now()
    from opened returning id`);
  return inserted.length > 0;
}
