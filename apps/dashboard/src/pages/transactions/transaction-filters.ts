import type { TransactionColumn } from '@coinslot/contract';
import { type Filters, pickFilters } from '../../kit/filters.ts';
import { amountSpanOf } from '../../kit/money.ts';
import { spanOf } from '../../kit/times.ts';

/** The API knows these filters by the same name. */
const PLAIN_KEYS = [
  'q',
  'status',
  'method',
  'brand',
  'country',
  'currency',
  'response_code',
  'player_id',
  'attention',
] as const;

export const TRANSACTION_KEYS = [...PLAIN_KEYS, 'amount', 'range'] as const;

/** Used for an amount without a currency in the address, because most currencies have two decimals. */
export const ANY_CURRENCY = 'USD';

/** Turns the address into the API's query. */
export const transactionQuery = (filters: Filters, now: Date): Record<string, string | number> => ({
  ...pickFilters(filters, ...PLAIN_KEYS),
  ...amountSpanOf(filters.amount, filters.currency ?? ANY_CURRENCY),
  ...spanOf(filters.range, now),
});

/** Column of the list → columns of the CSV file. */
const FILE_COLUMNS: Readonly<Record<string, readonly TransactionColumn[]>> = {
  amount: ['amount', 'currency'],
  status: ['status'],
  method: ['method', 'brand', 'last4'],
  response: ['response_code', 'response_description'],
  country: ['country'],
  player: ['player_id'],
  email: ['email'],
  order: ['order_id'],
  payment: ['payment_id'],
  captured: ['captured_at'],
  time: ['created_at'],
};

/** Bookkeepers need these columns too, but the list has no space for them. */
const EXTRA_COLUMNS: readonly TransactionColumn[] = [
  'order_id',
  'items',
  'email',
  'refunded_at',
  'refund_reason',
  'returned_amount',
];

/** The file starts with the payment's id, followed by the list's visible columns. */
export const fileColumns = (shown: readonly string[]): TransactionColumn[] => [
  ...new Set<TransactionColumn>(['payment_id', ...shown.flatMap(id => FILE_COLUMNS[id] ?? []), ...EXTRA_COLUMNS]),
];
