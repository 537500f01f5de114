import type { Queryable } from '../../../../db/db.ts';
import { fragment, ROWS, sql, sqlForRows } from '../../../../db/sql.ts';
import { jsonOrNull, type RowOf, table, typed } from '../../../../db/table.ts';
import type { ChargeRef, ChargeStatus, Evidence, SavedMethod } from '../base/gateway.ts';
import type { CardBehavior } from './test-cards.ts';

const CHARGES = table('simulator.charges', {
  /** `never`: asked about before it came, and refused since. */
  status: typed<ChargeStatus | 'never'>('text'),
  orderId: 'text?',
  amountMinor: 'bigint',
  currency: 'text?',
  behavior: typed<CardBehavior['kind']>('text'),
  brand: 'text?',
  last4: 'text?',
  country: 'text?',
  responseCode: 'text?',
  responseDescription: 'text?',
  challengeUrl: 'text?',
  /** How it is paid; `card` unless told. */
  method: 'text',
  /** When the money of a slow method comes. */
  dueAt: 'timestamptz?',
  capturedAt: 'timestamptz?',
  refundedAt: 'timestamptz?',
  /** When a bank could not return the money. */
  refundFailedAt: 'timestamptz?',
  evidence: jsonOrNull<Evidence>(),
  evidenceAt: 'timestamptz?',
});

export interface ChargeRow extends RowOf<typeof CHARGES> {
  now: Date;
}

const COLUMNS = fragment`${CHARGES.columns}, app_now() as now`;

export interface NewCharge extends ChargeRef {
  status: 'requires_action' | 'authorized' | 'declined';
  orderId: string;
  amountMinor: number;
  currency: string;
  behavior: CardBehavior['kind'];
  brand: string | null;
  last4: string | null;
  country: string | null;
  expiryMonth: number | null;
  expiryYear: number | null;
  responseCode: string | null;
  responseDescription: string | null;
  challengeUrl: string | null;
}

const insertCharges = sqlForRows<NewCharge, ChargeRow>('simulator_charge_insert', {
  environmentId: 'text',
  paymentId: 'text',
  status: 'text',
  orderId: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  behavior: 'text',
  brand: 'text',
  last4: 'text',
  country: 'text',
  expiryMonth: 'int',
  expiryYear: 'int',
  responseCode: 'text',
  responseDescription: 'text',
  challengeUrl: 'text',
})`
  with input as (
    select n, environment_id, payment_id, status, order_id, amount_minor, currency, behavior, brand, last4, country,
      expiry_month, expiry_year, response_code, response_description, challenge_url,
      coalesce(make_date(expiry_year, expiry_month, 1) + interval '1 month' <= app_now() at time zone 'UTC', false) as expired
    from ${ROWS} as t
  ), made as (
    insert into simulator.charges (environment_id, payment_id, status, order_id, amount_minor, currency, behavior, brand, last4,
      country, expiry_month, expiry_year, response_code, response_description, challenge_url, created_at)
    select environment_id, payment_id, case when expired then 'declined' else status end, order_id, amount_minor, currency,
      behavior, brand, last4, country, expiry_month, expiry_year, case when expired then '2054' else response_code end,
      case when expired then 'Expired card' else response_description end, case when not expired then challenge_url end,
      app_now()
    from input
    on conflict do nothing
    returning environment_id, payment_id, ${CHARGES.names}
  )
  select i.n, ${COLUMNS} from made
  join (select n, environment_id, payment_id from input) i
    on i.environment_id = made.environment_id and i.payment_id = made.payment_id`;

/** Null when the id is taken. The expiry is judged here, because the database has the clock. */
export const insertCharge = async (db: Queryable, charge: NewCharge): Promise<ChargeRow | null> =>
  (await db.queryRow(insertCharges, charge)) ?? null;

/** Null when the id is taken or the token is not one of this environment. */
export const insertChargeBySavedMethod = (
  db: Queryable,
  it: ChargeRef & {
    orderId: string;
    amountMinor: number;
    currency: string;
    token: string;
    playerId: string | null;
    challengeUrl: string;
  },
): Promise<ChargeRow | null> =>
  db.queryOne(sql('simulator_charge_insert_by_saved_method')`
    insert into simulator.charges (environment_id, payment_id, status, order_id, amount_minor, currency, behavior, brand, last4,
      country, expiry_month, expiry_year, response_code, response_description, challenge_url, created_at)
    select ${it.environmentId}, ${it.paymentId},
      case when expired then 'declined' when behavior = 'challenge' then 'requires_action' else 'authorized' end,
      ${it.orderId}, ${it.amountMinor}, ${it.currency}, behavior, brand, last4, country, expiry_month, expiry_year,
      case when expired then '2054' end, case when expired then 'Expired card' end,
      case when behavior = 'challenge' and not expired then ${it.challengeUrl}::text end, app_now()
    from (
      select behavior, brand, last4, country, expiry_month, expiry_year,
        make_date(expiry_year, expiry_month, 1) + interval '1 month' <= app_now() at time zone 'UTC' as expired
      from simulator.saved_methods where environment_id = ${it.environmentId} and token = ${it.token}
        and player_id = coalesce(${it.playerId}::text, player_id)
    ) as method
    on conflict do nothing
    returning ${COLUMNS}`);

export interface NewChargeByMethod extends ChargeRef {
  orderId: string;
  amountMinor: number;
  currency: string;
  method: string;
  status: 'requires_action' | 'processing' | 'authorized';
  challengeUrl: string | null;
  dueInSeconds: number | null;
}

/** Null when the id is taken. */
export const insertChargeByMethod = (db: Queryable, it: NewChargeByMethod): Promise<ChargeRow | null> =>
  db.queryOne(sql('simulator_charge_insert_by_method')`
    insert into simulator.charges (environment_id, payment_id, status, order_id, amount_minor, currency, behavior, method,
      challenge_url, due_at, created_at)
    values (${it.environmentId}, ${it.paymentId}, ${it.status}, ${it.orderId}, ${it.amountMinor}, ${it.currency},
      ${it.status === 'requires_action' ? 'challenge' : 'approve'}, ${it.method}, ${it.challengeUrl},
      app_now() + make_interval(secs => ${it.dueInSeconds}), app_now())
    on conflict do nothing
    returning ${COLUMNS}`);

/** Null while the money has not come. */
export const updateChargeArrived = (db: Queryable, ref: ChargeRef): Promise<ChargeRow | null> =>
  db.queryOne(sql('simulator_charge_update_arrived')`
    update simulator.charges set status = 'captured', captured_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and status = 'processing'
      and due_at <= app_now()
    returning ${COLUMNS}`);

export const findCharge = (db: Queryable, ref: ChargeRef): Promise<ChargeRow | null> =>
  db.queryOne(sql('simulator_charge_find')`
    select ${COLUMNS}
    from simulator.charges where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

/**
 * The charge if there is one by now, else a mark that refuses it for ever. The empty update is what makes the statement wait
 * for an authorization that is being committed and then read it.
 */
export async function insertTombstone(db: Queryable, ref: ChargeRef): Promise<ChargeRow> {
  const [row] = await db.query<ChargeRow>(sql('simulator_charge_insert_tombstone')`
    insert into simulator.charges (environment_id, payment_id, status, amount_minor, behavior, created_at)
    values (${ref.environmentId}, ${ref.paymentId}, 'never', 0, 'decline', app_now())
    on conflict (environment_id, payment_id) do update set payment_id = excluded.payment_id
    returning ${COLUMNS}`);
  return row!;
}

export interface Move {
  from: ChargeStatus[];
  to: ChargeStatus;
  amountMinor?: number;
  currency?: string;
  responseCode?: string;
  responseDescription?: string;
}

const updateCharges = sqlForRows<ChargeRef & Move, ChargeRow>('simulator_charge_update', {
  environmentId: 'text',
  paymentId: 'text',
  from: 'text[]',
  to: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  responseCode: 'text',
  responseDescription: 'text',
})`
  update simulator.charges c set
    status = t."to",
    captured_at = case when t."to" = 'captured' then app_now() else c.captured_at end,
    response_code = coalesce(t.response_code, c.response_code),
    response_description = coalesce(t.response_description, c.response_description),
    challenge_url = null
  from ${ROWS} as t
  where c.environment_id = t.environment_id and c.payment_id = t.payment_id and c.status = any(t."from")
    and c.amount_minor = coalesce(t.amount_minor, c.amount_minor) and c.currency = coalesce(t.currency, c.currency)
  returning t.n, ${CHARGES.of('c')}, app_now() as now`;

/** Null when the charge is not where it may leave from, or is of another amount: nothing moved. */
export const updateCharge = async (db: Queryable, { environmentId, paymentId }: ChargeRef, move: Move) =>
  (await db.queryRow(updateCharges, { environmentId, paymentId, ...move })) ?? null;

/** Null when the charge is not captured. Whether a dispute holds its money is judged before. */
export const updateChargeRefunded = (db: Queryable, ref: ChargeRef): Promise<ChargeRow | null> =>
  db.queryOne(sql('simulator_charge_update_refunded')`
    update simulator.charges set status = 'refunded', refunded_at = app_now(), refund_failed_at = null
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and status = 'captured'
    returning ${COLUMNS}`);

/** The bank cannot return the money after all, once. Null while it is not known yet, and for every other card. */
export const updateRefundFailed = (
  db: Queryable,
  ref: ChargeRef,
  { failsAfterSeconds }: { failsAfterSeconds: number },
): Promise<ChargeRow | null> =>
  db.queryOne(sql('simulator_charge_update_refund_failed')`
    with failed as (
      update simulator.charges set status = 'captured', refunded_at = null, refund_failed_at = app_now(), behavior = 'approve'
      where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and status = 'refunded'
        and behavior = 'refund_fails' and refunded_at + make_interval(secs => ${failsAfterSeconds}) <= app_now()
      returning ${CHARGES.names}
    ), booked as (
      update simulator.entries set kind = 'refund_failed'
      where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and kind = 'refunded'
        and exists (select 1 from failed)
    )
    select ${COLUMNS} from failed`);

/** The bank hears one side once: what came first stays. */
export async function updateChargeEvidence(db: Queryable, ref: ChargeRef, evidence: Evidence): Promise<void> {
  await db.query(sql('simulator_charge_update_evidence')`
    update simulator.charges set evidence = ${JSON.stringify(evidence)}, evidence_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and evidence_at is null`);
}

export async function updateChargeOlder(db: Queryable, ref: ChargeRef, seconds: number): Promise<void> {
  await db.query(sql('simulator_charge_update_older')`
    update simulator.charges set created_at = created_at - make_interval(secs => ${seconds}),
      captured_at = captured_at - make_interval(secs => ${seconds}), due_at = due_at - make_interval(secs => ${seconds}),
      refunded_at = refunded_at - make_interval(secs => ${seconds}),
      evidence_at = evidence_at - make_interval(secs => ${seconds})
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);
}

export async function insertEntries(db: Queryable, ref: ChargeRef, kinds: string[]): Promise<void> {
  await db.query(sql('simulator_entries_insert')`
    insert into simulator.entries (environment_id, payment_id, kind, amount_minor, currency, created_at)
    select environment_id, payment_id, unnest(${kinds}::text[]), amount_minor, currency, app_now()
    from simulator.charges where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}
    on conflict do nothing`);
}

export interface EntryRow {
  paymentId: string;
  kind: string;
  amountMinor: number;
  currency: string;
  createdAt: Date;
}

/** What moved in a span of time, the oldest first. */
export const listEntries = (db: Queryable, environmentId: string, from: Date, to: Date): Promise<EntryRow[]> =>
  db.query(sql('simulator_entries_list')`
    select payment_id as "paymentId", kind, amount_minor as "amountMinor", currency, created_at as "createdAt"
    from simulator.entries
    where environment_id = ${environmentId} and created_at >= ${from} and created_at < ${to}
    order by created_at, payment_id, kind`);

/** Null when the charge holds no money. Saving twice answers the same token. */
export async function insertSavedMethod(
  db: Queryable,
  ref: ChargeRef & { playerId: string },
): Promise<SavedMethod | null> {
  const [row] = await db.query<SavedMethod>(sql('simulator_saved_method_insert')`
    insert into simulator.saved_methods (environment_id, token, payment_id, player_id, behavior, brand, last4, country,
      expiry_month, expiry_year, created_at)
    select environment_id, 'sim_' || replace(gen_random_uuid()::text, '-', ''), payment_id, ${ref.playerId}, behavior, brand,
      last4, country, expiry_month, expiry_year, app_now()
    from simulator.charges
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and status in ('authorized', 'captured')
    on conflict (environment_id, payment_id) do update set token = saved_methods.token
    returning token, brand, last4, expiry_month as "expiryMonth", expiry_year as "expiryYear"`);
  return row ?? null;
}

export async function deleteSavedMethod(
  db: Queryable,
  { environmentId, playerId, token }: { environmentId: string; playerId: string; token: string },
): Promise<void> {
  await db.query(sql('simulator_saved_method_delete')`
    delete from simulator.saved_methods
    where environment_id = ${environmentId} and player_id = ${playerId} and token = ${token}`);
}
