import type { DifferenceKind, DifferenceState, PaymentStatus } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { fragment, sql } from '../../db/sql.ts';
import { newId } from '../../kit/ids.ts';

export interface OurRow {
  environmentId: string;
  paymentId: string;
  orderId: string;
  companyId: string;
  intentId: string | null;
  hasDispute: boolean;
  status: PaymentStatus;
  amountMinor: number;
  currency: string;
}

const OUR_COLUMNS = fragment`c.environment_id as "environmentId", c.payment_id as "paymentId", p.order_id as "orderId",
  g.company_id as "companyId", c.intent_id as "intentId", c.has_dispute as "hasDispute", p.status,
  p.amount_minor as "amountMinor", p.currency`;

const WITH_PAYMENT = fragment`join payments p on p.environment_id = c.environment_id and p.id = c.payment_id
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
    where c.intent_id = any(${intentIds}::text[]) and c.account_id = ${accountId}`);

/** What we did with the account on a day. */
export const listOursOfDay = (
  db: Queryable,
  accountId: string,
  from: Date,
  to: Date,
  afterPaymentId: string,
  limit: number,
): Promise<OurRow[]> =>
  db.query(sql('reconciliation_of_day')`
    select ${OUR_COLUMNS} from provider_charges c ${WITH_PAYMENT}
    where c.account_id = ${accountId} and c.updated_at >= ${from} and c.updated_at < ${to} and c.status <> 'never'
      and c.payment_id > ${afterPaymentId}
    order by c.payment_id limit ${limit}`);

export async function findOurs(db: Queryable, environmentId: string, paymentId: string): Promise<OurRow | null> {
  const [row] = await db.query<OurRow>(sql('reconciliation_find_ours')`
    select ${OUR_COLUMNS} from provider_charges c ${WITH_PAYMENT}
    where c.environment_id = ${environmentId} and c.payment_id = ${paymentId}`);
  return row ?? null;
}

/** Whose environment it is that a foreign payment names. */
export async function findCompanyOf(db: Queryable, environmentId: string): Promise<string | null> {
  const [row] = await db.query<{ companyId: string }>(sql('reconciliation_company_of')`
    select g.company_id as "companyId" from environments e join games g on g.id = e.game_id where e.id = ${environmentId}`);
  return row?.companyId ?? null;
}

export interface RunCounts {
  payments: number;
  refunds: number;
  disputes: number;
  foreign: number;
  differences: number;
}

const STALE_AFTER = fragment`interval '2 hours'`;

/** Whether this process does the day. `again`: also one that was done before. */
export async function claimRun(
  db: Queryable,
  run: { accountId: string; companyId: string | null; day: string },
  again: boolean,
): Promise<boolean> {
  const claimed = await db.query(sql('reconciliation_run_claim')`
    insert into reconciliation_runs (account_id, day, company_id, state, started_at)
    values (${run.accountId}, ${run.day}::date, ${run.companyId}, 'running', app_now())
    on conflict (account_id, day) do update set state = 'running', started_at = app_now(), finished_at = null, problem = null
      where ${again}::boolean or (reconciliation_runs.state <> 'done' and reconciliation_runs.started_at <= app_now() - ${STALE_AFTER})
    returning account_id`);
  return claimed.length > 0;
}

export async function updateRunDone(
  db: Queryable,
  run: { accountId: string; day: string },
  { payments, refunds, disputes, foreign, differences }: RunCounts,
): Promise<void> {
  await db.query(sql('reconciliation_run_done')`
    update reconciliation_runs set state = 'done', payments = ${payments}, refunds = ${refunds}, disputes = ${disputes},
      foreign_payments = ${foreign}, differences = ${differences}, problem = null, finished_at = app_now()
    where account_id = ${run.accountId} and day = ${run.day}::date`);
}

export async function updateRunFailed(
  db: Queryable,
  run: { accountId: string; day: string },
  problem: string,
): Promise<void> {
  await db.query(sql('reconciliation_run_failed')`
    update reconciliation_runs set state = 'failed', problem = ${problem}, finished_at = app_now()
    where account_id = ${run.accountId} and day = ${run.day}::date`);
}

export interface RunRow extends RunCounts {
  accountId: string;
  day: string;
  state: 'running' | 'done' | 'failed';
  problem: string | null;
  startedAt: Date;
  finishedAt: Date | null;
}

export const listRuns = (db: Queryable, companyId: string, limit: number): Promise<RunRow[]> =>
  db.query(sql('reconciliation_run_list')`
    select account_id as "accountId", to_char(day, 'YYYY-MM-DD') as day, state, payments, refunds, disputes,
           foreign_payments as foreign, differences, problem, started_at as "startedAt", finished_at as "finishedAt"
    from reconciliation_runs where company_id = ${companyId} or company_id is null
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

/** One row for one difference, however often the day is compared. What a person resolved stays resolved. */
export async function insertDifference(db: Queryable, it: NewDifference): Promise<void> {
  await db.query(sql('reconciliation_difference_insert')`
    insert into reconciliation_differences (company_id, id, account_id, day, kind, subject, state, ours, theirs, provider_id,
      environment_id, payment_id, order_id, created_at)
    values (${it.companyId}, ${newId('dif')}, ${it.accountId}, ${it.day}::date, ${it.kind}, ${it.subject}, ${it.state},
      ${it.ours}, ${it.theirs}, ${it.providerId}, ${it.environmentId}, ${it.paymentId}, ${it.orderId}, app_now())
    on conflict (account_id, kind, subject) do update set state = excluded.state, ours = excluded.ours, theirs = excluded.theirs
      where reconciliation_differences.state <> 'resolved'`);
}

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

export async function findDifference(db: Queryable, companyId: string, id: string): Promise<DifferenceRow | null> {
  const [row] = await db.query<DifferenceRow>(sql('reconciliation_difference_find')`
    select ${DIFFERENCE_COLUMNS} from reconciliation_differences d
    left join environments e on e.id = d.environment_id
    where d.company_id = ${companyId} and d.id = ${id}`);
  return row ?? null;
}

/** False: somebody resolved it before. */
export async function updateDifferenceResolved(
  tx: Tx,
  companyId: string,
  id: string,
  resolved: { note: string; by: string },
): Promise<boolean> {
  const rows = await tx.query(sql('reconciliation_difference_resolve')`
    update reconciliation_differences set state = 'resolved', note = ${resolved.note}, resolved_by = ${resolved.by},
      resolved_at = app_now()
    where company_id = ${companyId} and id = ${id} and state <> 'resolved' returning id`);
  return rows.length > 0;
}

/** The day before, once it is surely over everywhere that matters. */
export async function findDayDue(db: Queryable, afterHour: number): Promise<string | null> {
  const [row] = await db.query<{ day: string; hour: number }>(sql('reconciliation_day_due')`
    select to_char((app_now() at time zone 'UTC')::date - 1, 'YYYY-MM-DD') as day,
           extract(hour from app_now() at time zone 'UTC')::int as hour`);
  return row!.hour >= afterHour ? row!.day : null;
}
