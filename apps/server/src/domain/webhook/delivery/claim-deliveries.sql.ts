import type { Db } from '../../../db/db.ts';
import { type Fragment, fragment, sql, words } from '../../../db/statement.ts';
import { type EventOrder, eventData } from '../events/event-data.ts';
import { EVENT_ORDER } from '../events/event-rows.sql.ts';
import { hasLimited, IS_LIMITED, lockLimitedClaims } from '../health/endpoint-health.sql.ts';
import { MOST_AT_ONCE } from '../sending/receiver-slots.ts';
import { DELIVERIES, type Delivery, type Lane, sendUntilMs } from './delivery.sql.ts';

/**
 * Whether the first delivery in an endpoint's queue is due. One that a worker already has keeps its date, so this may be true in
 * vain.
 */
const firstIsDue = (lane: Lane, endpoint: Fragment, waiting: Fragment): Fragment => fragment`exists (
    select 1 from ${waiting} w cross join lateral (
      select next_attempt_at from deliveries
      where lane = ${words([lane])} and status = 'pending' and ${endpoint} = w.endpoint
      order by next_attempt_at limit 1) first
    where first.next_attempt_at <= app_now())`;

export const DELIVERIES_DUE: Readonly<Record<Lane, Fragment>> = {
  items: firstIsDue('items', fragment`environment_id`, fragment`waiting_items`),
  observer: firstIsDue('observer', fragment`subscription_id`, fragment`waiting_observers`),
};

export interface ClaimCapacity {
  limit: number;
  /** For one endpoint, with what it has already. */
  perEndpoint: number;
  inFlight: ReadonlyMap<string, number>;
  from: string;
}

/**
 * Takes what is due under a lease, endpoint after endpoint; all items of an environment go to one endpoint. One that has all
 * it may have is left for later, so that a slow one cannot take the slots of the others, and what waits for it is not even
 * looked at. The date of the queue stays as it is until the outcome is known: what an index holds is changed once for each
 * attempt and not twice.
 */
export async function claimDeliveries(
  db: Db,
  lane: Lane,
  claimId: string,
  leaseSeconds: number,
  capacity: ClaimCapacity,
): Promise<Delivery[]> {
  const untilMs = sendUntilMs(leaseSeconds);
  const claim = (ofLimited: boolean) => claimIn[lane](claimId, leaseSeconds, { ...capacity, ofLimited });
  const [rows, anyLimited] = await Promise.all([db.query<ClaimedRow>(claim(false)), hasLimited(db, lane)]);
  if (anyLimited) {
    // The slots of these are counted over all processes, so one process at a time claims for them. They come on top of the
    // limit: where the others always have enough for it, these would never be claimed.
    const limited = db.transaction(async tx =>
      (await lockLimitedClaims(tx, lane)) ? tx.query<ClaimedRow>(claim(true)) : [],
    );
    rows.push(...(await limited));
  }
  return rows.map(row => ({
    sendUntilMs: untilMs,
    ...row,
    event: row.event && {
      data: eventData(row.kind, row.orderId, row.event.data, row.event.eventOrder),
      createdAt: new Date(row.event.createdAt),
    },
  }));
}

interface Claim extends ClaimCapacity {
  /** For the endpoints with fewer slots than usual, or for all others. */
  ofLimited: boolean;
}

/** The claim reads the event as JSON, in which its time is text. */
type ClaimedRow = Omit<Delivery, 'event'> & {
  event: { data: Record<string, unknown>; createdAt: string; eventOrder: EventOrder | null } | null;
};

const EVENT_OF = fragment`case when d.body is null then (
      select json_build_object('data', e.data, 'createdAt', e.created_at, 'eventOrder', ${EVENT_ORDER}) from events e
      where e.environment_id = d.environment_id and e.id = d.event_id) end as event`;

/** `materialized`: the due deliveries are chosen once. A plan that chose again for each row it writes would choose others. */
const claimItems = (claimId: string, leaseSeconds: number, { limit, perEndpoint, inFlight, from, ofLimited }: Claim) =>
  sql('delivery_claim_items')`
    with due as materialized (
          select own.environment_id, own.id from waiting_items w
          left join unnest(${[...inFlight.keys()]}::text[], ${[...inFlight.values()]}::int[]) as has (endpoint, count)
            on has.endpoint = w.endpoint
          left join endpoint_health h on h.endpoint = w.endpoint and ${IS_LIMITED}
          cross join lateral (
            select environment_id, id from deliveries
            where lane = 'items' and status = 'pending' and environment_id = w.endpoint
              and next_attempt_at <= app_now() and (claimed_until is null or claimed_until <= app_now())
            order by next_attempt_at limit greatest(0, case
              when h.endpoint is null then ${perEndpoint} - coalesce(has.count, 0)
              else h.slots - (
                select count(*) from (
                  select claimed_until from deliveries
                  where lane = 'items' and status = 'pending' and environment_id = w.endpoint and next_attempt_at <= app_now()
                  order by next_attempt_at limit ${2 * MOST_AT_ONCE}) first
                where first.claimed_until > app_now()) end) for update skip locked) own
          where w.endpoint >= ${from} and (h.endpoint is not null) = ${ofLimited}
          limit ${limit})
    update deliveries_items d set claimed_until = app_now() + make_interval(secs => ${leaseSeconds}), claim_id = ${claimId},
      attempts_made = d.attempts_made + 1
    from due where d.environment_id = due.environment_id and d.id = due.id
    returning ${DELIVERIES.of('d')}, ${EVENT_OF}`;

const claimObservers = (
  claimId: string,
  leaseSeconds: number,
  { limit, perEndpoint, inFlight, from, ofLimited }: Claim,
) =>
  sql('delivery_claim_observers')`
    with due as materialized (
          select own.environment_id, own.id from waiting_observers w
          left join unnest(${[...inFlight.keys()]}::text[], ${[...inFlight.values()]}::int[]) as has (endpoint, count)
            on has.endpoint = w.endpoint
          left join endpoint_health h on h.endpoint = w.endpoint and ${IS_LIMITED}
          cross join lateral (
            select environment_id, id from deliveries
            where lane = 'observer' and status = 'pending' and subscription_id = w.endpoint
              and next_attempt_at <= app_now() and (claimed_until is null or claimed_until <= app_now())
            order by next_attempt_at limit greatest(0, case
              when h.endpoint is null then ${perEndpoint} - coalesce(has.count, 0)
              else h.slots - (
                select count(*) from (
                  select claimed_until from deliveries
                  where lane = 'observer' and status = 'pending' and subscription_id = w.endpoint and next_attempt_at <= app_now()
                  order by next_attempt_at limit ${2 * MOST_AT_ONCE}) first
                where first.claimed_until > app_now()) end) for update skip locked) own
          where w.endpoint >= ${from} and (h.endpoint is not null) = ${ofLimited}
          limit ${limit})
    update deliveries_observer d set claimed_until = app_now() + make_interval(secs => ${leaseSeconds}), claim_id = ${claimId},
      attempts_made = d.attempts_made + 1
    from due where d.environment_id = due.environment_id and d.id = due.id
    returning ${DELIVERIES.of('d')}, ${EVENT_OF}`;

const claimIn = { items: claimItems, observer: claimObservers } as const;
