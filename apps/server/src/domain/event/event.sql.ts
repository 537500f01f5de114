import type { EventKind } from '@coinslot/contract';
import type { NumberedTable } from '../../db/read-numbered.sql.ts';
import { ROWS, sql, sqlForRows, type Tx } from '../../db/statement.ts';
import { newId } from '../../kit/ids.ts';

export type EventData = Record<string, unknown>;

export const boughtReason = (playerId: string): string => `Player ${playerId} bought these items.`;

/**
 * Fields that are left out when an event is stored, by the part of its kind before the dot: readers take them from the order's
 * row.
 */
const NOT_STORED: Readonly<Record<string, readonly string[]>> = {
  order: ['order_id', 'player_id', 'items', 'metadata', 'created_at', 'expires_at', 'price_decimal'],
  item: ['order_id', 'player_id', 'items', 'metadata'],
  // The player's name stays: archives are searched by it.
  payment: ['order_id', 'price_decimal'],
  checkout: ['order_id', 'player_id'],
};

export const familyOf = (kind: EventKind): string => kind.slice(0, kind.indexOf('.'));

const isUsualReason = (data: EventData): boolean => data.reason === boughtReason(String(data.player_id));

/** The part of an order's event that is written into its row. */
export function storedData(kind: EventKind, data: EventData): EventData {
  const left = NOT_STORED[familyOf(kind)] ?? [];
  const stored: EventData = {};
  for (const key in data) {
    const isKnown = data[key] === null || left.includes(key) || (key === 'reason' && isUsualReason(data));
    if (!isKnown) stored[key] = data[key];
  }
  return stored;
}

interface NewEvent {
  environmentId: string;
  orderId: string | null;
  kind: EventKind;
  data: Record<string, unknown>;
}

/** Order creations are the most events and no reader takes them, so the index of numbers leaves them out. */
export const NUMBERED_EVENTS: NumberedTable = {
  tables: ['events'],
  newest: sql('reader_find_newest_event')`
    select seq from events where type <> 'order.created' order by seq desc limit 1`,
};

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
 * The outbox: an event is written in the transaction of the change that it is about. It is marked for fan-out only when a
 * subscription observes its kind, so the common case costs one row and no further work.
 */
export function insertEvents(tx: Tx, events: NewEvent[]): void {
  tx.writeRows(
    insertMarkedEvents,
    events.map(({ environmentId, orderId, kind, data }) => ({
      environmentId,
      id: newId('evt'),
      kind,
      wildcard: wildcardOf(kind),
      orderId,
      data: orderId === null ? data : storedData(kind, data),
    })),
  );
}

/**
 * The first opening of an order's page; the order's own row decides which one that is. A page that is opened while another
 * process holds the order does not wait for it: the next look emits it.
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
