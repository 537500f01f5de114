import type { DifferenceKind, DifferenceState } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { fragment, sql, words } from '../../db/sql.ts';
import { newId } from '../../kit/ids.ts';
import { paymentStatusesThatAre } from '../payment/payment.ts';
import type { OurPurchase } from './compare.ts';

const UNDECIDED = words(paymentStatusesThatAre('undecided'));

export interface OurRow extends OurPurchase {
  environmentId: string;
  paymentId: string;
  orderId: string;
  companyId: string;
  intentId: string | null;
  hasDispute: boolean;
}

const OUR_COLUMNS = fragment`c.environment_id as "environmentId", c.payment_id as "paymentId", p.order_id as "orderId",
  g.company_id as "companyId", c.intent_id as "intentId", c.has_dispute as "hasDispute", p.status,
  p.amount_minor as "amountMinor", p.currency, p.problem, p.settled_at as "settledAt", o.status as "orderStatus", o.granted_at as "grantedAt", o.paid_at as "paidAt",
  extract(epoch from app_now() - case
    when p.status in (${UNDECIDED}) then p.created_at
    when p.status = 'authorized' then greatest(p.authorized_at, o.granted_at, case when o.status = 'rejected' then o.updated_at end)
    else p.updated_at end)::float8 as "ageSeconds"`;

const WITH_PAYMENT = fragment`join payments p on p.environment_id = c.environment_id and p.id = c.payment_id
  join orders o on o.environment_id = p.environment_id and o.id = p.order_id
  join environments e on e.id = c.environment_id
  join games g on g.id = e.game_id`;

/** Ours among what the provider lists. */
export const listOursByPayment = (
  db: Queryable,
  accountId: string,
  refs: { environmentId: string; paymentId: string }[],
): Promise<OurRow[]> =>
  db.query(sql('reconciliation_by_payment')`
    select ${OUR_COLUMNS}
    from unnest(${refs.map(ref => ref.environmentId)}::text[], ${refs.map(ref => ref.paymentId)}::text[])
         as wanted (environment_id, payment_id)
    join provider_charges c on c.environment_id = wanted.environment_id and c.payment_id = wanted.payment_id
    ${WITH_PAYMENT}
    where c.account_id = ${accountId}`);

export const listOursByIntent = (db: Queryable, accountId: string, intentIds: string[]): Promise<OurRow[]> =>
  db.query(sql('reconciliation_by_intent')`
    select ${OUR_COLUMNS} from provider_charges c ${WITH_PAYMENT}
    where (c.intent_id = any(${intentIds}::text[]) or c.capture_id = any(${intentIds}::text[]))
      and c.account_id = ${accountId}`);

/** Where the account can have taken money. */
export async function listLiveEnvironments(db: Queryable, companyId: string | null): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql('reconciliation_live_environments')`
    select e.id from environments e join games g on g.id = e.game_id
    where e.mode = 'live' and (${companyId}::text is null or g.company_id = ${companyId}) order by e.id`);
  return rows.map(({ id }) => id);
}

/**
 * The payments that took a step in a span of time, by their events: these never change, while the row of a charge is written
 * at every look-up, those of this comparison too.
 */
export const listOursOfSpan = (
  db: Queryable,
  of: { accountId: string; environmentId: string },
  span: { afterEventId: string; belowEventId: string; from: Date; to: Date },
  limit: number,
): Promise<(OurRow & { eventId: string })[]> =>
  db.query(sql('reconciliation_of_span')`
    select ${OUR_COLUMNS}, v.id as "eventId" from events v
    join provider_charges c on c.environment_id = v.environment_id and c.payment_id = v.data ->> 'payment_id'
    ${WITH_PAYMENT}
    where v.environment_id = ${of.environmentId} and v.id > ${span.afterEventId} and v.id < ${span.belowEventId}
      and v.created_at >= ${span.from} and v.created_at < ${span.to} and v.type like 'payment.%' and not v.test
      and c.account_id = ${of.accountId} and c.status <> 'never'
    order by v.id limit ${limit}`);

/** Payments that wait for a next step, whenever they took the last one: one that waits too long is a difference. */
export const listOursWaiting = (
  db: Queryable,
  of: { accountId: string; environmentId: string },
  afterPaymentId: string,
  limit: number,
): Promise<OurRow[]> =>
  db.query(sql('reconciliation_of_waiting')`
    select ${OUR_COLUMNS}
    from unnest('{open,refund_requested}'::text[]) as waiting (stage)
    cross join lateral (
      select w.environment_id, w.id from payments w
      where w.stage = waiting.stage and w.environment_id = ${of.environmentId} and w.id > ${afterPaymentId}
      order by w.stage, w.environment_id, w.id limit ${limit}) found
    join provider_charges c on c.environment_id = found.environment_id and c.payment_id = found.id
    ${WITH_PAYMENT}
    where c.account_id = ${of.accountId} and c.status <> 'never'
    order by c.payment_id limit ${limit}`);

/** What differed before and is not resolved: it may have come right since. */
export const listOursOpen = (db: Queryable, accountId: string): Promise<OurRow[]> =>
  db.query(sql('reconciliation_of_open')`
    select distinct on (c.payment_id) ${OUR_COLUMNS} from reconciliation_differences d
    join provider_charges c on c.environment_id = d.environment_id and c.payment_id = d.subject
    ${WITH_PAYMENT}
    where d.account_id = ${accountId} and d.state = 'open' order by c.payment_id`);

export const findOurs = (db: Queryable, environmentId: string, paymentId: string): Promise<OurRow | null> =>
  db.queryOne(sql('reconciliation_find_ours')`
    select ${OUR_COLUMNS} from provider_charges c ${WITH_PAYMENT}
    where c.environment_id = ${environmentId} and c.payment_id = ${paymentId}`);

/** The company of the environment that a payment at the provider names. */
export const findCompanyOf = (db: Queryable, environmentId: string): Promise<string | null> =>
  db.queryValue(sql('reconciliation_company_of')`
    select g.company_id as "companyId" from environments e join games g on g.id = e.game_id where e.id = ${environmentId}`);

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

export interface NewDifference {
  companyId: string;
  accountId: string;
  day: string;
  kind: DifferenceKind;
  subject: string;
  state: 'open' | 'corrected';
  ours: string | null;
  theirs: string | null;
  providerId: string | null;
  environmentId: string | null;
  paymentId: string | null;
  orderId: string | null;
}

/**
 * One row for a difference until a studio member resolves it, however often the day is compared. What was resolved stays so as
 * long as both sides say the same as then; when one of them has changed, it is another difference.
 */
export const insertDifference = (db: Queryable, it: NewDifference): Promise<void> =>
  db.execute(sql('reconciliation_difference_insert')`
    insert into reconciliation_differences (company_id, id, account_id, day, kind, subject, state, ours, theirs, provider_id,
      environment_id, payment_id, order_id, created_at)
    select ${it.companyId}, ${newId('dif')}, ${it.accountId}, ${it.day}::date, ${it.kind}, ${it.subject}, ${it.state},
      ${it.ours}, ${it.theirs}, ${it.providerId}, ${it.environmentId}, ${it.paymentId}, ${it.orderId}, app_now()
    where not exists (
      select 1 from reconciliation_differences r
      where r.account_id = ${it.accountId} and r.kind = ${it.kind} and r.subject = ${it.subject} and r.state = 'resolved'
        and r.ours is not distinct from ${it.ours} and r.theirs is not distinct from ${it.theirs})
    on conflict (account_id, kind, subject) where state <> 'resolved'
      do update set state = excluded.state, day = excluded.day, ours = excluded.ours, theirs = excluded.theirs`);

/** What differed before and does no longer. */
export const updateDifferencesCorrected = (
  db: Queryable,
  accountId: string,
  subject: string,
  stillDiffers: DifferenceKind | null,
): Promise<void> =>
  db.execute(sql('reconciliation_difference_correct')`
    update reconciliation_differences set state = 'corrected'
    where account_id = ${accountId} and subject = ${subject} and state = 'open' and kind is distinct from ${stillDiffers}`);

export interface DifferenceRow extends Omit<NewDifference, 'state'> {
  id: string;
  state: DifferenceState;
  gameId: string | null;
  note: string | null;
  resolvedBy: string | null;
  resolvedAt: Date | null;
  createdAt: Date;
}

const DIFFERENCE_COLUMNS = fragment`d.company_id as "companyId", d.id, d.account_id as "accountId",
  to_char(d.day, 'YYYY-MM-DD') as day, d.kind, d.subject, d.state, d.ours, d.theirs, d.provider_id as "providerId",
  d.environment_id as "environmentId", d.payment_id as "paymentId", d.order_id as "orderId", e.game_id as "gameId", d.note,
  d.resolved_by as "resolvedBy", d.resolved_at as "resolvedAt", d.created_at as "createdAt"`;

export interface DifferenceFilter {
  state: DifferenceState | null;
  day: string | null;
  beforeId: string | null;
  limit: number;
}

export const listDifferences = (
  db: Queryable,
  companyId: string,
  { state, day, beforeId, limit }: DifferenceFilter,
): Promise<DifferenceRow[]> =>
  db.query(sql('reconciliation_difference_list')`
    select ${DIFFERENCE_COLUMNS} from reconciliation_differences d
    left join environments e on e.id = d.environment_id
    where d.company_id = ${companyId} and (${state}::text is null or d.state = ${state})
      and (${day}::date is null or d.day = ${day}::date) and (${beforeId}::text is null or d.id < ${beforeId})
    order by d.id desc limit ${limit}`);

export const findDifference = (db: Queryable, companyId: string, id: string): Promise<DifferenceRow | null> =>
  db.queryOne(sql('reconciliation_difference_find')`
    select ${DIFFERENCE_COLUMNS} from reconciliation_differences d
    left join environments e on e.id = d.environment_id
    where d.company_id = ${companyId} and d.id = ${id}`);

/** False: it was resolved before. */
export const updateDifferenceResolved = (
  tx: Tx,
  companyId: string,
  id: string,
  resolved: { note: string; by: string },
): Promise<boolean> =>
  tx.queryAny(sql('reconciliation_difference_resolve')`
    update reconciliation_differences set state = 'resolved', note = ${resolved.note}, resolved_by = ${resolved.by},
      resolved_at = app_now()
    where company_id = ${companyId} and id = ${id} and state <> 'resolved' returning id`);

/** How far back a day that was not compared is made up for. */
const BACK_DAYS = 90;
const DAYS_AT_ONCE = 7;

/**
 * The days of an account that are over and were not compared since, newest first: yesterday, those that failed, and those on
 * which no worker ran.
 */
export async function listDaysDue(db: Queryable, accountId: string): Promise<string[]> {
  const rows = await db.query<{ day: string }>(sql('reconciliation_days_due')`
    select to_char(d.day, 'YYYY-MM-DD') as day
    from (select (app_now() at time zone 'UTC' - ${DAY_IS_COMPLETE})::date as last,
                 (app_now() at time zone 'UTC')::date - 1 as yesterday) now
    cross join lateral generate_series(
      greatest(now.yesterday - ${BACK_DAYS}::int,
               coalesce((select min(r.day) from reconciliation_runs r where r.account_id = ${accountId}), now.yesterday)),
      now.last, interval '1 day') as d (day)
    where not exists (
      select 1 from reconciliation_runs r
      where r.account_id = ${accountId} and r.day = d.day::date and r.state = 'done'
        and r.started_at >= r.day::timestamp at time zone 'UTC' + ${DAY_IS_COMPLETE})
    order by d.day desc limit ${DAYS_AT_ONCE}`);
  return rows.map(({ day }) => day);
}

export interface ReconciliationFacts {
  /** How many days were compared to their end. */
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
