import { type Queryable, type RowOf, sql, type Tx } from '../../../db/statement.ts';
import { type LockedEnvironment, lockEnvironment } from '../../game/lock-environment.sql.ts';
import type { DeliveryTarget } from './delivery-target.sql.ts';
import { SUBSCRIPTIONS, type Subscription, takesItems } from './subscription.ts';

const NEW = SUBSCRIPTIONS.pick(
  'id, url, description, events, enabled, enabledLogs, playerContextEnabled, secretSealed, createdAt, updatedAt',
);

export const insertSubscription = (tx: Tx, environment: LockedEnvironment<'writer'>, s: Subscription): Promise<void> =>
  tx.execute(sql('webhook_insert')`
    insert into webhook_subscriptions (environment_id, ${NEW.names}, takes_items)
    values (${environment.id}, ${NEW.values(s)}, ${takesItems(s.events)})`);

const CHANGED = SUBSCRIPTIONS.omit('environmentId, id, createdAt');

export const updateSubscription = (tx: Tx, environment: LockedEnvironment<'writer'>, s: Subscription): Promise<void> =>
  tx.execute(sql('webhook_update')`
    update webhook_subscriptions set ${CHANGED.set(s)}, takes_items = ${takesItems(s.events)}
    where environment_id = ${environment.id} and id = ${s.id}`);

/**
 * Names the address that answered 410 and the enabling under which it was asked: an address that was replaced says nothing
 * about the new one, nor an attempt from before a member enabled the subscription again about what it is now.
 */
export const updateSubscriptionGone = (
  tx: Tx,
  environment: LockedEnvironment,
  { subscriptionId, url, enableCount }: Pick<DeliveryTarget, 'subscriptionId' | 'url' | 'enableCount'>,
): Promise<boolean> =>
  tx.queryAny(sql('webhook_gone')`
    update webhook_subscriptions set enabled = false, disabled_reason = 'endpoint_gone', updated_at = app_now()
    where environment_id = ${environment.id} and id = ${subscriptionId} and enabled and url = ${url}
      and enable_count = ${enableCount}
    returning id`);

export const hasSubscription = (db: Queryable, environmentId: string, id: string): Promise<boolean> =>
  db.queryAny(sql('webhook_exists')`
    select id from webhook_subscriptions where environment_id = ${environmentId} and id = ${id}`);

export const deleteSubscription = (tx: Tx, environment: LockedEnvironment<'writer'>, id: string): Promise<boolean> =>
  tx.queryAny(sql('webhook_delete')`
    delete from webhook_subscriptions where environment_id = ${environment.id} and id = ${id} returning id`);

export async function lockSubscription(
  tx: Tx,
  environment: LockedEnvironment<'writer'>,
  id: string,
): Promise<{ subscription: Subscription; now: Date; overlapSeconds: number } | null> {
  const [row] = await tx.query<Subscription & { now: Date; overlapSeconds: number }>(sql('webhook_lock')`
    select ${SUBSCRIPTIONS.of('s')},
           app_now() as now, e.secret_overlap_seconds as "overlapSeconds"
    from webhook_subscriptions s join environments e on e.id = s.environment_id
    where s.environment_id = ${environment.id} and s.id = ${id} for update of s`);
  if (!row) return null;
  const { now, overlapSeconds, ...subscription } = row;
  return { subscription, now, overlapSeconds };
}

/** Counting and inserting must not interleave, so this takes the lock as well. */
export async function lockEnvironmentSubscriptions(
  tx: Tx,
  environmentId: string,
): Promise<{ environment: LockedEnvironment<'writer'>; count: number; now: Date }> {
  const environment = await lockEnvironment(tx, environmentId);
  const counted = await tx.queryFirst<{ count: number; now: Date }>(sql('webhook_count')`
    select count(*)::int as count, app_now() as now from webhook_subscriptions
    where environment_id = ${environmentId} and listening_until is null`);
  return { environment, ...counted };
}

export const listSubscriptions = (
  db: Queryable,
  environmentId: string,
  beforeId: string | null,
  limit: number,
): Promise<Subscription[]> =>
  db.query(sql('webhook_list')`
    select ${SUBSCRIPTIONS.of('s')}
    from webhook_subscriptions s
    where environment_id = ${environmentId} and listening_until is null and (${beforeId}::text is null or id < ${beforeId})
    order by id desc limit ${limit}`);

export const findSubscription = (db: Queryable, environmentId: string, id: string): Promise<Subscription | null> =>
  db.queryOne(sql('webhook_find')`
    select ${SUBSCRIPTIONS.of('s')}
    from webhook_subscriptions s where environment_id = ${environmentId} and id = ${id} and listening_until is null`);

const OBSERVERS = SUBSCRIPTIONS.pick('environmentId, id, events, enabled, playerContextEnabled');

export type Observer = RowOf<typeof OBSERVERS> & Pick<DeliveryTarget, 'gameId' | 'mode'>;

export const listObservers = (db: Queryable, environmentIds: string[]): Promise<Observer[]> =>
  db.query(sql('webhook_list_observers')`
    select ${OBSERVERS.of('s')}, e.game_id as "gameId", e.mode
    from webhook_subscriptions s join environments e on e.id = s.environment_id
    where s.environment_id = any(${environmentIds}::text[]) and s.url <> 'tail:' order by s.id`);

/**
 * The observer's deliveries are dropped with it; items wait for the next endpoint. What a worker is sending is left to it: an answer
 * that comes counts, and without one the next attempt finds no subscription.
 */
export const updateObserverDeliveriesCanceled = (
  tx: Tx,
  environment: LockedEnvironment<'writer'>,
  subscriptionId: string,
): Promise<void> =>
  tx.execute(sql('delivery_cancel_of_subscription')`
    update deliveries set status = 'canceled', next_attempt_at = null, claim_id = null, claimed_until = null,
      finished_at = app_now(), last_error = 'the subscription was deleted'
    where environment_id = ${environment.id} and subscription_id = ${subscriptionId} and lane = 'observer'
      and status in ('pending', 'blocked', 'held') and (claimed_until is null or claimed_until <= app_now())`);
