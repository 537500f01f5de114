import { type RowOf, type StatementRunner, sql, type Tx } from '../../../db/statement.ts';
import type { LockedEnvironment } from '../../game/lock-environment.sql.ts';
import { ERASED_PREFIX } from '../../order/order.ts';
import { DELIVERIES, type Delivery } from './delivery.sql.ts';

/**
 * The unfinished deliveries of one order in one lane, for observers those of one subscription. One at a time is pending,
 * the others wait behind it: that is how the events of an order go out one after the other.
 */
export type OrderQueue = Released & { orderId: string };

const QUEUED = DELIVERIES.pick('environmentId, orderId, lane, subscriptionId');

type Released = RowOf<typeof QUEUED>;

const keyOf = ({ environmentId, orderId, lane, subscriptionId }: OrderQueue): string =>
  [environmentId, orderId, lane, lane === 'items' ? '' : subscriptionId].join(' ');

/** A delivery of no order stands in no queue. */
export const queuesOf = (deliveries: readonly Released[]): OrderQueue[] => {
  const queued = deliveries.filter((one): one is OrderQueue => one.orderId !== null);
  return [...new Map(queued.map(queue => [keyOf(queue), queue])).values()];
};

const columnsOf = (queues: readonly OrderQueue[]) => ({
  environmentIds: queues.map(queue => queue.environmentId),
  orderIds: queues.map(queue => queue.orderId),
  lanes: queues.map(queue => queue.lane),
  subscriptionIds: queues.map(queue => queue.subscriptionId),
});

/**
 * In each queue where none is pending, the delivery of the earliest event may go. By the number of the event, because ids
 * of one millisecond do not sort. Runs after the delivery before it was finished, in the same transaction.
 */
export async function updateQueueHeads(tx: StatementRunner, queues: readonly OrderQueue[]): Promise<number> {
  const { environmentIds, orderIds, lanes, subscriptionIds } = columnsOf(queues);
  const rows = await tx.query(sql('delivery_queue_heads')`
    update deliveries set status = 'pending', next_attempt_at = app_now()
    where (environment_id, id) in (
      select head.environment_id, head.id
      from unnest(${environmentIds}::text[], ${orderIds}::text[], ${lanes}::text[], ${subscriptionIds}::text[])
        as l (environment_id, order_id, lane, subscription_id)
      cross join lateral (
        select d.environment_id, d.id, d.status, bool_or(d.status = 'pending') over () as is_busy
        from deliveries d left join events e on e.environment_id = d.environment_id and e.id = d.event_id
        where d.environment_id = l.environment_id and d.order_id = l.order_id and d.lane = l.lane
          and (l.lane = 'items' or d.subscription_id = l.subscription_id) and d.status in ('pending', 'blocked', 'held')
        order by e.seq nulls first limit 1) head
      where head.status = 'blocked' and not head.is_busy
        and (l.lane = 'items' or exists (
          select 1 from deliveries_observer b
          where b.order_id = l.order_id and b.environment_id = l.environment_id and b.status = 'blocked')))
    returning id`);
  return rows.length;
}

/** What no worker has claimed goes back into its queue. The row locks let a worker that finishes one come before or after. */
async function updateWaitingBlocked(tx: Tx, queues: readonly OrderQueue[]): Promise<void> {
  const { environmentIds, orderIds, lanes, subscriptionIds } = columnsOf(queues);
  await tx.query(sql('delivery_queue_block')`
    update deliveries d set
      status = case when d.claimed_until > app_now() then 'pending' else 'blocked' end,
      next_attempt_at = case when d.claimed_until > app_now() then d.next_attempt_at end,
      claim_id = case when d.claimed_until > app_now() then d.claim_id end,
      claimed_until = case when d.claimed_until > app_now() then d.claimed_until end
    from unnest(${environmentIds}::text[], ${orderIds}::text[], ${lanes}::text[], ${subscriptionIds}::text[])
      as l (environment_id, order_id, lane, subscription_id)
    where d.environment_id = l.environment_id and d.order_id = l.order_id and d.lane = l.lane
      and (l.lane = 'items' or d.subscription_id = l.subscription_id) and d.status = 'pending'`);
}

/** For deliveries that were just put into their queues, under the environment's lock: the first of each queue goes. */
async function enqueueReleased(tx: Tx, released: readonly Released[]): Promise<number> {
  const queues = queuesOf(released);
  if (queues.length > 0) {
    await updateWaitingBlocked(tx, queues);
    await updateQueueHeads(tx, queues);
  }
  return released.length;
}

export async function updateHeldReleased(
  tx: Tx,
  { id: environmentId }: LockedEnvironment<'writer'>,
  subscriptionId: string,
  items: boolean,
): Promise<number> {
  const released = await tx.query<Released>(sql('delivery_release_held')`
    update deliveries set
      status = case when order_id is null then 'pending' else 'blocked' end,
      next_attempt_at = case when order_id is null then app_now() end
    where environment_id = ${environmentId} and status = 'held'
      and ((lane = 'items' and ${items}) or (lane = 'observer' and subscription_id = ${subscriptionId}))
    returning ${QUEUED.columns}`);
  return enqueueReleased(tx, released);
}

/** A delivery that a worker has claimed is left alone, and a canceled one stays canceled. */
export async function updateDeliveryResent(
  tx: Tx,
  { id: environmentId }: LockedEnvironment<'writer'>,
  { id }: Delivery,
): Promise<number> {
  const released = await tx.query<Released>(sql('delivery_resend')`
    update deliveries set
      status = case when order_id is null then 'pending' else 'blocked' end,
      next_attempt_at = case when order_id is null then app_now() end, finished_at = null, claim_id = null, claimed_until = null
    where environment_id = ${environmentId} and id = ${id} and status <> 'canceled'
      and (claimed_until is null or claimed_until <= app_now())
    returning ${QUEUED.columns}`);
  return enqueueReleased(tx, released);
}

export interface ReplaySpan {
  since: Date;
  until: Date | null;
  onlyFailed: boolean;
  /** Items go to whichever endpoint takes them: it replays those that failed at another, which may be deleted by now. */
  withItems: boolean;
}

/**
 * Finished deliveries of a span go again. A grant goes again only while its order is paid:
 * the game recognizes the key, and an order that was rejected or refunded must not be granted late. What was sent for a
 * player who was erased since can not be sent as it was, so it does not go again, nor does what is no longer kept.
 */
export async function updateDeliveriesReplayed(
  tx: Tx,
  { id: environmentId }: LockedEnvironment<'writer'>,
  subscriptionId: string,
  { since, until, onlyFailed, withItems }: ReplaySpan,
): Promise<number> {
  const released = await tx.query<Released>(sql('delivery_replay')`
    update deliveries d set
      status = case when d.order_id is null then 'pending' else 'blocked' end,
      next_attempt_at = case when d.order_id is null then app_now() end, finished_at = null
    where d.environment_id = ${environmentId}
      and ((d.subscription_id = ${subscriptionId} and d.status in ('succeeded', 'declined', 'exhausted'))
           or (${withItems} and d.lane = 'items' and d.status in ('declined', 'exhausted')))
      and d.created_at >= ${since} and (${until}::timestamptz is null or d.created_at <= ${until})
      and (not ${onlyFailed} or d.status <> 'succeeded')
      and (d.event_type <> 'item.add' or exists (
        select 1 from orders o where o.environment_id = d.environment_id and o.id = d.order_id and o.status = 'paid'))
      and (d.lane <> 'items' or d.body is not null or not exists (
        select 1 from orders o where o.environment_id = d.environment_id and o.id = d.order_id
          and starts_with(o.player_id, ${ERASED_PREFIX})))
      and (d.body is not null or exists (
        select 1 from events e where e.environment_id = d.environment_id and e.id = d.event_id))
    returning ${QUEUED.of('d')}`);
  return enqueueReleased(tx, released);
}
