import type { Queryable } from '../../../../db/db.ts';
import { sql } from '../../../../db/sql.ts';
import type { ChargeRef, Refusal } from './gateway.ts';
import type { KeptAction, ProviderCharge } from './provider-charge.sql.ts';

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
export async function updateChargeHold(db: Queryable, ref: ChargeRef, holdId: string): Promise<boolean> {
  const rows = await db.query<Pick<ProviderCharge, 'ended'>>(sql('provider_charge_hold')`
    update provider_charges set hold_id = ${holdId}, updated_at = app_now()
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId}
    returning ended`);
  return rows[0]?.ended === null;
}

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
