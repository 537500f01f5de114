import type { Payment, TransactionColumn } from '@coinslot/contract';
import { type Filters, pickFilters } from '../../kit/filters.ts';
import { amountSpanOf } from '../../kit/money.ts';
import { spanOf } from '../../kit/times.ts';

export const PAYMENT_STATUSES = [
  'succeeded',
  'declined',
  'authorized',
  'pending',
  'requires_action',
  'refund_requested',
  'refunded',
  'disputed',
  'charged_back',
  'voided',
  'abandoned',
] as const satisfies readonly Payment['status'][];

/** Filters that the server knows by the same name. */
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

/** For an amount without a currency in the address; most currencies have two decimals. */
export const ANY_CURRENCY = 'USD';

/** What the server is asked, from what the address says. */
export const transactionQuery = (filters: Filters, now: Date): Record<string, string | number> => ({
  ...pickFilters(filters, ...PLAIN_KEYS),
  ...amountSpanOf(filters.amount, filters.currency ?? ANY_CURRENCY),
  ...spanOf(filters.range, now),
});

/** A column of the list → columns of the CSV file. */
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

/** The file holds what the list shows, and always the payment's id. */
export const fileColumns = (shown: readonly string[]): TransactionColumn[] => [
  ...new Set<TransactionColumn>(['payment_id', ...shown.flatMap(id => FILE_COLUMNS[id] ?? [])]),
];
