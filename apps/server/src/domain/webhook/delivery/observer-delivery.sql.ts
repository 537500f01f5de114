import type { EventKind } from '@coinslot/contract';
import { ROWS, type RowOf, rowsOf, sqlForRows, type Tx, typed } from '../../../db/statement.ts';
import type { DeliveryHold } from './delivery.sql.ts';

const OBSERVED = rowsOf({
  environmentId: 'text',
  id: 'text',
  eventId: 'text',
  kind: typed<EventKind>('text'),
  orderId: 'text?',
  subscriptionId: 'text',
  status: typed<'pending' | DeliveryHold>('text'),
  /** Null: made from the event when it is sent. */
  body: 'text?',
});

export type ObserverDelivery = RowOf<typeof OBSERVED>;

export const insertDeliveriesOfObservers = sqlForRows<ObserverDelivery>('delivery_insert_observers', OBSERVED.types)`
  with input as (
    select n, ${OBSERVED.names} from ${ROWS} as t
  ), ahead as (
    select own.environment_id, own.order_id, own.subscription_id
    from (select distinct environment_id, order_id from input where order_id is not null order by order_id) i
    cross join lateral (
      select d.environment_id, d.order_id, d.subscription_id from deliveries_observer d
      where d.environment_id = i.environment_id and d.order_id = i.order_id and d.status in ('pending', 'blocked', 'held')
      for update) own
  ), placed as (
    select i.n, i.environment_id, i.id, i.event_id, i.kind, i.order_id, i.subscription_id, i.body, case
        when i.status = 'pending' and i.order_id is not null
          and (row_number() over (partition by i.environment_id, i.order_id, i.subscription_id order by i.n) > 1
               or (i.environment_id, i.order_id, i.subscription_id) in (
                 select environment_id, order_id, subscription_id from ahead)) then 'blocked'
        else i.status end as status_now
    from input i
  )
  insert into deliveries (environment_id, id, event_id, event_type, order_id, lane, subscription_id, idempotency_key, status,
                          body, next_attempt_at, created_at)
  select environment_id, id, event_id, kind, order_id, 'observer', subscription_id, event_id, status_now, body,
         case when status_now = 'pending' then app_now() end, app_now()
  from placed order by n`;

/**
 * Behind an unfinished one of the same order and subscription each waits; those that come together, behind the first. One
 * fan-out of an environment runs at a time, so the look is enough. Order by order: as a
 * plain join it would be planned while the month's table is still empty, and then read the whole of it for every batch.
 */
export const insertObserverDeliveries = (tx: Tx, deliveries: ObserverDelivery[]): void =>
  tx.writeRows(insertDeliveriesOfObservers, deliveries);
