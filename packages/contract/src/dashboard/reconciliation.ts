import { day, named, nullable, oneLine, oneOf, opaqueId, page, paging, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';

const RECONCILIATION = '/dashboard/api/companies/{company_id}/reconciliation';

/** How our records and the provider's can differ. */
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
  'books_differ',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** `corrected` means found and fixed by asking the provider again. */
export const DIFFERENCE_STATES = ['open', 'corrected', 'resolved'] as const;
export type DifferenceState = (typeof DIFFERENCE_STATES)[number];

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

/** What changes the balance at the provider. */
export const BALANCE_KINDS = ['payment', 'refund', 'dispute', 'fee', 'conversion', 'payout', 'other'] as const;
export type BalanceKind = (typeof BALANCE_KINDS)[number];

/** From what players paid to what is left, in the order of addition. */
export const BALANCE_LINES = [
  'orders',
  'difference',
  'foreign',
  'refund',
  'dispute',
  'fee',
  'conversion',
  'other',
] as const;
export type BalanceLineName = (typeof BALANCE_LINES)[number];

const minor = (description: string) => Type.Integer({ description });

const BalanceLine = named(
  'BalanceLine',
  {
    line: oneOf(
      BALANCE_LINES,
      '`orders`: what our record captured. `difference`: what the provider captured beyond it. `foreign`: payments that Coinslot did not create.',
    ),
    count: Type.Integer({ description: 'How many.' }),
    amount: minor('Signed, in minor units of the balance’s currency.'),
  },
  'One line of the sum.',
);

const BalanceSum = named(
  'BalanceSum',
  {
    account_id: Type.String({ description: 'The account at the provider.' }),
    currency: Type.String({ description: 'The balance’s currency.' }),
    lines: Type.Array(BalanceLine, { description: 'They add up to `net` to the cent.' }),
    net: minor('What the day left in the balance, before payouts.'),
    paid_out: minor('What left the balance for the bank that day.'),
    converted: Type.Array(
      named(
        'ConvertedOrders',
        {
          currency: Type.String({ description: 'What players paid in.' }),
          amount: minor('What they paid, in its minor units.'),
          into: minor('What it became in the balance’s currency.'),
        },
        'Orders that the provider converted.',
      ),
    ),
  },
  'From orders to what is left, for one balance.',
);

const Payout = named(
  'Payout',
  {
    account_id: Type.String({ description: 'The account at the provider.' }),
    payout_id: Type.String({ description: 'Its id at the provider.' }),
    currency: Type.String(),
    amount: minor('What reached the bank.'),
    entries: Type.Integer({
      description: 'How many movements the provider names as part of it; 0 when it names none.',
    }),
    entries_net: minor('What these add up to, after fees.'),
    difference: nullable(
      minor('`amount` less `entries_net`. Null: the provider does not say what a payout is made of.'),
    ),
  },
  'Money that went to the bank.',
);

const BalanceEntry = named(
  'BalanceEntry',
  {
    entry_id: Type.String({ description: 'Its id at the provider.' }),
    account_id: Type.String({ description: 'The account at the provider.' }),
    at: time('When the provider booked it.'),
    kind: oneOf(BALANCE_KINDS, 'What it is.'),
    type: Type.String({ description: 'The provider’s word for it.' }),
    currency: Type.String(),
    gross: minor('Before the fee; negative when it went out.'),
    fee: minor('What the provider took.'),
    net: minor('`gross` less `fee`.'),
    original_amount: nullable(minor('What the player paid, where the provider converted it.')),
    original_currency: nullable(Type.String()),
    order_id: nullable(Type.String({ description: 'The order it belongs to.' })),
    payment_id: nullable(Type.String({ description: 'Its payment.' })),
    difference: nullable(minor('What the provider captured beyond our record; null when both agree.')),
    payout_id: nullable(Type.String({ description: 'The payout it went into, where the provider says so.' })),
  },
  'One movement of the provider’s balance.',
);
export type BalanceEntry = Static<typeof BalanceEntry>;

export const BalanceDay = named(
  'BalanceDay',
  {
    day: day('The day, UTC.'),
    sums: Type.Array(BalanceSum),
    payouts: Type.Array(Payout),
    entries: Type.Array(BalanceEntry, { description: 'The first 500. The CSV file has all.' }),
    entries_total: Type.Integer({ description: 'How many there are.' }),
  },
  'What became of a day’s money at the providers.',
);
export type BalanceDay = Static<typeof BalanceDay>;

const DAY_PARAMS = Type.Object({ day: day('The day, UTC.') });

export const reconciliationEndpoints = {
  getBalanceDay: dashboardEndpoint({
    name: 'get_balance_day',
    scope: 'company',
    role: 'support',
    method: 'GET',
    path: `${RECONCILIATION}/days/{day}`,
    params: DAY_PARAMS,
    summary: 'From a day’s orders to the payout: fees, conversion, refunds and what reached the bank.',
    response: { status: 200, description: 'The day, as the provider booked it.', schema: BalanceDay },
    errors: [],
  }),
  exportBalanceDay: dashboardEndpoint({
    name: 'export_balance_day',
    scope: 'company',
    role: 'support',
    method: 'GET',
    path: `${RECONCILIATION}/days/{day}/export`,
    params: DAY_PARAMS,
    summary: 'Every movement of the day as a CSV file for the accountant.',
    response: { status: 200, description: 'The file.', contentType: 'text/csv; charset=utf-8' },
    errors: ['rate_limited'],
  }),
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
