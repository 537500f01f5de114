import { named, nullable, oneLine, oneOf, opaqueId, page, paging, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';

const RECONCILIATION = '/dashboard/api/companies/{company_id}/reconciliation';

/** How our record and the provider's can differ. */
export const DIFFERENCE_KINDS = [
  'missing_here',
  'missing_there',
  'amount_differs',
  'currency_differs',
  'status_differs',
  'refund_missing_here',
  'refund_missing_there',
  'refund_failed',
  'partial_refund',
  'dispute_missing_here',
  'dispute_differs',
  'dispute_unclear',
  'overdue',
  'record_contradicts',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** `corrected`: found, and fixed by asking the provider again. */
export const DIFFERENCE_STATES = ['open', 'corrected', 'resolved'] as const;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

const day = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description, examples: ['2026-01-31'] });

export const Difference = named(
  'Difference',
  {
    id: opaqueId('dif', 'The difference.'),
    day: day('The day that was compared, UTC.'),
    kind: oneOf(DIFFERENCE_KINDS, 'What differs.'),
    state: oneOf(DIFFERENCE_STATES, 'Whether a studio member must look.'),
    summary: Type.String({ description: 'What differs, in a sentence.' }),
    what_to_do: Type.String({ description: 'What to do about it.' }),
    ours: nullable(Type.String({ description: 'What our record says.' })),
    theirs: nullable(Type.String({ description: 'What the provider says.' })),
    provider_id: nullable(Type.String({ description: 'Its id at the provider.' })),
    payment_id: nullable(Type.String({ description: 'The payment.' })),
    order_id: nullable(Type.String({ description: 'Its order.' })),
    game_id: nullable(Type.String({ description: 'The game.' })),
    note: nullable(Type.String({ description: 'The note of the member who resolved it.' })),
    resolved_by: nullable(Type.String({ description: 'Who resolved it.' })),
    resolved_at: nullable(time('When.')),
    created_at: time('When it was found.'),
  },
  'A difference between our record and the provider’s.',
);
export type Difference = Static<typeof Difference>;

export const ReconciliationRun = named(
  'ReconciliationRun',
  {
    day: day('The day, UTC.'),
    account_id: Type.String({ description: 'The account at the provider.' }),
    state: oneOf(['running', 'done', 'failed'], 'Whether it finished.'),
    payments: Type.Integer({ description: 'Payments compared.' }),
    refunds: Type.Integer({ description: 'Refunds compared.' }),
    disputes: Type.Integer({ description: 'Disputes compared.' }),
    foreign: Type.Integer({ description: 'Payments of the account that Coinslot did not create; they are ignored.' }),
    differences: Type.Integer({ description: 'Differences found.' }),
    problem: nullable(Type.String({ description: 'Why it failed.' })),
    started_at: time('When it began.'),
    finished_at: nullable(time('When it ended.')),
  },
  'One comparison of a day.',
);
export type ReconciliationRun = Static<typeof ReconciliationRun>;

export const RECONCILIATION_VERDICTS = ['never_compared', 'differences', 'incomplete', 'in_agreement'] as const;
export type ReconciliationVerdict = (typeof RECONCILIATION_VERDICTS)[number];

export const ReconciliationRuns = named(
  'ReconciliationRuns',
  {
    verdict: oneOf(
      RECONCILIATION_VERDICTS,
      'What can be said now: no day was compared yet, there are open differences, a day failed and is not compared yet, or both records agree.',
    ),
    data: Type.Array(ReconciliationRun),
  },
  'Newest first.',
);

export const reconciliationEndpoints = {
  listDifferences: dashboardEndpoint({
    name: 'list_differences',
    scope: 'company',
    role: 'support',
    method: 'GET',
    path: `${RECONCILIATION}/differences`,
    summary: 'Differences between our record and the provider’s, newest first.',
    query: Type.Object({
      ...paging,
      state: Type.Optional(oneOf(DIFFERENCE_STATES, 'Only these.')),
      day: Type.Optional(day('Only differences of this day.')),
    }),
    response: { status: 200, description: 'One page of them.', schema: page('DifferencePage', Difference) },
    errors: [],
  }),
  listReconciliationRuns: dashboardEndpoint({
    name: 'list_reconciliation_runs',
    scope: 'company',
    role: 'support',
    method: 'GET',
    path: `${RECONCILIATION}/runs`,
    summary: 'The last comparisons.',
    response: {
      status: 200,
      description: 'The last 60.',
      schema: ReconciliationRuns,
    },
    errors: [],
  }),
  runReconciliation: dashboardEndpoint({
    name: 'run_reconciliation',
    scope: 'company',
    role: 'support',
    method: 'POST',
    path: `${RECONCILIATION}/runs`,
    summary: 'Compares a day now, or again.',
    body: Type.Object({ day: day('The day, UTC; not later than today.') }),
    response: { status: 202, description: 'It starts in a moment.' },
    errors: ['provider_not_connected'],
  }),
  resolveDifference: dashboardEndpoint({
    name: 'resolve_difference',
    scope: 'company',
    role: 'support',
    method: 'POST',
    path: `${RECONCILIATION}/differences/{difference_id}/resolve`,
    summary: 'Marks a difference as resolved.',
    params: Type.Object({ difference_id: opaqueId('dif', 'The difference.') }),
    body: Type.Object({ note: oneLine(500, 'What was done.', 1) }),
    response: { status: 200, description: 'The difference, resolved.', schema: Difference },
    errors: ['difference_not_found'],
  }),
} as const;
