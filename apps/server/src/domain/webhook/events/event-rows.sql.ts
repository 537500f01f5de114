import type { EventKind } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { fragment, sql } from '../../../db/sql.ts';
import { type EventOrder, eventData } from './event-data.ts';

export interface EventRow {
  environmentId: string;
  id: string;
  kind: EventKind;
  orderId: string | null;
  data: Record<string, unknown>;
  createdAt: Date;
}

/** The order that completes the row of an event `e`; an event of a payment holds all it needs. */
export const EVENT_ORDER = fragment`case when e.type not like 'payment.%' then (
    select json_build_object('playerId', o.player_id, 'items', o.items, 'metadata', o.details -> 'metadata',
             'amountMinor', o.amount_minor, 'currency', o.currency, 'createdAt', floor(extract(epoch from o.created_at)),
             'expiresAt', floor(extract(epoch from o.expires_at)))
    from orders o where o.environment_id = e.environment_id and o.id = e.order_id) end`;

/** An event row `e` as the program reads it. */
export const EVENT_COLUMNS = fragment`e.environment_id as "environmentId", e.id, e.type as kind, e.order_id as "orderId", e.data,
  e.created_at as "createdAt", ${EVENT_ORDER} as "eventOrder"`;

/** A stored row with the order that completes it. */
export type StoredEventRow<Row extends EventRow = EventRow> = Row & { eventOrder: EventOrder | null };

export const toEvent = <Row extends EventRow>({
  eventOrder,
  ...row
}: StoredEventRow<Row>): Omit<Row, 'eventOrder'> => ({
  ...row,
  data: eventData(row.kind, row.orderId, row.data, eventOrder),
});

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
