import type { BalanceKind } from '@coinslot/contract';
import { givenRows, type Queryable, type RowOf, sql, table, typed } from '../../db/statement.ts';

export interface OwnedCharge {
  intentId: string | null;
  captureId: string | null;
  environmentId: string;
  paymentId: string;
  orderId: string;
  companyId: string;
}

export const listOwnersOfCharges = (db: Queryable, accountId: string, chargeIds: string[]): Promise<OwnedCharge[]> =>
  db.query(sql('balance_list_owners')`
    select c.intent_id as "intentId", c.capture_id as "captureId", c.environment_id as "environmentId",
      c.payment_id as "paymentId", p.order_id as "orderId", g.company_id as "companyId"
    from provider_charges c
    join payments p on p.environment_id = c.environment_id and p.id = c.payment_id
    join environments e on e.id = c.environment_id
    join games g on g.id = e.game_id
    where (c.intent_id = any(${chargeIds}::text[]) or c.capture_id = any(${chargeIds}::text[]))
      and c.account_id = ${accountId}`);

export const BALANCE_ENTRIES = table('balance_entries', {
  accountId: 'text',
  entryId: 'text',
  companyId: 'text?',
  kind: typed<BalanceKind>('text'),
  type: 'text',
  grossMinor: 'bigint',
  feeMinor: 'bigint',
  currency: 'text',
  originalMinor: 'bigint?',
  originalCurrency: 'text?',
  environmentId: 'text?',
  paymentId: 'text?',
  orderId: 'text?',
  payoutId: 'text?',
  occurredAt: 'timestamptz',
});

export type KeptEntry = RowOf<typeof BALANCE_ENTRIES>;

const UPDATED = BALANCE_ENTRIES.omit('accountId, entryId, payoutId, occurredAt');

/** The same entry comes twice: on its day, and as a part of its payout. */
export const upsertEntries = (db: Queryable, entries: readonly KeptEntry[]): Promise<void> =>
  db.execute(sql('balance_upsert_entries')`
    insert into balance_entries as b (${BALANCE_ENTRIES.names}, day)
    select ${BALANCE_ENTRIES.names}, (occurred_at at time zone 'UTC')::date
    from ${givenRows(BALANCE_ENTRIES.types, entries)} as n
    on conflict (account_id, entry_id) do update
      set ${UPDATED.setFrom('excluded')}, payout_id = coalesce(excluded.payout_id, b.payout_id)`);

const BOOKED = BALANCE_ENTRIES.pick(
  'paymentId, kind, grossMinor, feeMinor, currency, originalMinor, originalCurrency, occurredAt',
);

export type BookedEntry = RowOf<typeof BOOKED>;

export const listBooked = (db: Queryable, accountId: string, paymentIds: string[]): Promise<BookedEntry[]> =>
  db.query(sql('balance_list_booked')`
    select ${BOOKED.columns}
    from balance_entries where payment_id = any(${paymentIds}::text[]) and account_id = ${accountId} order by occurred_at`);

/** Payments that the provider or our ledger booked something for in a span of time. */
export const listBookedPayments = (
  db: Queryable,
  accountId: string,
  span: { from: Date; to: Date },
): Promise<{ environmentId: string; paymentId: string }[]> =>
  db.query(sql('balance_list_booked_payments')`
    select environment_id as "environmentId", payment_id as "paymentId" from balance_entries
    where account_id = ${accountId} and day between (${span.from} at time zone 'UTC')::date and (${span.to} at time zone 'UTC')::date
      and occurred_at >= ${span.from} and occurred_at < ${span.to} and payment_id is not null
    union
    select c.environment_id, c.payment_id from ledger_entries l
    join provider_charges c on c.environment_id = l.environment_id and c.payment_id = l.payment_id
    where l.account = 'balance' and l.occurred_at >= ${span.from} and l.occurred_at < ${span.to} and c.account_id = ${accountId}`);

/** The first day whose movements are kept here. */
export const findKeptSince = (db: Queryable, accountId: string): Promise<Date | null> =>
  db.queryValue(sql('balance_find_kept_since')`
    select min(day)::timestamp at time zone 'UTC' as since from reconciliation_runs where account_id = ${accountId}`);
