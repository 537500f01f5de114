import type { PaymentStatus } from '@coinslot/contract';
import { NEEDS_ATTENTION } from '../../payment/payment.sql.ts';
import type { AccessPath } from './access-path.ts';
import type { Condition, Range } from './index-scan.sql.ts';
import { EMAIL_COLUMN, equals, PREDICATES, SETTLED, type TransactionFilter } from './transaction-filter.ts';

/** Not settled yet: few, and the narrow indexes leave them out, so that a payment is entered there once and not at each step. */
const IN_PROGRESS = ['pending', 'requires_action', 'authorized'] as const satisfies PaymentStatus[];

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

/** One that is settled by its own index, those in progress by their status. */
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
export function pathsFor(environmentId: string, filter: TransactionFilter): AccessPath[] {
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

/** What is in progress, whatever else is asked for. */
export const inProgressPath = (environmentId: string, statuses: PaymentStatus[]): AccessPath => ({
  by: null,
  ranges: inProgress(environmentId, statuses, []),
});

/** What exactly equals a search text. An order's number is as long as any, so what begins with it equals it. */
export const exactPaths = (environmentId: string, q: string): AccessPath[] => [
  { by: 'q', ranges: [{ range: leadsTo(environmentId, [{ column: 'player_id', value: q }]), conditions: [] }] },
  ...(q.includes('@') ? [settledPath(environmentId, 'q', EMAIL_COLUMN, q.toLowerCase(), [])] : []),
];
