import type { EventKind } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { fragment, sql } from '../../../db/sql.ts';
import { json, type RowOf, renamed, table, typed } from '../../../db/table.ts';
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

const toEvent = ({ eventOrder, ...row }: StoredEvent): EventRow => ({
  ...row,
  data: eventData(row.kind, row.orderId, row.data, eventOrder),
});

/** What a query for `EVENT_COLUMNS` answers. */
export const readEvents = async (rows: Promise<StoredEvent[]>): Promise<EventRow[]> => (await rows).map(toEvent);

export async function findEvent(db: Queryable, environmentId: string, id: string): Promise<EventRow | null> {
  const row = await db.queryOne<StoredEvent>(sql('event_find')`
    select ${EVENT_COLUMNS} from events e where e.environment_id = ${environmentId} and e.id = ${id}`);
  return row && toEvent(row);
}

type Receiver = { gameId: string; mode: Mode };

/** Events with what their bytes need beside them. */
export const listEventsToSend = (db: Queryable, environmentId: string, ids: string[]) =>
  readEvents(
    db.query<StoredEvent & Receiver>(sql('event_list_to_send')`
      select ${EVENT_COLUMNS}, n.game_id as "gameId", n.mode
      from events e join environments n on n.id = e.environment_id
      where e.environment_id = ${environmentId} and e.id = any(${ids}::text[])`),
  ) as Promise<(EventRow & Receiver)[]>;
