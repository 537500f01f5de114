import { fragment, type Queryable, type RowOf, sql } from '../../../db/statement.ts';
import { BALANCE_ENTRIES } from '../../reconciliation/balance.sql.ts';

export interface BalanceScope {
  companyId: string;
  /** Accounts of the program's settings that are the company's. */
  settingsAccounts: string[];
  day: string;
}

/** What the provider captured beyond our record, where both speak of the same currency. */
const DIFFERENCE = fragment`case when b.kind = 'payment' and coalesce(b.original_currency, b.currency) = p.currency
  then coalesce(b.original_minor, b.gross_minor) - p.amount_minor end`;

const WITH_PAYMENT = fragment`left join payments p on p.environment_id = b.environment_id and p.id = b.payment_id`;

const SUMMED = BALANCE_ENTRIES.pick('accountId, currency, kind, originalCurrency');

/** `originalCurrency`: what players paid in, where the provider converted it. */
export interface SumRow extends RowOf<typeof SUMMED> {
  isOurs: boolean;
  count: number;
  grossMinor: number;
  feeMinor: number;
  originalMinor: number;
  differenceMinor: number;
  differences: number;
}

export const listSums = (db: Queryable, scope: BalanceScope): Promise<SumRow[]> =>
  db.query(sql('balance_list_sums')`
    select ${SUMMED.of('b')}, b.payment_id is not null as "isOurs", count(*)::int as count, sum(b.gross_minor)::bigint as "grossMinor",
      sum(b.fee_minor)::bigint as "feeMinor", coalesce(sum(b.original_minor), 0)::bigint as "originalMinor",
      coalesce(sum(case when b.original_currency is null then ${DIFFERENCE} end), 0)::bigint as "differenceMinor",
      count(*) filter (where ${DIFFERENCE} <> 0)::int as differences
    from balance_entries b ${WITH_PAYMENT}
    where (b.company_id = ${scope.companyId} or b.company_id is null and b.account_id = any(${scope.settingsAccounts}::text[])) and b.day = ${scope.day}::date
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`);

export interface PayoutRow {
  accountId: string;
  payoutId: string;
  currency: string;
  amountMinor: number;
  entries: number;
  entriesNetMinor: number;
}

/** The day's payouts, each with what the provider says it is made of. */
export const listPayouts = (db: Queryable, scope: BalanceScope): Promise<PayoutRow[]> =>
  db.query(sql('balance_list_payouts')`
    select b.account_id as "accountId", b.payout_id as "payoutId", b.currency,
      -sum(b.gross_minor - b.fee_minor)::bigint as "amountMinor", coalesce(max(i.entries), 0)::int as entries,
      coalesce(max(i.net), 0)::bigint as "entriesNetMinor"
    from balance_entries b
    left join lateral (
      select count(*) as entries, sum(o.gross_minor - o.fee_minor) as net from balance_entries o
      where o.account_id = b.account_id and o.payout_id = b.payout_id and o.kind <> 'payout') i on true
    where (b.company_id = ${scope.companyId} or b.company_id is null and b.account_id = any(${scope.settingsAccounts}::text[])) and b.day = ${scope.day}::date and b.kind = 'payout' and b.payout_id is not null
    group by 1, 2, 3 order by 1, 2`);

const LISTED = BALANCE_ENTRIES.omit('companyId, environmentId');

export type EntryRow = RowOf<typeof LISTED> & { differenceMinor: number | null };

/** In the order of their names at the provider, from any on. */
export const listEntries = (
  db: Queryable,
  scope: BalanceScope,
  after: { accountId: string; entryId: string } | null,
  limit: number,
): Promise<EntryRow[]> =>
  db.query(sql('balance_list_entries')`
    select ${LISTED.of('b')}, nullif(${DIFFERENCE}, 0) as "differenceMinor"
    from balance_entries b ${WITH_PAYMENT}
    where (b.company_id = ${scope.companyId} or b.company_id is null and b.account_id = any(${scope.settingsAccounts}::text[])) and b.day = ${scope.day}::date
      and (${after?.accountId ?? null}::text is null
           or (b.account_id, b.entry_id) > (${after?.accountId ?? ''}, ${after?.entryId ?? ''}))
    order by b.account_id, b.entry_id limit ${limit}`);
