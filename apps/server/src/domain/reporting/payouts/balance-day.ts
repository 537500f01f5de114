import type { BalanceDay, BalanceLineName } from '@coinslot/contract';
import type { SumRow } from './balance-day.sql.ts';

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
export function sumsOf(rows: readonly SumRow[]): Sum[] {
  const balances = new Map<string, [SumRow, ...SumRow[]]>();
  for (const row of rows) {
    const key = `${row.accountId} ${row.currency}`;
    const known = balances.get(key);
    if (known) known.push(row);
    else balances.set(key, [row]);
  }
  return [...balances.values()].map(sumOf);
}
