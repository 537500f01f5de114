import type { DashboardLocale, EventKind } from '@coinslot/contract';
import {
  fragment,
  json,
  type Queryable,
  type RowOf,
  renamed,
  sql,
  type Tx,
  table,
  typed,
} from '../../../db/statement.ts';
import type { Mode } from '../../game/environment.ts';
import { type EventOrder, eventData } from './event-data.ts';

const EVENTS = table('events', {
  environmentId: 'text',
  id: 'text',
  kind: renamed('type', typed<EventKind>('text')),
  orderId: 'text?',
  data: json<Record<string, unknown>>(),
  /** A developer made it up. */
  test: 'boolean',
  createdAt: 'timestamptz',
});

export type EventRow = RowOf<typeof EVENTS>;

/** The order that completes the row of an event `e`; an event of a payment holds all it needs. */
export const EVENT_ORDER = fragment`case when e.type not like 'payment.%' then (
    select json_build_object('playerId', o.player_id, 'items', o.items, 'metadata', o.details -> 'metadata',
             'amountMinor', o.amount_minor, 'currency', o.currency, 'createdAt', floor(extract(epoch from o.created_at)),
             'expiresAt', floor(extract(epoch from o.expires_at)))
    from orders o where o.environment_id = e.environment_id and o.id = e.order_id) end`;

/** An event row `e` with the order that completes it. */
export const EVENT_COLUMNS = fragment`${EVENTS.of('e')}, ${EVENT_ORDER} as "eventOrder"`;

type StoredEvent = EventRow & { eventOrder: EventOrder | null };

const toEvent = ({ eventOrder, ...row }: StoredEvent, language?: DashboardLocale): EventRow => ({
  ...row,
  data: eventData(row.kind, row.orderId, row.data, eventOrder, language),
});

/** What a query for `EVENT_COLUMNS` answers. */
export const readEvents = async (rows: Promise<StoredEvent[]>, language?: DashboardLocale): Promise<EventRow[]> =>
  (await rows).map(row => toEvent(row, language));

export async function findEvent(db: Queryable, environmentId: string, id: string): Promise<EventRow | null> {
  const row = await db.queryOne<StoredEvent>(sql('event_find')`
    select ${EVENT_COLUMNS} from events e where e.environment_id = ${environmentId} and e.id = ${id}`);
  return row && toEvent(row);
}

type Receiver = { gameId: string; mode: Mode };

export const listEventsToSend = (db: Queryable, environmentId: string, ids: string[]) =>
  readEvents(
    db.query<StoredEvent & Receiver>(sql('event_list_to_send')`
      select ${EVENT_COLUMNS}, n.game_id as "gameId", n.mode
      from events e join environments n on n.id = e.environment_id
      where e.environment_id = ${environmentId} and e.id = any(${ids}::text[])`),
  ) as Promise<(EventRow & Receiver)[]>;

const FAN_OUT_LOCK = 4242_0003;

export const EVENTS_TO_FAN_OUT = fragment`exists (select 1 from events where fan_out)`;

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
