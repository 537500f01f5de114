import { fragment, type Queryable, sql } from '../../db/statement.ts';

export interface RunCounts {
  payments: number;
  refunds: number;
  disputes: number;
  foreign: number;
  differences: number;
}

export interface RunKey {
  accountId: string;
  companyId: string | null;
  day: string;
  /** Of the process that compares; another may take over from one that is silent. */
  claimId: string;
}

const SILENT_AFTER = fragment`interval '10 minutes'`;
const AGAIN_AFTER = fragment`interval '1 hour'`;
/** Early in the morning, UTC: by then the provider has everything of the day before. */
const DAY_IS_COMPLETE = fragment`interval '26 hours'`;

/** Whether this process compares the day. `again`: also one that was compared before. Never two at a time. */
export const claimRun = (db: Queryable, run: RunKey, again: boolean): Promise<boolean> =>
  db.queryAny(sql('reconciliation_run_claim')`
    insert into reconciliation_runs as r (account_id, day, company_id, state, claim_id, alive_at, started_at)
    values (${run.accountId}, ${run.day}::date, ${run.companyId}, 'running', ${run.claimId}, app_now(), app_now())
    on conflict (account_id, day) do update set state = 'running', claim_id = excluded.claim_id, alive_at = app_now(),
      started_at = app_now(), finished_at = null, problem = null
      where (r.state <> 'running' or r.alive_at <= app_now() - ${SILENT_AFTER})
        and (${again}::boolean or r.state = 'running'
             or (r.state = 'failed' and r.finished_at <= app_now() - ${AGAIN_AFTER})
             or (r.state = 'done' and r.started_at < r.day::timestamp at time zone 'UTC' + ${DAY_IS_COMPLETE}))
    returning r.account_id`);

/** False: another process has taken over. */
export const updateRunAlive = (db: Queryable, run: RunKey): Promise<boolean> =>
  db.queryAny(sql('reconciliation_run_alive')`
    update reconciliation_runs set alive_at = app_now()
    where account_id = ${run.accountId} and day = ${run.day}::date and claim_id = ${run.claimId} returning account_id`);

export const updateRunDone = (
  db: Queryable,
  run: RunKey,
  { payments, refunds, disputes, foreign, differences }: RunCounts,
): Promise<void> =>
  db.execute(sql('reconciliation_run_done')`
    update reconciliation_runs set state = 'done', payments = ${payments}, refunds = ${refunds}, disputes = ${disputes},
      foreign_payments = ${foreign}, differences = ${differences}, problem = null, finished_at = app_now()
    where account_id = ${run.accountId} and day = ${run.day}::date and claim_id = ${run.claimId}`);

export const updateRunFailed = (db: Queryable, run: RunKey, problem: string): Promise<void> =>
  db.execute(sql('reconciliation_run_failed')`
    update reconciliation_runs set state = 'failed', problem = ${problem}, finished_at = app_now()
    where account_id = ${run.accountId} and day = ${run.day}::date and claim_id = ${run.claimId}`);

export interface RunRow extends RunCounts {
  accountId: string;
  day: string;
  state: 'running' | 'done' | 'failed';
  problem: string | null;
  startedAt: Date;
  finishedAt: Date | null;
}

/** Whose runs: the company's own, and those of accounts of the settings that are the company's. */
export interface RunOwner {
  companyId: string;
  settingsAccounts: string[];
}

export const listRuns = (db: Queryable, { companyId, settingsAccounts }: RunOwner, limit: number): Promise<RunRow[]> =>
  db.query(sql('reconciliation_run_list')`
    select account_id as "accountId", to_char(day, 'YYYY-MM-DD') as day, state, payments, refunds, disputes,
           foreign_payments as foreign, differences, problem, started_at as "startedAt", finished_at as "finishedAt"
    from reconciliation_runs where company_id = ${companyId} or (company_id is null and account_id = any(${settingsAccounts}::text[]))
    order by reconciliation_runs.day desc, account_id limit ${limit}`);

/** How far back a day that was not compared is made up for. */
const BACK_DAYS = 90;
const DAYS_AT_ONCE = 7;

/**
 * The days of an account that are over and were not compared since, newest first: yesterday, those that failed, and those on
 * which no worker ran. The first is the day on which it was connected; for the account of the settings, which has no such
 * day, that of the first game.
 */
export async function listDaysDue(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db.query<{ day: string }>(sql('reconciliation_days_due')`
    select to_char(d.day, 'YYYY-MM-DD') as day
    from (select (app_now() at time zone 'UTC' - ${DAY_IS_COMPLETE})::date as last,
                 (app_now() at time zone 'UTC')::date - 1 as yesterday) now
    cross join lateral generate_series(
      greatest(now.yesterday - ${BACK_DAYS}::int, coalesce(
        (select min(r.day) from reconciliation_runs r where r.account_id = ${accountId}),
        (select min(a.created_at at time zone 'UTC')::date from provider_accounts a where a.account_id = ${accountId}),
        (select min(e.created_at at time zone 'UTC')::date from environments e where e.mode = 'live'))),
      now.last, interval '1 day') as d (day)
    where not exists (
      select 1 from reconciliation_runs r
      where r.account_id = ${accountId} and r.day = d.day::date and r.state = 'done'
        and r.started_at >= r.day::timestamp at time zone 'UTC' + ${DAY_IS_COMPLETE})
    order by d.day desc limit ${DAYS_AT_ONCE}`);
  return rows.map(({ day }) => day);
}

export interface ReconciliationFacts {
  comparedDays: number;
  /** How many days failed and were not compared since. */
  failedDays: number;
  openDifferences: number;
}

/** Counted up to a hundred each: beyond it only "many" matters. */
export const findReconciliationFacts = (
  db: Queryable,
  { companyId, settingsAccounts }: RunOwner,
): Promise<ReconciliationFacts> =>
  db.queryFirst(sql('reconciliation_find_facts')`
    select
      (select count(1)::int from (select 1 from reconciliation_runs
         where (company_id = ${companyId} or (company_id is null and account_id = any(${settingsAccounts}::text[]))) and state = 'done' limit 100) a) as "comparedDays",
      (select count(1)::int from (select 1 from reconciliation_runs
         where (company_id = ${companyId} or (company_id is null and account_id = any(${settingsAccounts}::text[]))) and state = 'failed' limit 100) b) as "failedDays",
      (select count(1)::int from (select 1 from reconciliation_differences
         where company_id = ${companyId} and state = 'open' limit 100) c) as "openDifferences"`);
