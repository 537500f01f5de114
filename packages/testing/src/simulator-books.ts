import type { Queryable } from '../../../apps/server/src/db/db.ts';
import { sql } from '../../../apps/server/src/db/sql.ts';
import type {
  AuthorizeRequest,
  CardDetails,
  ChargeRef,
} from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import { newId } from '../../../apps/server/src/kit/ids.ts';

export const APPROVED = '4242424242424242';
export const CHALLENGED = '4224703082575813';
export const RETURN_URL = 'https://shop.test/c/token';

/** A test card that is right in everything but its number, unless told. */
export const testCard = (number: string, changes: Partial<CardDetails> = {}): CardDetails => ({
  number,
  expiryMonth: 12,
  expiryYear: 2040,
  cvc: number.startsWith('37') ? '1234' : '123',
  postalCode: '10115',
  ...changes,
});

export const cardRequest = (number = APPROVED, changes: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
  environmentId: 'env_of_a_test',
  paymentId: newId('pay'),
  orderId: newId('ord'),
  amountMinor: 1999,
  currency: 'EUR',
  payWith: { kind: 'card', card: testCard(number) },
  returnUrl: RETURN_URL,
  ...changes,
});

/** The kinds of money movement that the provider's ledger holds for a charge, sorted. */
export async function entryKinds(db: Queryable, ref: ChargeRef): Promise<string[]> {
  const rows = await db.query<{ kind: string }>(sql('test_entry_kinds')`
    select kind from simulator.entries
    where environment_id = ${ref.environmentId} and payment_id = ${ref.paymentId} order by kind`);
  return rows.map(({ kind }) => kind);
}

/** Charges whose ledger cannot be: captured twice, captured and released, more returned than captured, an amount changed. */
export async function impossibleCharges(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ payment_id: string }>(sql('test_impossible_charges')`
    select payment_id from simulator.entries group by environment_id, payment_id
    having count(*) filter (where kind in ('captured', 'voided')) > 1
      or min(amount_minor) <> max(amount_minor) or min(currency) <> max(currency)
      or sum(case kind when 'captured' then amount_minor when 'refunded' then -amount_minor
        when 'charged_back' then -amount_minor else 0 end) < 0`);
  return rows.map(row => row.payment_id);
}
