import type { DeliveryStatus, EventKind } from '@coinslot/contract';
import {
  fragment,
  json,
  type Queryable,
  ROWS,
  type RowOf,
  renamed,
  rowsOf,
  sql,
  sqlForRows,
  type Tx,
  table,
  typed,
} from '../../../db/statement.ts';
import { steadyMs } from '../../../kit/clock.ts';
import type { LockedEnvironment } from '../../game/lock-environment.sql.ts';

export type Lane = 'items' | 'observer';

declare const underLock: unique symbol;

/** The status of a delivery that no subscription takes now, which can be said only under the environment's lock. */
export type DeliveryHold = 'held' & { readonly [underLock]: true };

export const holdUnder = (_environment: LockedEnvironment): DeliveryHold => 'held' as DeliveryHold;

/** The statuses that a statement may write: `held` only with the proof of the environment's lock. */
export type WrittenStatus = Exclude<DeliveryStatus, 'held'> | DeliveryHold;

/** Half of the lease, so that the attempt is over within the other half. To be asked before the claim is written. */
export const sendUntilMs = (leaseSeconds: number): number => steadyMs() + leaseSeconds * 500;

export const DELIVERIES = table('deliveries', {
  environmentId: 'text',
  id: 'text',
  eventId: 'text',
  kind: renamed('event_type', typed<EventKind>('text')),
  orderId: 'text?',
  lane: typed<Lane>('text'),
  subscriptionId: 'text?',
  idempotencyKey: 'text',
  status: typed<DeliveryStatus>('text'),
  /** Null: made from the event. */
  body: 'text?',
  attemptsMade: 'int',
  earlyAttempts: 'int',
  nextAttemptAt: 'timestamptz?',
  /** When it would have been due, where it was brought forward. */
  regularAt: 'timestamptz?',
  claimId: 'text?',
  lastStatus: 'int?',
  lastError: 'text?',
  createdAt: 'timestamptz',
  finishedAt: 'timestamptz?',
});

export interface Delivery extends RowOf<typeof DELIVERIES> {
  /** Read with the claim. */
  event?: { data: Record<string, unknown>; createdAt: Date } | null;
  /** Set on what this process has claimed, by its own clock. */
  sendUntilMs?: number;
}

const NEW = rowsOf({
  environmentId: 'text',
  id: 'text',
  eventId: 'text',
  kind: typed<EventKind>('text'),
  orderId: 'text?',
  subscriptionId: 'text?',
  idempotencyKey: 'text',
  status: typed<'pending' | 'blocked' | DeliveryHold>('text'),
  body: 'text?',
  /** Held longer than all retries would take, it is given up. */
  giveUpInSeconds: 'int?',
  /** The inserting process makes the first attempt itself, at once, under this claim. */
  claimId: 'text?',
  leaseSeconds: 'float8?',
  attemptsMade: 'int',
  data: json<Record<string, unknown>>(),
  emittedAt: 'timestamptz',
});

type NewDelivery = RowOf<typeof NEW>;

const insertItemDeliveries = sqlForRows<NewDelivery>('delivery_insert_item', NEW.types)`
  with input as (
    select ${NEW.names} from ${ROWS} as t
  ), emitted as (
    insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
    select environment_id, event_id, kind, order_id, data, false, emitted_at from input
  )
  insert into deliveries (environment_id, id, event_id, event_type, order_id, lane, subscription_id, idempotency_key, status,
                          body, attempts_made, claim_id, claimed_until, next_attempt_at, give_up_at, created_at)
  select environment_id, id, event_id, kind, order_id, 'items', subscription_id, idempotency_key, status, body,
         attempts_made, claim_id, app_now() + make_interval(secs => lease_seconds), case when status = 'pending' then app_now() end,
         app_now() + make_interval(secs => least(give_up_in_seconds, (
           select e.release_grant_after_seconds from environments e where e.id = i.environment_id and i.kind = 'item.add'))),
         app_now()
  from input i`;

/**
 * Event and delivery in one statement: a grant that is asked for exists whole or not at all. The first attempt is made with the
 * caller's time and the later ones with the event's, so these are the same.
 */
export const insertItemDelivery = (tx: Tx, delivery: NewDelivery): void =>
  tx.writeRows(insertItemDeliveries, [delivery]);

/** The unfinished items of an order, oldest first, locked: a worker that finishes one comes after this. */
export const lockOpenItemDeliveries = (tx: Tx, environmentId: string, orderId: string): Promise<Delivery[]> =>
  tx.query(sql('delivery_lock_open')`
    select ${DELIVERIES.of('d')}
    from deliveries d
    where environment_id = ${environmentId} and order_id = ${orderId} and lane = 'items'
      and status in ('pending', 'blocked', 'held')
    order by id for update`);

export const findDelivery = (db: Queryable, environmentId: string, id: string): Promise<Delivery | null> =>
  db.queryOne(sql('delivery_find')`
    select ${DELIVERIES.of('d')}
    from deliveries d where environment_id = ${environmentId} and id = ${id}`);

export const findItemDelivery = (
  db: Queryable,
  environmentId: string,
  orderId: string,
  kind: 'item.add' | 'item.remove',
): Promise<Delivery | null> =>
  db.queryOne(sql('delivery_find_item')`
    select ${DELIVERIES.of('d')}
    from deliveries d
    where environment_id = ${environmentId} and order_id = ${orderId} and lane = 'items' and event_type = ${kind}`);

/** The same, and no worker takes it until the transaction ends. */
export const lockItemDelivery = (
  tx: Tx,
  environmentId: string,
  orderId: string,
  kind: 'item.add' | 'item.remove',
): Promise<Delivery | null> =>
  tx.queryOne(sql('delivery_lock_item')`
    select ${DELIVERIES.of('d')}
    from deliveries d
    where environment_id = ${environmentId} and order_id = ${orderId} and lane = 'items' and event_type = ${kind}
    for update`);

/** Its sender has lost it: another may send it. The claim id stays, so that a late answer of this one still counts. */
export const updateDeliveryUnclaimed = (
  db: Queryable,
  { environmentId, orderId, claimId }: Pick<Delivery, 'environmentId' | 'orderId' | 'claimId'>,
): Promise<void> =>
  db.execute(sql('delivery_unclaim')`
    update deliveries set claimed_until = app_now()
    where environment_id = ${environmentId} and order_id = ${orderId} and lane = 'items' and claim_id = ${claimId}`);

/** The first writer wins: a second worker sends the bytes that are already there. */
export const updateDeliveryBody = (
  db: Queryable,
  delivery: Delivery,
  body: string | null,
  subscriptionId: string,
): Promise<string | null> =>
  db.queryValue(sql('delivery_body')`
    update deliveries set body = coalesce(body, ${body}), subscription_id = ${subscriptionId}
    where environment_id = ${delivery.environmentId} and id = ${delivery.id} returning body`);

export interface Outcome {
  status: WrittenStatus;
  /** With `pending`: when to try again. */
  nextInMs: number | null;
  lastStatus: number | null;
  lastError: string | null;
  /** It was claimed and then not sent: the claim must not count as an attempt. */
  notSent?: boolean;
  /** It went before its time: it uses up no step, and its time stays. */
  isEarly?: boolean;
}

const OUTCOMES = rowsOf({
  environmentId: 'text',
  id: 'text',
  claimId: 'text?',
  status: typed<WrittenStatus>('text'),
  taken: 'int',
  early: 'int',
  nextInSeconds: 'float8',
  lastStatus: 'int?',
  lastError: 'text?',
});

type OutcomeRow = RowOf<typeof OUTCOMES>;

const OUTCOME = fragment`status = t.status, claim_id = null, claimed_until = null, attempts_made = d.attempts_made - t.taken,
    next_attempt_at = case when t.status = 'pending'
      then app_now() + make_interval(secs => greatest(0, t.next_in_seconds - d.skip_seconds)) end,
    skip_seconds = greatest(0, d.skip_seconds - t.next_in_seconds), last_status = t.last_status, last_error = t.last_error,
    early_attempts = d.early_attempts + t.early, regular_at = null, was_released = d.was_released and t.early = 1,
    finished_at = case when t.status in ('pending', 'blocked', 'held') then null else app_now() end`;

/**
 * The lane's own table, and no condition on the lane: of a table that is still empty the planner believes that one row in
 * two hundred fits a condition, and would read all of it for each batch instead of looking the rows up.
 */
const updateOutcomesIn = {
  items: sqlForRows<OutcomeRow, { id: string }>('delivery_outcome_items', OUTCOMES.types)`
    update deliveries_items d set ${OUTCOME} from ${ROWS} as t
    where d.environment_id = t.environment_id and d.id = t.id and d.claim_id = t.claim_id
    returning t.n, d.id`,
  observer: sqlForRows<OutcomeRow, { id: string }>('delivery_outcome_observer', OUTCOMES.types)`
    update deliveries_observer d set ${OUTCOME} from ${ROWS} as t
    where d.environment_id = t.environment_id and d.id = t.id and d.claim_id = t.claim_id
    returning t.n, d.id`,
} as const;

/** Fenced by the claim: a worker that was away longer than its lease changes nothing. */
export async function updateDeliveryOutcome(tx: Tx, delivery: Delivery, outcome: Outcome): Promise<boolean> {
  const { environmentId, id, claimId } = delivery;
  const { status, lastStatus, lastError } = outcome;
  const taken = outcome.notSent ? 1 : 0;
  const early = outcome.isEarly ? 1 : 0;
  const nextInSeconds = (outcome.nextInMs ?? 0) / 1000;
  const row = { environmentId, id, claimId, status, lastStatus, lastError, taken, early, nextInSeconds };
  return (await tx.queryRow(updateOutcomesIn[delivery.lane], row)) !== undefined;
}

type SucceededRow = Pick<OutcomeRow, 'environmentId' | 'id' | 'claimId' | 'lastStatus' | 'lastError'>;

const updateSucceeded = sqlForRows<SucceededRow>('delivery_succeeded_items', {
  environmentId: 'text',
  id: 'text',
  claimId: 'text',
  lastStatus: 'int',
  lastError: 'text',
})`
  with input as (
    select environment_id, id, claim_id, last_status, last_error from ${ROWS} as t
  ), settled as (
    update deliveries_items d set status = 'succeeded', claim_id = null, claimed_until = null, next_attempt_at = null,
      last_status = i.last_status, last_error = i.last_error, regular_at = null, was_released = false, finished_at = app_now()
    from input i
    where d.environment_id = i.environment_id and d.id = i.id and d.claim_id = i.claim_id
    returning 1
  )
  select refuse_fewer((select count(*) from settled), (select count(*) from input))`;

/** The same for items that the game accepted at once. It asks nothing back: if the claim was lost, the transaction fails. */
export const updateDeliverySucceeded = (
  tx: Tx,
  { environmentId, id, claimId }: Delivery,
  { lastStatus, lastError }: Pick<Outcome, 'lastStatus' | 'lastError'>,
): void => tx.writeRows(updateSucceeded, [{ environmentId, id, claimId, lastStatus, lastError }]);

/** Under the order's lock: no worker is sending it, and none will. */
export const updateDeliveryCanceled = (tx: Tx, delivery: Delivery, why: string): Promise<void> =>
  tx.execute(sql('delivery_cancel')`
    update deliveries set status = 'canceled', claim_id = null, claimed_until = null, next_attempt_at = null, last_error = ${why}, finished_at = app_now()
    where environment_id = ${delivery.environmentId} and id = ${delivery.id}`);

/** The game said yes while its removal waited behind the question: what is removed was granted, and the bytes say so. */
export function updateRemovalConfirmed(tx: Tx, { environmentId, orderId }: Delivery): void {
  tx.write(sql('delivery_confirm_removal')`
    update events set data = (data::jsonb || '{"grant": "confirmed"}')::json
    where environment_id = ${environmentId} and order_id = ${orderId} and type = 'item.remove'`);
  // Only the first is the field: the metadata, which may have a key of that name, comes after it.
  tx.write(sql('delivery_confirm_removal_body')`
    update deliveries set body = regexp_replace(body, '"grant":"unknown"', '"grant":"confirmed"')
    where environment_id = ${environmentId} and order_id = ${orderId} and lane = 'items' and event_type = 'item.remove'
      and body is not null`);
}

/** The player was erased while this waited; the game has answered, so nothing needs the name any more. */
export function updateDeliveryErased(tx: Tx, { environmentId, id }: Pick<Delivery, 'environmentId' | 'id'>): void {
  tx.write(sql('delivery_erase')`
    update deliveries set body = null where environment_id = ${environmentId} and id = ${id} and body is not null`);
  tx.write(sql('delivery_erase_attempts')`
    update delivery_attempts set response_body = null where environment_id = ${environmentId} and delivery_id = ${id}`);
}
