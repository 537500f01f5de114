import type { BalanceKind } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { BalanceEntry } from '../payment/providers/base/provider.ts';

export interface OwnedCharge {
  intentId: string | null;
  captureId: string | null;
  environmentId: string;
  paymentId: string;
  orderId: string;
  companyId: string;
}

/** Whose orders the provider's charges are. */
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

export interface KeptEntry extends BalanceEntry {
  companyId: string | null;
  owner: OwnedCharge | null;
}

/** The same entry comes twice: on its day, and as a part of its payout. */
export async function upsertEntries(db: Queryable, accountId: string, entries: readonly KeptEntry[]): Promise<void> {
  const of = <T>(pick: (entry: KeptEntry) => T): T[] => entries.map(pick);
  await db.query(sql('balance_upsert_entries')`
    insert into balance_entries as b (account_id, entry_id, company_id, day, kind, type, gross_minor, fee_minor, currency,
      original_minor, original_currency, environment_id, payment_id, order_id, payout_id, occurred_at)
    select ${accountId}, n.entry_id, n.company_id, (to_timestamp(n.at) at time zone 'UTC')::date, n.kind, n.type, n.gross,
      n.fee, n.currency, n.original, n.original_currency, n.environment_id, n.payment_id, n.order_id, n.payout_id,
      to_timestamp(n.at)
    from unnest(${of(it => it.entryId)}::text[], ${of(it => it.companyId)}::text[], ${of(it => it.kind)}::text[],
      ${of(it => it.type)}::text[], ${of(it => it.grossMinor)}::bigint[], ${of(it => it.feeMinor)}::bigint[],
      ${of(it => it.currency)}::text[], ${of(it => it.original?.amountMinor ?? null)}::bigint[],
      ${of(it => it.original?.currency ?? null)}::text[], ${of(it => it.owner?.environmentId ?? null)}::text[],
      ${of(it => it.owner?.paymentId ?? null)}::text[], ${of(it => it.owner?.orderId ?? null)}::text[],
      ${of(it => it.payoutId)}::text[], ${of(it => it.atSeconds)}::float8[])
      as n (entry_id, company_id, kind, type, gross, fee, currency, original, original_currency, environment_id,
            payment_id, order_id, payout_id, at)
    on conflict (account_id, entry_id) do update set company_id = excluded.company_id, kind = excluded.kind,
      type = excluded.type, gross_minor = excluded.gross_minor, fee_minor = excluded.fee_minor,
      currency = excluded.currency, original_minor = excluded.original_minor,
      original_currency = excluded.original_currency, environment_id = excluded.environment_id,
      payment_id = excluded.payment_id, order_id = excluded.order_id,
      payout_id = coalesce(excluded.payout_id, b.payout_id)`);
}

export interface BookedEntry {
  paymentId: string;
  kind: BalanceKind;
  grossMinor: number;
  feeMinor: number;
  currency: string;
  originalMinor: number | null;
  originalCurrency: string | null;
  occurredAt: Date;
}

/** All that the provider ever booked for these payments. */
export const listBooked = (db: Queryable, accountId: string, paymentIds: string[]): Promise<BookedEntry[]> =>
  db.query(sql('balance_list_booked')`
    select payment_id as "paymentId", kind, gross_minor as "grossMinor", fee_minor as "feeMinor", currency,
           original_minor as "originalMinor", original_currency as "originalCurrency", occurred_at as "occurredAt"
    from balance_entries where payment_id = any(${paymentIds}::text[]) and account_id = ${accountId} order by occurred_at`);

/** Payments that the provider booked something for in a span of time. */
export const listBookedPayments = (
  db: Queryable,
  accountId: string,
  span: { from: Date; to: Date },
): Promise<{ environmentId: string; paymentId: string }[]> =>
  db.query(sql('balance_list_booked_payments')`
    select distinct environment_id as "environmentId", payment_id as "paymentId" from balance_entries
    where account_id = ${accountId} and day between (${span.from} at time zone 'UTC')::date and (${span.to} at time zone 'UTC')::date
      and occurred_at >= ${span.from} and occurred_at < ${span.to} and payment_id is not null`);
