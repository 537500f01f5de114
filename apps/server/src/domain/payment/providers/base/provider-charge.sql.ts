import type { Queryable } from '../../../../db/db.ts';
import { fragment, sql } from '../../../../db/sql.ts';
import { jsonOrNull, type RowOf, table, typed } from '../../../../db/table.ts';
import type { Charge, ChargeRef, ChargeRisk, ChargeWarning, Refusal } from './gateway.ts';

/** A next action without its secret, as the row keeps it. */
export interface KeptAction {
  redirectUrl: string | null;
  instructionsUrl: string | null;
  expiresAt: string | null;
}

const PROVIDER_CHARGES = table('provider_charges', {
  environmentId: 'text',
  paymentId: 'text',
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
  /** Nothing may move for this charge any more, whatever the provider lets happen. `never`: nothing of it is to be told. */
  ended: typed<'declined' | 'voided' | 'never' | null>('text?'),
  /** How many errors the provider answered to calls of this charge: it may repeat them under the same key. */
  generation: 'int',
  nextAction: jsonOrNull<KeptAction>(),
  refusal: jsonOrNull<Refusal>(),
  /** What the provider said of the payer so far. */
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
const DETAILS = PROVIDER_CHARGES.pick(
  'intentId, accountId, nextAction, clientSecretSealed, evidenceDueAt, feeMinor, feeCurrency, warning, risk, refusal',
);

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

export interface NewProviderCharge extends ChargeRef {
  provider: string;
  accountId: string;
  customerId: string | null;
  amountMinor: number;
  currency: string;
}

/** The provider would not take it: what it said is kept for people, and nothing is sent under this payment any more. */
export async function upsertRefusedCharge(db: Queryable, it: NewProviderCharge, refusal: Refusal): Promise<void> {
  await db.query(sql('provider_charge_upsert_refused')`
    insert into provider_charges (environment_id, payment_id, provider, account_id, customer_id, status, amount_minor, currency,
                                  refusal, created_at, updated_at)
    values (${it.environmentId}, ${it.paymentId}, ${it.provider}, ${it.accountId}, ${it.customerId}, 'never',
            ${it.amountMinor}, ${it.currency}, ${JSON.stringify(refusal)}, app_now(), app_now())
    on conflict (environment_id, payment_id) do update set refusal = excluded.refusal, updated_at = excluded.updated_at`);
}

/** What the provider said no to last; null: it went through since. */
export async function updateChargeRefusal(db: Queryable, ref: ChargeRef, refusal: Refusal): Promise<void> {
  await db.query(sql('provider_charge_refusal')`
    update provider_charges set refusal = ${JSON.stringify(refusal)}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);
}

/** Before the provider hears of it. False: it is there already, or it was given up before it came. */
export const insertProviderCharge = (db: Queryable, it: NewProviderCharge): Promise<boolean> =>
  db.queryAny(sql('provider_charge_insert')`
    insert into provider_charges (environment_id, payment_id, provider, account_id, customer_id, status, amount_minor, currency,
                                  created_at, updated_at)
    values (${it.environmentId}, ${it.paymentId}, ${it.provider}, ${it.accountId}, ${it.customerId}, 'asked', ${it.amountMinor},
            ${it.currency}, app_now(), app_now())
    on conflict (environment_id, payment_id) do nothing
    returning payment_id`);

/** The shop asked about a charge that this process never sent: one that comes later is refused. */
export const insertNeverCharge = (db: Queryable, provider: string, ref: ChargeRef): Promise<boolean> =>
  db.queryAny(sql('provider_charge_insert_never')`
    insert into provider_charges (environment_id, payment_id, provider, account_id, status, amount_minor, currency, created_at,
                                  updated_at)
    values (${ref.environmentId}, ${ref.paymentId}, ${provider}, '', 'never', 0, '', app_now(), app_now())
    on conflict (environment_id, payment_id) do nothing
    returning payment_id`);

export async function updateChargeNever(db: Queryable, ref: ChargeRef): Promise<void> {
  await db.query(sql('provider_charge_never')`
    update provider_charges set status = 'never', updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and intent_id is null`);
}

/** From a callback that came before the answer. */
export async function updateChargeIntent(db: Queryable, ref: ChargeRef, intentId: string): Promise<void> {
  await db.query(sql('provider_charge_intent')`
    update provider_charges set intent_id = ${intentId}, status = 'known', updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and intent_id is null`);
}

/** What the provider holds, as the newest answer says it. */
export async function updateChargeSeen(
  db: Queryable,
  ref: ChargeRef,
  charge: Charge,
  clientSecretSealed: Buffer | null,
): Promise<void> {
  const { nextAction, fee, warning, risk } = charge;
  const evidenceDueAt = charge.dispute?.evidenceDueAt ?? null;
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
      has_dispute = has_dispute or ${evidenceDueAt}::timestamptz is not null,
      evidence_due_at = coalesce(${evidenceDueAt}, evidence_due_at), next_action = ${kept && JSON.stringify(kept)},
      client_secret_sealed = ${clientSecretSealed}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);
}

/** The refund that was asked for; null: it came to nothing, and its name is kept for people. */
export async function updateChargeRefund(db: Queryable, ref: ChargeRef, refundId: string | null): Promise<void> {
  await db.query(sql('provider_charge_refund')`
    update provider_charges set refund_id = ${refundId}, last_refund_id = coalesce(${refundId}, last_refund_id),
      updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);
}

/** The provider said no and keeps saying it under this key. The next refund is asked for under another. */
export async function updateRefundRefused(db: Queryable, ref: ChargeRef, generation: number): Promise<void> {
  await db.query(sql('provider_charge_refund_refused')`
    update provider_charges set refund_generation = ${generation + 1}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and refund_generation = ${generation}`);
}

export async function updateChargeWarned(db: Queryable, ref: ChargeRef): Promise<void> {
  await db.query(sql('provider_charge_warned')`
    update provider_charges set has_warning = true
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and not has_warning`);
}

export async function updateChargeDisputed(db: Queryable, ref: ChargeRef): Promise<void> {
  await db.query(sql('provider_charge_disputed')`
    update provider_charges set has_dispute = true
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} and not has_dispute`);
}

export type KeptDetails = RowOf<typeof DETAILS>;

/** For pages and people: what the provider calls it, what the player must do, until when evidence is heard. */
export const findChargeDetails = (db: Queryable, ref: ChargeRef): Promise<KeptDetails | null> =>
  db.queryOne(sql('provider_charge_details')`
    select ${DETAILS.columns} from provider_charges where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}`);

interface CustomerKey {
  environmentId: string;
  playerId: string;
  accountId: string;
}

export interface HeldCustomer {
  accountId: string;
  customerId: string;
}

export interface KnownCustomer {
  /** Null: it was deleted at the provider. */
  customerId: string | null;
  /** How many were deleted or refused before. */
  generation: number;
}

export const findCustomer = (db: Queryable, key: CustomerKey): Promise<KnownCustomer | null> =>
  db.queryOne(sql('provider_customer_find')`
    select customer_id as "customerId", generation from provider_customers
    where environment_id = ${key.environmentId} and player_id = ${key.playerId} and account_id = ${key.accountId}`);

/** Returns the customer that counts: the one that was stored first. */
export async function insertCustomer(db: Queryable, key: CustomerKey, customerId: string): Promise<string> {
  const [row] = await db.query<{ customerId: string }>(sql('provider_customer_insert')`
    insert into provider_customers (environment_id, player_id, account_id, customer_id, created_at)
    values (${key.environmentId}, ${key.playerId}, ${key.accountId}, ${customerId}, app_now())
    on conflict (environment_id, player_id, account_id) do update
      set customer_id = coalesce(provider_customers.customer_id, excluded.customer_id)
    returning customer_id as "customerId"`);
  return row!.customerId;
}

/** Of one player, at every account. */
export const listCustomers = (db: Queryable, environmentId: string, playerId: string): Promise<HeldCustomer[]> =>
  db.query(sql('provider_customer_list')`
    select account_id as "accountId", customer_id as "customerId" from provider_customers
    where environment_id = ${environmentId} and player_id = ${playerId} and customer_id is not null`);

export async function deleteCustomer(db: Queryable, key: CustomerKey): Promise<void> {
  await db.query(sql('provider_customer_delete')`
    delete from provider_customers where environment_id = ${key.environmentId} and player_id = ${key.playerId}
      and account_id = ${key.accountId}`);
}

/** A person deleted it at the provider. The next order makes a new one. */
export async function updateCustomerGone(db: Queryable, key: CustomerKey): Promise<void> {
  await db.query(sql('provider_customer_gone')`
    update provider_customers set customer_id = null, generation = generation + 1
    where environment_id = ${key.environmentId} and player_id = ${key.playerId} and account_id = ${key.accountId}
      and customer_id is not null`);
}

/** The provider answered with an error, which it keeps under this key. The next try takes another. */
export async function updateCustomerRefused(db: Queryable, key: CustomerKey, generation: number): Promise<void> {
  await db.query(sql('provider_customer_refused')`
    insert into provider_customers (environment_id, player_id, account_id, generation, created_at)
    values (${key.environmentId}, ${key.playerId}, ${key.accountId}, ${generation + 1}, app_now())
    on conflict (environment_id, player_id, account_id) do update set generation = excluded.generation
      where provider_customers.generation = ${generation} and provider_customers.customer_id is null`);
}

/** Payments of a trial belong to no order. */
export async function deleteTrialCharges(db: Queryable, accountId: string): Promise<void> {
  await db.query(sql('provider_charge_delete_trial')`delete from provider_charges where account_id = ${accountId}`);
}
