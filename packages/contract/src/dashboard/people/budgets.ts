import { named, nullable, oneOf } from '../../shape.ts';
import { type Static, Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';

export const BUDGET_KINDS = [
  'requests',
  'provider_calls',
  'sandbox_orders',
  'storage_mb',
  'games',
  'keys',
  'streams',
  'exams',
  'invitations',
  'free_receipts',
] as const;
export type BudgetKind = (typeof BUDGET_KINDS)[number];

const Budget = named(
  'Budget',
  {
    kind: oneOf(BUDGET_KINDS, 'What is counted.'),
    used: Type.Integer({ description: 'How much of it is used, over all processes.' }),
    most: nullable(Type.Integer({ description: 'How much the company may use; null for no limit.' })),
    window_seconds: nullable(
      Type.Integer({ description: 'The time for which it is counted; null for what the company keeps.' }),
    ),
  },
  'What the company may use of one kind. Beyond it calls are answered with 429 and `Retry-After`.',
);
export type Budget = Static<typeof Budget>;

const BudgetList = named('BudgetList', { data: Type.Array(Budget) }, 'The complete list.');

export const budgetEndpoints = {
  listBudgets: dashboardEndpoint({
    name: 'list_budgets',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/companies/{company_id}/budgets',
    summary: 'What the company may use, and what it has used.',
    response: { status: 200, description: 'Budgets.', schema: BudgetList },
    errors: [],
  }),
};
