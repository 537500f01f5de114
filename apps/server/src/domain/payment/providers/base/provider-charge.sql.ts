import { fragment, jsonOrNull, type Queryable, type RowOf, sql, table, typed } from '../../../../db/statement.ts';
import type { Charge, ChargeRisk, ChargeWarning, Refusal } from './charge-shape.ts';
import { leadingDispute, storableFee } from './charges.ts';
import type { ChargeRef } from './gateway.ts';

/** A next action without its secret, as the row keeps it. */
export interface KeptAction {
  redirectUrl: string | null;
  instructionsUrl: string | null;
  expiresAt: string | null;
}

const PROVIDER_CHARGES = table('provider_charges', {
  environmentId: 'text',
  paymentId: 'text',
  provider: 'text',
  accountId: 'text',
  customerId: 'text?',
  intentId: 'text?',
  status: typed<'asked' | 'never' | 'known'>('text'),
  isCaptured: 'boolean',
  refundId: 'text?',
  refundGeneration: 'int',
  /** The provider's name of the reservation, where it has one beside that of the charge. */
  holdId: 'text?',
  captureId: 'text?',
  /** The newest refund that was asked for: its bank may fail to do it long after it was said to be done. */
  lastRefundId: 'text?',
  /**
   * No money may move for this charge any more, even if the provider would allow it. `never`: the charge is treated as if it had
   * never been made.
   */
  ended: typed<'declined' | 'voided' | 'never' | null>('text?'),
  /** How many errors the provider answered to calls of this charge: it may repeat them under the same key. */
  generation: 'int',
  nextAction: jsonOrNull<KeptAction>(),
  refusal: jsonOrNull<Refusal>(),
  risk: jsonOrNull<ChargeRisk>(),
  hasDispute: 'boolean',
  hasWarning: 'boolean',
  amountMinor: 'bigint',
  currency: 'text',
  createdAt: 'timestamptz',
  clientSecretSealed: 'bytea?',
  evidenceDueAt: 'timestamptz?',
  feeMinor: 'bigint?',
  feeCurrency: 'text?',
  warning: jsonOrNull<ChargeWarning>(),
});

const CHARGES = PROVIDER_CHARGES.omit('clientSecretSealed, evidenceDueAt, feeMinor, feeCurrency, warning');
const DETAILS =
  PROVIDER_CHARGES.pick(`intentId, accountId, nextAction, clientSecretSealed, evidenceDueAt, feeMinor, feeCurrency,
  warning, risk, refusal, lastRefundId`);

export interface ProviderCharge extends RowOf<typeof CHARGES> {
  ageSeconds: number;
}

const COLUMNS = fragment`${CHARGES.columns}, extract(epoch from app_now() - created_at)::float8 as "ageSeconds"`;

export const findProviderCharge = (db: Queryable, ref: ChargeRef): Promise<ProviderCharge | null> =>
  db.queryOne(sql('provider_charge_find')`
    select ${COLUMNS} from provider_charges
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

/** A callback names what the provider has; the account proves that it is the company's. */
export const findChargeByIntent = (
  db: Queryable,
  accountId: string,
  intentId: string,
): Promise<ProviderCharge | null> =>
  db.queryOne(sql('provider_charge_find_by_intent')`
    select ${COLUMNS} from provider_charges where intent_id = ${intentId} and account_id = ${accountId}`);

/** The same by the provider's name of the capture: disputes and refunds name no other. */
export const findChargeByCapture = (
  db: Queryable,
  accountId: string,
  captureId: string,
): Promise<ProviderCharge | null> =>
  db.queryOne(sql('provider_charge_find_by_capture')`
    select ${COLUMNS} from provider_charges where capture_id = ${captureId} and account_id = ${accountId}`);

const NEW = PROVIDER_CHARGES.pick(
  'environmentId, paymentId, provider, accountId, customerId, status, amountMinor, currency, refusal',
);
type NewProviderCharge = Omit<RowOf<typeof NEW>, 'status' | 'refusal'>;

/** The provider would not take it: what it said is kept for people, and nothing is sent under this payment any more. */
export const upsertRefusedCharge = (db: Queryable, it: NewProviderCharge, refusal: Refusal): Promise<void> =>
  db.execute(sql('provider_charge_upsert_refused')`
    insert into provider_charges (${NEW.names}, created_at, updated_at)
    values (${NEW.values({ ...it, status: 'never', refusal })}, app_now(), app_now())
    on conflict (environment_id, payment_id) do update set refusal = excluded.refusal, updated_at = excluded.updated_at`);

const insertNew = (db: Queryable, it: NewProviderCharge, status: ProviderCharge['status']): Promise<boolean> =>
  db.queryAny(sql('provider_charge_insert')`
    insert into provider_charges (${NEW.names}, created_at, updated_at)
    values (${NEW.values({ ...it, status, refusal: null })}, app_now(), app_now())
    on conflict (environment_id, payment_id) do nothing
    returning payment_id`);

/** Before the provider hears of it. False: it is there already, or it was given up before it came. */
export const insertProviderCharge = (db: Queryable, it: NewProviderCharge): Promise<boolean> =>
  insertNew(db, it, 'asked');

/** The shop asked about a charge that this process never sent: one that comes later is refused. */
export const insertNeverCharge = (db: Queryable, provider: string, ref: ChargeRef): Promise<boolean> =>
  insertNew(db, { ...ref, provider, accountId: '', customerId: null, amountMinor: 0, currency: '' }, 'never');

/** What the provider said no to last; null: it went through since. */
export const updateChargeRefusal = (db: Queryable, ref: ChargeRef, refusal: Refusal): Promise<void> =>
  db.execute(sql('provider_charge_refusal')`
    update provider_charges set refusal = ${JSON.stringify(refusal)}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

export const updateChargeNever = (db: Queryable, ref: ChargeRef): Promise<void> =>
  db.execute(sql('provider_charge_never')`
    update provider_charges set status = 'never', updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and intent_id is null`);

/** From a callback that came before the answer. */
export const updateChargeIntent = (db: Queryable, ref: ChargeRef, intentId: string): Promise<void> =>
  db.execute(sql('provider_charge_intent')`
    update provider_charges set intent_id = ${intentId}, status = 'known', updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and intent_id is null`);

export async function updateChargeSeen(
  db: Queryable,
  ref: ChargeRef,
  charge: Charge,
  clientSecretSealed: Buffer | null,
): Promise<void> {
  const { nextAction, warning, risk } = charge;
  const fee = storableFee(charge.fee);
  const evidenceDueAt = leadingDispute(charge)?.evidenceDueAt ?? null;
  const kept: KeptAction | null = nextAction
    ? {
        redirectUrl: nextAction.redirectUrl,
        instructionsUrl: nextAction.instructionsUrl,
        expiresAt: nextAction.expiresAt?.toISOString() ?? null,
      }
    : null;
  await db.query(sql('provider_charge_seen')`
    update provider_charges set intent_id = coalesce(${charge.providerId ?? null}, intent_id), status = 'known',
      is_captured = ${charge.status === 'captured' || charge.status === 'refunded'},
      refund_id = case when ${charge.status === 'refunded'} then null else refund_id end,
      warning = ${warning ? JSON.stringify(warning) : null},
      risk = coalesce(${risk ? JSON.stringify(risk) : null}, risk),
      fee_minor = coalesce(${fee?.amountMinor ?? null}, fee_minor),
      fee_currency = coalesce(${fee?.currency ?? null}, fee_currency),
      has_dispute = has_dispute or ${charge.disputes.length > 0},
      evidence_due_at = coalesce(${evidenceDueAt}, evidence_due_at), next_action = ${kept && JSON.stringify(kept)},
      client_secret_sealed = ${clientSecretSealed}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);
}

/** The refund that was asked for; null: it came to nothing, and its name is kept for people. */
export const updateChargeRefund = (db: Queryable, ref: ChargeRef, refundId: string | null): Promise<void> =>
  db.execute(sql('provider_charge_refund')`
    update provider_charges set refund_id = ${refundId}, last_refund_id = coalesce(${refundId}, last_refund_id),
      updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

/** A refund that a person made there. It is no call of ours, so a later one of ours is asked for as if there were none. */
export const updateChargeRefundSeen = (db: Queryable, ref: ChargeRef, refundId: string): Promise<void> =>
  db.execute(sql('provider_charge_refund_seen')`
    update provider_charges set last_refund_id = ${refundId}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

/** The provider said no and keeps saying it under this key. The next refund is asked for under another. */
export const updateRefundRefused = (db: Queryable, ref: ChargeRef, generation: number): Promise<void> =>
  db.execute(sql('provider_charge_refund_refused')`
    update provider_charges set refund_generation = ${generation + 1}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and refund_generation = ${generation}`);

export const updateChargeWarned = (db: Queryable, ref: ChargeRef): Promise<void> =>
  db.execute(sql('provider_charge_warned')`
    update provider_charges set has_warning = true
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and not has_warning`);

export const updateChargeDisputed = (db: Queryable, ref: ChargeRef): Promise<void> =>
  db.execute(sql('provider_charge_disputed')`
    update provider_charges set has_dispute = true
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and not has_dispute`);

/** The provider has the charge, and no money has moved. False: it was given up meanwhile, so none may. */
export const updateChargeMade = (
  db: Queryable,
  ref: ChargeRef,
  made: { intentId: string; nextAction: KeptAction | null },
): Promise<boolean> =>
  db.queryAny(sql('provider_charge_made')`
    update provider_charges set intent_id = ${made.intentId}, status = 'known',
      next_action = ${made.nextAction && JSON.stringify(made.nextAction)}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and status = 'asked'
    returning payment_id`);

/** Money is reserved under this name. False: the charge was ended meanwhile, so the reservation must go. */
export const updateChargeHold = (db: Queryable, ref: ChargeRef, holdId: string): Promise<boolean> =>
  db.queryValue(sql('provider_charge_hold')`
    update provider_charges set hold_id = ${holdId}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}
    returning ended is null`);

/** Null: the capture came to nothing. */
export const updateChargeCapture = (db: Queryable, ref: ChargeRef, captureId: string | null): Promise<void> =>
  db.execute(sql('provider_charge_capture')`
    update provider_charges set capture_id = ${captureId}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

/** The first end counts. */
export const updateChargeEnded = (
  db: Queryable,
  ref: ChargeRef,
  ended: NonNullable<ProviderCharge['ended']>,
  refusal: Refusal | null = null,
): Promise<void> =>
  db.execute(sql('provider_charge_ended')`
    update provider_charges set ended = coalesce(ended, ${ended}), next_action = null,
      refusal = coalesce(${refusal && JSON.stringify(refusal)}::json, refusal), updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

/** The provider answered with an error and may repeat it under this key. The next call is made under another. */
export const updateChargeGeneration = (db: Queryable, ref: ChargeRef, generation: number): Promise<void> =>
  db.execute(sql('provider_charge_generation')`
    update provider_charges set generation = ${generation + 1}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and generation = ${generation}`);

/**
 * Whether a player's page may have the provider asked now. All pages and processes share the answer: the caller that gets true
 * asks for all. A charge that has no row is not at a provider, and to ask costs nothing.
 */
export const claimLookUp = (db: Queryable, ref: ChargeRef, everySeconds: number): Promise<boolean> =>
  db.queryValue(sql('provider_charge_claim_look_up')`
    with claimed as (
      update provider_charges set looked_up_at = app_now()
      where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}
        and (looked_up_at is null or looked_up_at <= app_now() - make_interval(secs => ${everySeconds}))
      returning payment_id)
    select exists (select 1 from claimed) or not exists (
      select 1 from provider_charges where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId})`);

/** For pages and people: what the provider calls it, what the player must do, until when evidence is heard. */
export const findChargeDetails = (db: Queryable, ref: ChargeRef): Promise<RowOf<typeof DETAILS> | null> =>
  db.queryOne(sql('provider_charge_details')`
    select ${DETAILS.columns} from provider_charges where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

/** Payments of a trial belong to no order. */
export const deleteTrialCharges = (db: Queryable, accountId: string): Promise<void> =>
  db.execute(sql('provider_charge_delete_trial')`delete from provider_charges where account_id = ${accountId}`);
