import type { PaymentStatus } from '@coinslot/contract';
import { NEEDS_ATTENTION } from '../../payment/payment.sql.ts';
import type { AccessPath } from './access-path.ts';
import type { Bounds, Condition, Range } from './index-scan.sql.ts';

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

/** Not settled yet: few, and the narrow indexes leave them out, so that a payment is entered there once and not at each step. */
const IN_PROGRESS = ['pending', 'requires_action', 'authorized'] as const satisfies PaymentStatus[];

export const SETTLED = `stage <> 'open'`;

export const EMAIL_COLUMN = 'lower(email) collate "C"';

/** Of the indexes, word for word; where a column may be empty, the index leaves those out too. */
export const PREDICATES: Readonly<Record<string, string>> = {
  settled_brand: 'settled_brand is not null',
  settled_country: 'settled_country is not null',
  settled_code: 'settled_code is not null',
  [EMAIL_COLUMN]: `${SETTLED} and email is not null`,
};

const equals = (column: string, value: unknown): Condition => ({ text: `${column} = ?`, values: [value] });

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

const leadsTo = (environmentId: string, prefix: Range['prefix'], predicate?: string): Range => ({
  table: 'payments',
  prefix: [...prefix, { column: 'environment_id', value: environmentId }],
  ...(predicate && { predicate }),
});

/** What an index holds of a column that is known only at a later step. */
const INDEXED: Readonly<Record<string, string>> = {
  brand: 'settled_brand',
  country: 'settled_country',
  response_code: 'settled_code',
};

const byStage = (environmentId: string, stage: string): Range =>
  leadsTo(environmentId, [{ column: 'stage', value: stage }]);

/** What is under way in some of these statuses; without any, in each of them. */
function inProgress(environmentId: string, statuses: PaymentStatus[], conditions: Condition[]): AccessPath['ranges'] {
  const asked = IN_PROGRESS.filter(status => statuses.length === 0 || statuses.includes(status));
  if (asked.length === 0) return [];
  const only = asked.length < IN_PROGRESS.length ? [{ text: 'status = any(?::text[])', values: [asked] }] : [];
  return [{ range: byStage(environmentId, 'open'), conditions: [...only, ...conditions] }];
}

/** One that is settled by its own index, those under path by their status. */
function settledPath(
  environmentId: string,
  by: string,
  column: string,
  value: unknown,
  statuses: PaymentStatus[],
): AccessPath {
  const indexed = INDEXED[column] ?? column;
  const settled = leadsTo(environmentId, [{ column: indexed, value }], PREDICATES[indexed] ?? SETTLED);
  const open = inProgress(environmentId, statuses, [equals(column, value)]);
  return { by, ranges: [{ range: settled, conditions: [] }, ...open] };
}

export const everythingPath = (environmentId: string): AccessPath => ({
  by: null,
  ranges: [{ range: leadsTo(environmentId, []), conditions: [] }],
});

/** Every index that could lead to what the filter asks for. */
export function waysFor(environmentId: string, filter: TransactionFilter): AccessPath[] {
  const paths: AccessPath[] = [];
  if (filter.needsAttention)
    paths.push({
      by: 'attention',
      ranges: [{ range: leadsTo(environmentId, [], NEEDS_ATTENTION.sqlText), conditions: [] }],
    });
  if (filter.playerId !== null) {
    const range = leadsTo(environmentId, [{ column: 'player_id', value: filter.playerId }]);
    paths.push({ by: 'player_id', ranges: [{ range, conditions: [] }] });
  }
  const settled = (by: string, value: unknown): void => {
    if (value !== null) paths.push(settledPath(environmentId, by, by, value, filter.statuses));
  };
  settled('response_code', filter.responseCode);
  settled('country', filter.country);
  settled('brand', filter.brand);
  settled('currency', filter.currency);
  settled('method', filter.method);
  if (filter.amountFrom !== null && filter.amountFrom === filter.amountTo) settled('amount_minor', filter.amountFrom);
  if (filter.statuses.length > 0) {
    const isOpen = (status: PaymentStatus): boolean => (IN_PROGRESS as readonly string[]).includes(status);
    const over = filter.statuses.filter(status => !isOpen(status));
    const ended = over.map(status => ({ range: byStage(environmentId, status), conditions: [] }));
    paths.push({ by: 'status', ranges: [...ended, ...inProgress(environmentId, filter.statuses, [])] });
  }
  return paths;
}

/** What is under path, whatever else is asked for. */
export const underWay = (environmentId: string, statuses: PaymentStatus[]): AccessPath => ({
  by: null,
  ranges: inProgress(environmentId, statuses, []),
});

/** What exactly equals a search text. An order's number is as long as any, so what begins with it equals it. */
export const exactPaths = (environmentId: string, q: string): AccessPath[] => [
  { by: 'q', ranges: [{ range: leadsTo(environmentId, [{ column: 'player_id', value: q }]), conditions: [] }] },
  ...(q.includes('@') ? [settledPath(environmentId, 'q', EMAIL_COLUMN, q.toLowerCase(), [])] : []),
];
