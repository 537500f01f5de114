import { fragment, type Queryable, sql } from '../../db/statement.ts';
import type { Payment } from './payment-row.ts';

export interface PaymentToCheck {
  environmentId: string;
  id: string;
  tries: number;
}

export const PAYMENTS_DUE = fragment`exists (select 1 from payments where next_check_at <= app_now())`;

/** Payments that no process has finished: theirs died, or the provider did not say what happened. */
export const claimPaymentsToCheck = (db: Queryable, limit: number, leaseSeconds: number): Promise<PaymentToCheck[]> =>
  db.query(sql('payment_claim')`
    update payments p set next_check_at = app_now() + make_interval(secs => ${leaseSeconds}), check_tries = p.check_tries + 1
    from (select environment_id, id from payments where next_check_at <= app_now()
          order by next_check_at limit ${limit} for update skip locked) due
    where p.environment_id = due.environment_id and p.id = due.id
    returning p.environment_id as "environmentId", p.id, p.check_tries as tries`);

/** The version is the fence: if another process moved the payment on meanwhile, its date stands. */
export const updatePaymentNextCheckAt = (
  db: Queryable,
  payment: Pick<Payment, 'environmentId' | 'id' | 'version'>,
  inSeconds: number | null,
): Promise<void> =>
  db.execute(sql('payment_next_check')`
    update payments set next_check_at = app_now() + make_interval(secs => ${inSeconds})
    where environment_id = ${payment.environmentId} and id = ${payment.id} and version = ${payment.version}`);

/** A worker goes on with it at once, where it was to be looked at later. */
export const updatePaymentCheckNow = (
  db: Queryable,
  { environmentId, id }: Pick<Payment, 'environmentId' | 'id'>,
): Promise<void> =>
  db.execute(sql('payment_check_now')`
    update payments set next_check_at = app_now()
    where environment_id = ${environmentId} and id = ${id} and next_check_at > app_now()`);
