import type { BalanceDay, BalanceEntry, BalanceLineName } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { decimalText } from '../../../kit/money.ts';
import { onWire } from '../../../kit/on-wire.ts';
import { writeCsv } from '../lists/csv.ts';
import {
  type BalanceScope,
  type EntryRow,
  listEntries,
  listPayouts,
  listSums,
  type SumRow,
} from './balance-day.sql.ts';

type Sum = BalanceDay['sums'][number];

const LINE_ORDER: readonly BalanceLineName[] = [
  'orders',
  'difference',
  'foreign',
  'refund',
  'dispute',
  'fee',
  'conversion',
  'other',
];

function linesOf(row: SumRow): { line: BalanceLineName; count: number; amount: number }[] {
  const { kind, count, grossMinor, feeMinor, isOurs, differenceMinor, differences } = row;
  const fee = { line: 'fee' as const, count: 0, amount: -feeMinor };
  if (kind === 'payout') return [fee];
  if (kind !== 'payment') return [{ line: kind, count, amount: grossMinor }, fee];
  if (!isOurs) return [{ line: 'foreign', count, amount: grossMinor }, fee];
  return [
    { line: 'orders', count, amount: grossMinor - differenceMinor },
    { line: 'difference', count: differences, amount: differenceMinor },
    fee,
  ];
}

function sumOf(rows: readonly [SumRow, ...SumRow[]]): Sum {
  const [{ accountId, currency }] = rows;
  const all = rows.flatMap(linesOf);
  const lines = LINE_ORDER.flatMap(line => {
    const own = all.filter(one => one.line === line);
    const amount = own.reduce((sum, one) => sum + one.amount, 0);
    const count = own.reduce((sum, one) => sum + one.count, 0);
    return amount === 0 && count === 0 ? [] : [{ line, count, amount }];
  });
  const payouts = rows.filter(({ kind }) => kind === 'payout');
  const converted = rows.filter(row => row.kind === 'payment' && row.isOurs && row.originalCurrency !== null);
  return {
    account_id: accountId,
    currency,
    lines,
    net: lines.reduce((sum, { amount }) => sum + amount, 0),
    paid_out: 0 - payouts.reduce((sum, { grossMinor }) => sum + grossMinor, 0),
    converted: converted.map(row => ({
      currency: row.originalCurrency!,
      amount: row.originalMinor,
      into: row.grossMinor,
    })),
  };
}

/** From orders to what is left: whatever is not an order of ours has a line of its own, so that the lines add up. */
function sumsOf(rows: readonly SumRow[]): Sum[] {
  const balances = new Map<string, [SumRow, ...SumRow[]]>();
  for (const row of rows) {
    const key = `${row.accountId} ${row.currency}`;
    const known = balances.get(key);
    if (known) known.push(row);
    else balances.set(key, [row]);
  }
  return [...balances.values()].map(sumOf);
}

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
      ...onWire(row, 'account_id, payout_id, currency, entries'),
      amount: row.amountMinor,
      entries_net: row.entriesNetMinor,
      difference: row.entries === 0 ? null : row.amountMinor - row.entriesNetMinor,
    })),
    entries: entries.map(entryView),
    entries_total: sums.reduce((sum, { count }) => sum + count, 0),
  };
}

/** Amounts are numbers of ours, so a minus in front of one is no formula. */
const amount = (minor: number | null, currency: string | null): number | null =>
  minor === null || currency === null ? null : Number(decimalText(minor, currency));

const CELLS = {
  time: (row: EntryRow) => row.occurredAt.toISOString(),
  account_id: (row: EntryRow) => row.accountId,
  entry_id: (row: EntryRow) => row.entryId,
  kind: (row: EntryRow) => row.kind,
  type: (row: EntryRow) => row.type,
  currency: (row: EntryRow) => row.currency,
  gross: (row: EntryRow) => amount(row.grossMinor, row.currency),
  fee: (row: EntryRow) => amount(row.feeMinor, row.currency),
  net: (row: EntryRow) => amount(row.grossMinor - row.feeMinor, row.currency),
  original_amount: (row: EntryRow) => amount(row.originalMinor, row.originalCurrency),
  original_currency: (row: EntryRow) => row.originalCurrency,
  difference: (row: EntryRow) => amount(row.differenceMinor, row.originalCurrency ?? row.currency),
  order_id: (row: EntryRow) => row.orderId,
  payment_id: (row: EntryRow) => row.paymentId,
  payout_id: (row: EntryRow) => row.payoutId,
};

async function* pagesOf(db: Db, scope: BalanceScope): AsyncGenerator<EntryRow[]> {
  for (let after: EntryRow | null | undefined = null; after !== undefined; ) {
    const rows: EntryRow[] = await listEntries(db, scope, after, BATCH);
    if (rows.length > 0) yield rows;
    after = rows.length < BATCH ? undefined : rows.at(-1);
  }
}

export const exportBalanceDay = (db: Db, scope: BalanceScope): AsyncGenerator<string> =>
  writeCsv(
    Object.keys(CELLS) as (keyof typeof CELLS)[],
    pagesOf(db, scope),
    async () => (row, column) => CELLS[column](row),
  );
