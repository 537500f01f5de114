import type { PaymentStatus } from '@coinslot/contract';
import { NEEDS_ATTENTION } from '../../payment/payment.sql.ts';
import type { Bounds, Condition } from './index-scan.sql.ts';

export interface TransactionFilter {
  q: string | null;
  statuses: PaymentStatus[];
  method: string | null;
  brand: string | null;
  country: string | null;
  currency: string | null;
  amountFrom: number | null;
  amountTo: number | null;
  responseCode: string | null;
  playerId: string | null;
  needsAttention: boolean;
  bounds: Bounds;
}

export const SETTLED = `stage <> 'open'`;

export const EMAIL_COLUMN = 'lower(email) collate "C"';

/** Of the indexes, word for word; where a column may be empty, the index leaves those out too. */
export const PREDICATES: Readonly<Record<string, string>> = {
  settled_brand: 'settled_brand is not null',
  settled_country: 'settled_country is not null',
  settled_code: 'settled_code is not null',
  [EMAIL_COLUMN]: `${SETTLED} and email is not null`,
};

export const equals = (column: string, value: unknown): Condition => ({ text: `${column} = ?`, values: [value] });

/** Text that begins so, by the order of bytes: every e-mail address and player id between the two. */
export const beginsWith = (column: string, prefix: string): Condition => ({
  text: `${column} >= ? and ${column} < ?`,
  values: [prefix, `${prefix}\u{10ffff}`],
});

/** What the search box finds by its beginning; a payment id is a matter of bounds. */
export const searchCondition = (q: string): Condition => {
  const parts = [
    beginsWith('player_id', q),
    beginsWith(EMAIL_COLUMN, q.toLowerCase()),
    ...(q.startsWith('ord_') ? [beginsWith('order_id', q)] : []),
  ];
  return { text: parts.map(({ text }) => `(${text})`).join(' or '), values: parts.flatMap(({ values }) => values) };
};

/** Every condition of a filter but the search, by what it is about. */
export function conditionsOf(filter: TransactionFilter): Map<string, Condition> {
  const { statuses, amountFrom, amountTo } = filter;
  const conditions = new Map<string, Condition>();
  if (statuses.length > 0) conditions.set('status', { text: 'status = any(?::text[])', values: [statuses] });
  for (const [column, value] of [
    ['method', filter.method],
    ['brand', filter.brand],
    ['country', filter.country],
    ['currency', filter.currency],
    ['response_code', filter.responseCode],
    ['player_id', filter.playerId],
  ] as const) {
    if (value !== null) conditions.set(column, equals(column, value));
  }
  if (filter.needsAttention) conditions.set('attention', { text: NEEDS_ATTENTION.sqlText, values: [] });
  if (amountFrom !== null && amountFrom === amountTo)
    conditions.set('amount_minor', equals('amount_minor', amountFrom));
  else {
    if (amountFrom !== null) conditions.set('amount_from', { text: 'amount_minor >= ?', values: [amountFrom] });
    if (amountTo !== null) conditions.set('amount_to', { text: 'amount_minor <= ?', values: [amountTo] });
  }
  return conditions;
}
