import { reasonOf } from '@coinslot/texts/reasons';
import { type Queryable, ROWS, type RowOf, sql, sqlForRows, words } from '../../../../db/statement.ts';
import type { ChargeStatus } from '../base/charge-shape.ts';
import type { ChargeRef, Evidence } from '../base/gateway.ts';
import { CHARGE_TABLE, CHARGES, type ChargeRow, COLUMNS } from './charge-row.sql.ts';

const FIXED =
  CHARGE_TABLE.pick(`environmentId, paymentId, orderId, amountMinor, currency, behavior, method, brand, last4, country,
  expiryMonth, expiryYear`);
/** What an expired card changes. */
const JUDGED = CHARGE_TABLE.pick('status, responseCode, responseDescription, challengeUrl');

export type NewCharge = RowOf<typeof FIXED> & RowOf<typeof JUDGED> & { dueInSeconds: number | null };

const EXPIRED = '2054';

const insertCharges = sqlForRows<NewCharge, ChargeRow>('simulator_charge_insert', {
  ...FIXED.types,
  ...JUDGED.types,
  dueInSeconds: 'float8',
})`
  with input as (
    select n, ${FIXED.names}, ${JUDGED.names}, due_in_seconds,
      coalesce(make_date(expiry_year, expiry_month, 1) + interval '1 month' <= app_now() at time zone 'UTC', false) as expired
    from ${ROWS} as t
  ), made as (
    insert into simulator.charges (${FIXED.names}, ${JUDGED.names}, due_at, created_at)
    select ${FIXED.names}, case when expired then 'declined' else status end,
      case when expired then ${words([EXPIRED])} else response_code end,
      case when expired then ${words([reasonOf('simulator.decline', EXPIRED)!])} else response_description end,
      case when not expired then challenge_url end, app_now() + make_interval(secs => due_in_seconds), app_now()
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
 * The charge if there is one by now, else a mark that refuses it forever. The empty update is what makes the statement wait
 * for an authorization that is being committed and then read it.
 */
export const insertTombstone = (db: Queryable, ref: ChargeRef): Promise<ChargeRow> =>
  db.queryFirst(sql('simulator_charge_insert_tombstone')`
    insert into simulator.charges (environment_id, payment_id, status, amount_minor, behavior, created_at)
    values (${ref.environmentId}, ${ref.paymentId}, 'never', 0, 'decline', app_now())
    on conflict (environment_id, payment_id) do update set payment_id = excluded.payment_id
    returning ${COLUMNS}`);

export interface Move {
  from: ChargeStatus[];
  to: ChargeStatus;
  amountMinor?: number;
  currency?: string;
  responseCode?: string;
  responseDescription?: string;
}

const updateCharges = sqlForRows<ChargeRef & Move, ChargeRow>('simulator_charge_update', {
  ...CHARGE_TABLE.pick('environmentId, paymentId, amountMinor, currency, responseCode, responseDescription').types,
  from: 'text[]',
  to: 'text',
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
export const updateChargeEvidence = (
  db: Queryable,
  ref: ChargeRef,
  evidence: Evidence & { files: string[] },
): Promise<void> =>
  db.execute(sql('simulator_charge_update_evidence')`
    update simulator.charges set evidence = ${JSON.stringify(evidence)}, evidence_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and evidence_at is null
      and accepted_at is null`);

/** For good: what was given up is not defended any more. */
export const updateChargeAccepted = (db: Queryable, ref: ChargeRef): Promise<void> =>
  db.execute(sql('simulator_charge_update_accepted')`
    update simulator.charges set accepted_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and accepted_at is null`);

export const updateChargeOlder = (db: Queryable, ref: ChargeRef, seconds: number): Promise<void> =>
  db.execute(sql('simulator_charge_update_older')`
    update simulator.charges set created_at = created_at - make_interval(secs => ${seconds}),
      captured_at = captured_at - make_interval(secs => ${seconds}), due_at = due_at - make_interval(secs => ${seconds}),
      refunded_at = refunded_at - make_interval(secs => ${seconds}),
      evidence_at = evidence_at - make_interval(secs => ${seconds}),
      accepted_at = accepted_at - make_interval(secs => ${seconds})
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);
