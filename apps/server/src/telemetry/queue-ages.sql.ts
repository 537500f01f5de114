import { type Queryable, sql } from '../db/statement.ts';

/** Seconds since the oldest due entry became due; null when none is. */
export interface QueueAges {
  deliveries: number | null;
  payments: number | null;
  jobs: number | null;
  events: number | null;
  /** Seconds since the oldest grant began to wait for an endpoint. */
  held: number | null;
  /** Counted up to 10,000. */
  reviewCount: number;
}

/**
 * Reads the first entries of indexes and of each endpoint's queue, so it stays quick however many rows wait. A delivery
 * behind another one that is being sent does not count, nor one of an endpoint that fails: it waits for a receiver, which the
 * operator cannot mend.
 */
export const findQueueAges = (db: Queryable): Promise<QueueAges> =>
  db.queryFirst(sql('queue_find_ages')`
    select
      extract(epoch from app_now() - least(
        (select min(untouched.oldest) from waiting_items w left join endpoint_health h on h.endpoint = w.endpoint cross join lateral (
           select min(first.next_attempt_at) as oldest from (
             select next_attempt_at, claimed_until from deliveries
             where h.endpoint is null and lane = 'items' and status = 'pending' and environment_id = w.endpoint and next_attempt_at <= app_now()
             order by next_attempt_at limit 64) first
           having not bool_or(coalesce(first.claimed_until > app_now(), false))) untouched),
        (select min(untouched.oldest) from waiting_observers w left join endpoint_health h on h.endpoint = w.endpoint cross join lateral (
           select min(first.next_attempt_at) as oldest from (
             select next_attempt_at, claimed_until from deliveries
             where h.endpoint is null and lane = 'observer' and status = 'pending' and subscription_id = w.endpoint and next_attempt_at <= app_now()
             order by next_attempt_at limit 64) first
           having not bool_or(coalesce(first.claimed_until > app_now(), false))) untouched)))::float8 as deliveries,
      (select extract(epoch from app_now() - next_check_at)::float8 from payments
       where next_check_at <= app_now() order by next_check_at limit 1) as payments,
      (select extract(epoch from app_now() - run_at)::float8 from jobs
       where run_at <= app_now() and (claimed_until is null or claimed_until <= app_now())
       order by run_at limit 1) as jobs,
      (select extract(epoch from app_now() - min(first.created_at))::float8 from waiting_events w
       cross join lateral (select created_at from events where environment_id = w.environment_id and fan_out
                           order by seq limit 1) first) as events,
      (select extract(epoch from app_now() - created_at)::float8 from deliveries
       where lane = 'items' and status = 'held' and give_up_at is not null order by give_up_at limit 1) as held,
      (select count(1)::int from (select 1 from deliveries where status = 'held' and lane = 'items' limit 10000) h)
        as "reviewCount"`);

/** Seconds since the oldest row that a reader has not read yet was written; null when there is none. */
export interface ReaderLags {
  figures: number | null;
  ledger: number | null;
  orders: number | null;
  receipts: number | null;
}

export const findReaderLags = (db: Queryable): Promise<ReaderLags> =>
  db.queryFirst(sql('reader_find_lags')`
    select
      (select extract(epoch from app_now() - created_at)::float8 from events
       where seq > (select seq from reader_positions where name = 'figures') and type <> 'order.created'
       order by seq limit 1) as figures,
      (select extract(epoch from app_now() - created_at)::float8 from events
       where seq > (select seq from reader_positions where name = 'ledger') and type <> 'order.created'
       order by seq limit 1) as ledger,
      (select extract(epoch from app_now() - created_at)::float8 from orders
       where seq > (select seq from reader_positions where name = 'orders') order by seq limit 1) as orders,
      (select extract(epoch from app_now() - created_at)::float8 from events
       where seq > (select seq from reader_positions where name = 'receipts') and type <> 'order.created'
       order by seq limit 1) as receipts`);

export interface ReconciliationState {
  /** Seconds since the last finished comparison of any account; null while no account is connected. */
  ageSeconds: number | null;
  accounts: number;
  /** Accounts that were last compared more than two days ago. */
  behind: number;
}

/**
 * Reads the last finished day of each account by the primary key. An account that was never compared counts from its
 * connection. The accounts of the settings count as one.
 */
export const findReconciliationState = (db: Queryable): Promise<ReconciliationState> =>
  db.queryFirst(sql('reconciliation_find_state')`
    select extract(epoch from app_now() - max(at))::float8 as "ageSeconds", count(*)::int as accounts,
           count(*) filter (where at < app_now() - interval '2 days')::int as behind
    from (
      select coalesce(
        (select r.finished_at from reconciliation_runs r where r.account_id = a.account_id and r.state = 'done'
         order by r.day desc limit 1), a.created_at) as at
      from provider_accounts a where a.is_current and a.secret_key_sealed is not null
      union all
      select max(own.finished_at) from (
        select finished_at from reconciliation_runs where company_id is null and state = 'done' order by day desc limit 2) own
      having count(*) > 0) accounts`);
