import type { EventKind } from '@coinslot/contract';
import { type Queryable, type RowOf, sql, sqlUnprepared, type Tx } from '../../../db/statement.ts';
import type { DeliveryTarget } from '../endpoints/delivery-target.sql.ts';
import { SUBSCRIPTIONS } from '../endpoints/subscription.ts';
import { EVENT_COLUMNS, type EventRow, readEvents } from '../events/event-rows.sql.ts';

export interface EventFilter {
  kind: EventKind | null;
  orderId: string | null;
  createdFrom: Date | null;
  createdTo: Date | null;
  beforeId: string | null;
  limit: number;
}

export const listEvents = (db: Queryable, environmentId: string, filter: EventFilter): Promise<EventRow[]> =>
  readEvents(
    db.query(sqlUnprepared('event_list')`
      select ${EVENT_COLUMNS} from events e
      where environment_id = ${environmentId}
        and (${filter.kind}::text is null or type = ${filter.kind})
        and (${filter.orderId}::text is null or order_id = ${filter.orderId})
        and (${filter.createdFrom}::timestamptz is null or created_at >= ${filter.createdFrom})
        and (${filter.createdTo}::timestamptz is null or created_at < ${filter.createdTo})
        and (${filter.beforeId}::text is null or id < ${filter.beforeId})
      order by id desc limit ${filter.limit}`),
  );

/** Ids begin with their time, so the primary key finds what is new. */
export const listEventsSince = (db: Queryable, environmentId: string, fromId: string, limit: number) =>
  readEvents(
    db.query(sql('event_list_since')`
      select ${EVENT_COLUMNS} from events e
      where environment_id = ${environmentId} and id >= ${fromId} order by id limit ${limit}`),
  );

export interface TestEvent {
  environmentId: string;
  id: string;
  kind: EventKind;
  data: unknown;
}

export interface TestDelivery {
  id: string;
  subscriptionId: string;
  idempotencyKey: string;
  body: string;
}

/** About no order, so that it waits for nothing and nothing waits for it. */
export const insertTriggeredEvent = (tx: Tx, event: TestEvent, deliveries: TestDelivery[]): void =>
  tx.write(sql('event_insert_triggered')`
    with emitted as (
      insert into events (environment_id, id, type, order_id, data, fan_out, created_at, test)
      values (${event.environmentId}, ${event.id}, ${event.kind}, null, ${JSON.stringify(event.data)}, false, app_now(), true)
    )
    insert into deliveries (environment_id, id, event_id, event_type, lane, subscription_id, idempotency_key, status, body,
                            next_attempt_at, created_at)
    select ${event.environmentId}, t.id, ${event.id}, ${event.kind}, 'observer', t.subscription_id, t.idempotency_key,
           'pending', t.body, app_now(), app_now()
    from unnest(${deliveries.map(d => d.id)}::text[], ${deliveries.map(d => d.subscriptionId)}::text[],
                ${deliveries.map(d => d.idempotencyKey)}::text[], ${deliveries.map(d => d.body)}::text[])
         as t (id, subscription_id, idempotency_key, body)`);

const RECEIVERS = SUBSCRIPTIONS.pick('id, url, playerContextEnabled');

export type Receiver = RowOf<typeof RECEIVERS> & Pick<DeliveryTarget, 'gameId' | 'mode'> & { isListener: boolean };

/** Enabled subscriptions that take a kind, and every listener whatever it asked for. */
export const listReceivers = (db: Queryable, environmentId: string, selectors: string[]): Promise<Receiver[]> =>
  db.query(sql('webhook_list_receivers')`
    select ${RECEIVERS.of('s')}, s.listening_until is not null as "isListener", e.game_id as "gameId", e.mode
    from webhook_subscriptions s join environments e on e.id = s.environment_id
    where s.environment_id = ${environmentId} and s.enabled and s.url <> 'tail:'
      and ((s.listening_until is null and s.events && ${selectors}::text[]) or s.listening_until > app_now())
    order by s.id`);
