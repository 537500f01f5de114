import type { BalanceDay, BalanceEntry } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { decimalText } from '../../../kit/money.ts';
import { onWire } from '../../../kit/on-wire.ts';
import { csvLine } from '../lists/csv.ts';
import { type BalanceScope, type EntryRow, listEntries, listPayouts, listSums } from './balance-day.sql.ts';
import { sumsOf } from './balance-day.ts';

const MOST_SHOWN = 500;
const BATCH = 1_000;

const entryView = (row: EntryRow): BalanceEntry => ({
  ...onWire(row, 'entry_id, account_id, kind, type, currency, original_currency, order_id, payment_id, payout_id'),
  at: toUnixSeconds(row.occurredAt),
  gross: row.grossMinor,
  fee: row.feeMinor,
  net: row.grossMinor - row.feeMinor,
  original_amount: row.originalMinor,
  difference: row.differenceMinor,
});

/** What became of a day's money at the company's providers. */
export async function readBalanceDay(db: Db, scope: BalanceScope): Promise<BalanceDay> {
  const [sums, payouts, entries] = await Promise.all([
    listSums(db, scope),
    listPayouts(db, scope),
    listEntries(db, scope, null, MOST_SHOWN),
  ]);
  return {
    day: scope.day,
    sums: sumsOf(sums),
    payouts: payouts.map(row => ({
      account_id: row.accountId,
      payout_id: row.payoutId,
      currency: row.currency,
      amount: row.amountMinor,
      entries: row.entries,
      entries_net: row.entriesNetMinor,
      difference: row.entries === 0 ? null : row.amountMinor - row.entriesNetMinor,
    })),
    entries: entries.map(entryView),
    entries_total: sums.reduce((sum, { count }) => sum + count, 0),
  };
}

const BYTE_ORDER_MARK = '\uFEFF';
const COLUMNS = [
  'time',
  'account_id',
  'entry_id',
  'kind',
  'type',
  'currency',
  'gross',
  'fee',
  'net',
  'original_amount',
  'original_currency',
  'difference',
  'order_id',
  'payment_id',
  'payout_id',
] as const;

/** Amounts are numbers of ours, so a minus in front of one is no formula. */
const amount = (minor: number | null, currency: string | null): number | null =>
  minor === null || currency === null ? null : Number(decimalText(minor, currency));

const cellsOf = (row: EntryRow) => [
  row.occurredAt.toISOString(),
  row.accountId,
  row.entryId,
  row.kind,
  row.type,
  row.currency,
  amount(row.grossMinor, row.currency),
  amount(row.feeMinor, row.currency),
  amount(row.grossMinor - row.feeMinor, row.currency),
  amount(row.originalMinor, row.originalCurrency),
  row.originalCurrency,
  amount(row.differenceMinor, row.originalCurrency ?? row.currency),
  row.orderId,
  row.paymentId,
  row.payoutId,
];

/** Every movement of the day, batch by batch. */
export async function* exportBalanceDay(db: Db, scope: BalanceScope): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(COLUMNS);
  for (let after: EntryRow | null | undefined = null; after !== undefined; ) {
    const rows: EntryRow[] = await listEntries(db, scope, after, BATCH);
    if (rows.length > 0) yield rows.map(row => csvLine(cellsOf(row))).join('');
    after = rows.length < BATCH ? undefined : rows.at(-1);
  }
}
