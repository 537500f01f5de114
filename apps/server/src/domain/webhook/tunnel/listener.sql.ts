import { fragment, type Queryable, type RowOf, sql, type Tx } from '../../../db/statement.ts';
import type { LockedEnvironment } from '../../game/lock-environment.sql.ts';
import { SUBSCRIPTIONS, type Subscription, takesItems } from '../endpoints/subscription.ts';
import type { ListenAnswer, ListenRequest } from './listen-frames.ts';

const LENDER = SUBSCRIPTIONS.pick('id, playerContextEnabled, secretSealed');

export type ItemEndpoint = RowOf<typeof LENDER> & Pick<Subscription, 'previousSecretSealed'>;

/** The registered endpoint for items, whose secrets the listeners borrow. */
export const findItemEndpoint = (db: Queryable, environmentId: string): Promise<ItemEndpoint | null> =>
  db.queryOne(sql('listener_find_item_endpoint')`
    select ${LENDER.columns},
           case when previous_secret_until > app_now() then previous_secret_sealed end as "previousSecretSealed"
    from webhook_subscriptions
    where environment_id = ${environmentId} and listening_until is null and enabled and takes_items
    order by id desc limit 1`);

const NEW = SUBSCRIPTIONS.pick(
  'id, url, description, events, playerContextEnabled, secretSealed, previousSecretSealed',
);

type NewListener = RowOf<typeof NEW> & { leaseSeconds: number };

/** The former secret goes on signing for the life of the listener: the developer's receiver knows one of the two. */
export const insertListener = (tx: Tx, environment: LockedEnvironment<'writer'>, l: NewListener): Promise<void> =>
  tx.execute(sql('listener_insert')`
    insert into webhook_subscriptions (environment_id, ${NEW.names}, takes_items, enabled, enabled_logs, previous_secret_until,
      listening_until, created_at, updated_at)
    values (${environment.id}, ${NEW.values(l)}, ${takesItems(l.events)}, true, true, app_now() + interval '1 day',
      app_now() + make_interval(secs => ${l.leaseSeconds}), app_now(), app_now())`);

const LISTENERS = SUBSCRIPTIONS.pick('environmentId, id, secretSealed');

type Listener = RowOf<typeof LISTENERS>;

export const listListeners = (db: Queryable, environmentId: string): Promise<Listener[]> =>
  db.query(sql('listener_list')`
    select ${LISTENERS.columns} from webhook_subscriptions
    where environment_id = ${environmentId} and listening_until > app_now() order by id`);

export const lockListeners = (tx: Tx, environment: LockedEnvironment<'writer'>): Promise<Listener[]> =>
  tx.query(sql('listener_lock')`
    select ${LISTENERS.columns} from webhook_subscriptions
    where environment_id = ${environment.id} and listening_until is not null and url <> 'tail:'
    order by id for update`);

export const updateListenerSecrets = (
  tx: Tx,
  environment: LockedEnvironment<'writer'>,
  id: string,
  secretSealed: Buffer,
  previousSecretSealed: Buffer,
): Promise<void> =>
  tx.execute(sql('listener_secrets')`
    update webhook_subscriptions set secret_sealed = ${secretSealed}, previous_secret_sealed = ${previousSecretSealed},
      previous_secret_until = app_now() + interval '1 day'
    where environment_id = ${environment.id} and id = ${id}`);

/** Null: it was forgotten meanwhile. */
export const updateListenerLease = (
  db: Queryable,
  environmentId: string,
  id: string,
  leaseSeconds: number,
): Promise<{ enabled: boolean } | null> =>
  db.queryOne(sql('listener_lease')`
    update webhook_subscriptions set listening_until = app_now() + make_interval(secs => ${leaseSeconds})
    where environment_id = ${environmentId} and id = ${id} and listening_until is not null returning enabled`);

export const listLapsedListeners = (db: Queryable, limit: number): Promise<Listener[]> =>
  db.query(sql('listener_list_lapsed')`
    select ${LISTENERS.columns} from webhook_subscriptions
    where listening_until <= app_now() order by listening_until limit ${limit}`);

export interface RequestRef {
  environmentId: string;
  id: string;
}

/** For the process that holds the connection. Null: no process does. */
export const insertListenRequest = (
  db: Queryable,
  subscriptionId: string,
  id: string,
  request: ListenRequest,
): Promise<RequestRef | null> =>
  db.queryOne(sql('listen_request_insert')`
    insert into listen_requests (environment_id, id, subscription_id, request, created_at)
    select environment_id, ${id}, id, ${JSON.stringify(request)}, app_now() from webhook_subscriptions
    where listening_until > app_now() and id = ${subscriptionId}
    returning environment_id as "environmentId", id`);

/** Each is taken once. What is too old to be answered in time is left to the sweep that deletes old requests. */
export const claimListenRequests = (
  db: Queryable,
  subscriptionId: string,
  withinSeconds: number,
): Promise<(RequestRef & { request: ListenRequest })[]> =>
  db.query(sql('listen_request_claim')`
    update listen_requests set taken = true
    where subscription_id = ${subscriptionId} and not taken
      and created_at > app_now() - make_interval(secs => ${withinSeconds})
    returning environment_id as "environmentId", id, request`);

export const updateListenAnswer = (db: Queryable, ref: RequestRef, answer: ListenAnswer): Promise<void> =>
  db.execute(sql('listen_request_answer')`
    update listen_requests set answer = ${JSON.stringify(answer)}
    where environment_id = ${ref.environmentId} and id = ${ref.id}`);

export const findListenAnswer = (db: Queryable, ref: RequestRef): Promise<ListenAnswer | null> =>
  db.queryValue(sql('listen_request_find')`
    select answer from listen_requests where environment_id = ${ref.environmentId} and id = ${ref.id}`);

export const deleteListenRequest = (db: Queryable, ref: RequestRef): Promise<void> =>
  db.execute(sql('listen_request_delete')`
    delete from listen_requests where environment_id = ${ref.environmentId} and id = ${ref.id}`);

const IS_OLD = fragment`created_at < app_now() - interval '60 seconds'`;

export const LISTENERS_LAPSED = fragment`(
    exists (select 1 from webhook_subscriptions where listening_until <= app_now())
    or exists (select 1 from listen_requests where ${IS_OLD}))`;

/** Deletes requests that were left behind by processes which ended while they waited. */
export const deleteOldListenRequests = (db: Queryable): Promise<void> =>
  db.execute(sql('listen_request_delete_old')`
    delete from listen_requests where (environment_id, id) in (
      select environment_id, id from listen_requests
      where ${IS_OLD} limit 1000)`);
