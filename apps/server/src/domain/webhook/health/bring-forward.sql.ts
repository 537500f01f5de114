import { fragment, type Queryable, sql } from '../../../db/statement.ts';
import type { EndpointHealth } from './endpoint-health.ts';

type Key = Pick<EndpointHealth, 'environmentId' | 'endpoint'>;

interface Forward extends Key {
  limit: number;
  /**
   * True: the endpoint is back, and each delivery is brought forward once between two regular attempts. False: one is sent to
   * try it.
   */
  isRelease: boolean;
}

/** What waits for its time and no worker has claimed; with a release only what was not released since its last regular attempt. */
const LATER = fragment`status = 'pending' and next_attempt_at > app_now()
        and (claimed_until is null or claimed_until <= app_now())`;
/** The oldest is the first to go: the queue is read by this date. */
const FORWARD = fragment`regular_at = d.next_attempt_at,
      next_attempt_at = app_now() - interval '1 second' + later.nth * interval '1 microsecond'`;

const bringForward = {
  items: ({ environmentId, limit, isRelease }: Forward) => sql('endpoint_forward_items')`
    update deliveries_items d set was_released = d.was_released or ${isRelease}, ${FORWARD}
    from (select environment_id, id, row_number() over (order by created_at) as nth from (
            select environment_id, id, created_at from deliveries_items
            where environment_id = ${environmentId} and ${LATER} and not (was_released and ${isRelease})
            order by next_attempt_at limit ${limit} for update skip locked) waiting) later
    where d.environment_id = later.environment_id and d.id = later.id returning d.id`,
  observer: ({ environmentId, endpoint, limit, isRelease }: Forward) => sql('endpoint_forward_observer')`
    update deliveries_observer d set was_released = d.was_released or ${isRelease}, ${FORWARD}
    from (select environment_id, id, row_number() over (order by created_at) as nth from (
            select environment_id, id, created_at from deliveries_observer
            where environment_id = ${environmentId} and subscription_id = ${endpoint} and ${LATER} and not (was_released and ${isRelease})
            order by next_attempt_at limit ${limit} for update skip locked) waiting) later
    where d.environment_id = later.environment_id and d.id = later.id returning d.id`,
} as const;

/** Brings deliveries that wait for their next attempt forward to now, and says how many. */
export const updateBroughtForward = async (
  db: Queryable,
  { environmentId, endpoint, lane }: EndpointHealth,
  limit: number,
  isRelease: boolean,
): Promise<number> => (await db.query(bringForward[lane]({ environmentId, endpoint, limit, isRelease }))).length;

const hasDue = {
  items: ({ environmentId }: Key) => sql('endpoint_has_due_items')`
    select exists (select 1 from deliveries_items where environment_id = ${environmentId} and status = 'pending'
                     and next_attempt_at <= app_now()) as due`,
  observer: ({ environmentId, endpoint }: Key) => sql('endpoint_has_due_observer')`
    select exists (select 1 from deliveries_observer
                   where environment_id = ${environmentId} and subscription_id = ${endpoint} and status = 'pending' and next_attempt_at <= app_now()) as due`,
} as const;

/** Whether something is due for the endpoint or on its way to it. */
export const findHasDue = (db: Queryable, health: EndpointHealth): Promise<boolean> =>
  db.queryValue(hasDue[health.lane](health));
