import { fragment, type Queryable, sql, type Tx } from '../../../db/statement.ts';
import type { Lane } from '../delivery/delivery.sql.ts';
import { type EndpointHealth, HEALTH } from './endpoint-health.ts';

type Key = Pick<EndpointHealth, 'environmentId' | 'endpoint'>;

/** Null when the endpoint is well. */
export const lockHealth = (
  tx: Tx,
  { environmentId, endpoint }: Key,
): Promise<(EndpointHealth & { now: Date }) | null> =>
  tx.queryOne(sql('endpoint_lock')`
    select ${HEALTH.columns}, app_now() as now from endpoint_health
    where environment_id = ${environmentId} and endpoint = ${endpoint} for update`);

/** Another process may have seen it fail in the same moment. */
export const insertHealth = (tx: Tx, health: EndpointHealth): Promise<void> =>
  tx.execute(sql('endpoint_insert')`
    insert into endpoint_health (${HEALTH.names}) values (${HEALTH.values(health)}) on conflict do nothing`);

const CHANGED = HEALTH.omit('endpoint, environmentId, lane, firstFailed');

export const updateHealth = (tx: Tx, health: EndpointHealth): Promise<void> =>
  tx.execute(sql('endpoint_update')`
    update endpoint_health set ${CHANGED.set(health)}
    where environment_id = ${health.environmentId} and endpoint = ${health.endpoint}`);

const IS_DUE = fragment`(state = 'back' or (state = 'down' and next_probe_at <= app_now()))`;

export const HEALTH_DUE = fragment`exists (select 1 from endpoint_health where ${IS_DUE})`;

/** Endpoints for which something is to be done: what waits is brought forward, or one is tried, or it is well again. */
export const listHealthDue = (db: Queryable): Promise<EndpointHealth[]> =>
  db.query(sql('endpoint_list_due')`
    select ${HEALTH.columns} from endpoint_health
    where ${IS_DUE} order by next_probe_at limit 1000`);

export const updateHealthReleased = (tx: Tx, { environmentId, endpoint }: Key): Promise<void> =>
  tx.execute(sql('endpoint_released')`
    update endpoint_health set is_released = true
    where environment_id = ${environmentId} and endpoint = ${endpoint} and state = 'back'`);

/** False: another process tries it. Should this one die before the answer, it is tried again after a minute. */
export const claimProbe = (db: Queryable, { environmentId, endpoint }: Key): Promise<boolean> =>
  db.queryAny(sql('endpoint_claim_probe')`
    update endpoint_health set next_probe_at = app_now() + interval '1 minute'
    where environment_id = ${environmentId} and endpoint = ${endpoint} and state = 'down' and next_probe_at <= app_now()
    returning endpoint`);

/** The endpoint has another address, or is enabled again: it is tried now, and an answer releases what waits. */
export const updateHealthToProbe = (tx: Tx, environmentId: string, endpoints: readonly string[]): Promise<void> =>
  tx.execute(sql('endpoint_probe_now')`
    update endpoint_health set state = 'down', back_at = null, is_released = false, slots = 1, answered = 0,
      next_probe_at = app_now()
    where environment_id = ${environmentId} and endpoint = any(${endpoints}::text[])`);

/** Its subscription is gone, and what waited for it is canceled. */
export const deleteHealthOfObserver = (tx: Tx, environmentId: string, subscriptionId: string): Promise<void> =>
  tx.execute(sql('endpoint_delete_observer')`
    delete from endpoint_health where environment_id = ${environmentId} and endpoint = ${subscriptionId}`);

/** Unless it has failed again since. */
export const deleteHealth = (db: Queryable, { environmentId, endpoint }: Key): Promise<void> =>
  db.execute(sql('endpoint_delete')`
    delete from endpoint_health
    where environment_id = ${environmentId} and endpoint = ${endpoint} and state = 'back' and is_released`);

export interface EndpointCounts {
  failing: number;
  recovering: number;
}

/** An endpoint that was disabled or deleted while it failed is nothing to mend. */
export const countEndpoints = (db: Queryable): Promise<EndpointCounts> =>
  db.queryFirst(sql('endpoint_count')`
    select count(*) filter (where h.state = 'down')::int as failing, count(*) filter (where h.state = 'back')::int as recovering
    from endpoint_health h
    where exists (select 1 from webhook_subscriptions s where s.environment_id = h.environment_id and s.enabled
                    and case when h.lane = 'items' then s.takes_items else s.id = h.endpoint end)`);

/** How the endpoints of an environment do; those that are well are not in it. */
export const listHealth = (db: Queryable, environmentId: string): Promise<EndpointHealth[]> =>
  db.query(sql('endpoint_list')`
    select ${HEALTH.columns} from endpoint_health where environment_id = ${environmentId} order by endpoint limit 100`);

/** In a statement that joins `endpoint_health` as `h`: the endpoint gets fewer requests at once than others. */
export const IS_LIMITED = fragment`h.slots < 64`;

export const hasLimited = (db: Queryable, lane: Lane): Promise<boolean> =>
  db.queryAny(sql('endpoint_find_limited')`
    select h.endpoint from endpoint_health h where h.lane = ${lane} and ${IS_LIMITED} limit 1`);

const CLAIM_LOCK = 4242_0004;
const RELEASE_LOCK = 4242_0005;

/** Two processes that count the slots in use at the same moment would both take the free ones. */
export const lockLimitedClaims = (tx: Tx, lane: Lane): Promise<boolean> =>
  tx.queryValue(sql('endpoint_lock_claims')`
    select pg_try_advisory_xact_lock(${CLAIM_LOCK}, hashtext(${lane})) as locked`);

/** While one process brings forward what waits, another must not find nothing left and call it done. */
export const lockRelease = (tx: Tx, { endpoint }: Key): Promise<boolean> =>
  tx.queryValue(sql('endpoint_lock_release')`
    select pg_try_advisory_xact_lock(${RELEASE_LOCK}, hashtext(${endpoint})) as locked`);
