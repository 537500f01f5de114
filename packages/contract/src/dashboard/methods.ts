import { named, nullable, oneLine, oneOf } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';

const METHODS = '/dashboard/api/companies/{company_id}/methods';

export const METHOD_GROUPS = ['card', 'wallet', 'bank', 'later', 'debit', 'voucher'] as const;
export const METHOD_SPEEDS = ['at_once', 'minutes', 'days'] as const;

const limit = named(
  'MethodLimit',
  {
    currency: Type.String({ description: 'ISO 4217.' }),
    min: nullable(Type.Integer({ description: 'Minimum amount, in minor units.' })),
    max: nullable(Type.Integer({ description: 'Maximum amount, in minor units.' })),
  },
  'Limits for one payment.',
);

export const DashboardMethod = named(
  'DashboardMethod',
  {
    id: Type.String({ description: 'The method, as named in payments.', examples: ['ideal'] }),
    name: Type.String({ description: 'Brand name, the same in every language.', examples: ['iDEAL'] }),
    group: oneOf(METHOD_GROUPS, 'What kind of method it is.'),
    enabled: Type.Boolean({ description: 'Whether players see it where it fits their order.' }),
    on_by_default: Type.Boolean({ description: 'Whether it is on until a member changes it.' }),
    can_switch_off: Type.Boolean({ description: 'False for cards, Apple Pay, Google Pay and PayPal.' }),
    currencies: nullable(Type.Array(Type.String(), { description: 'Null means any.' })),
    countries: nullable(
      Type.Array(Type.String(), { description: 'Countries where it is offered. Null means no country limit.' }),
    ),
    limits: Type.Array(limit, { description: 'Currencies that are not listed have no limits.' }),
    can_reserve: Type.Boolean({
      description:
        'Money is reserved first and captured after the game grants the items. Otherwise it is captured first.',
    }),
    can_refund: Type.Boolean({
      description: 'False when refunds must be made outside Coinslot.',
    }),
    can_save: Type.Boolean({ description: 'Whether players can save it for one-tap payment.' }),
    takes: oneOf(METHOD_SPEEDS, 'How long until the money arrives. The order is pending until then.'),
  },
  'A payment method in live. Players see it only where currency, country and amount fit.',
);
export type DashboardMethod = Static<typeof DashboardMethod>;

export const methodEndpoints = {
  listMethods: dashboardEndpoint({
    name: 'list_methods',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: METHODS,
    summary: 'Every live payment method and whether it is on.',
    response: {
      status: 200,
      description: 'The complete list, in the order shown on the payment page.',
      schema: named('DashboardMethodList', { data: Type.Array(DashboardMethod) }, 'The complete list.'),
    },
    errors: [],
  }),
  patchMethod: dashboardEndpoint({
    name: 'patch_method',
    scope: 'company',
    role: 'owner',
    method: 'PATCH',
    path: `${METHODS}/{method}`,
    summary: 'Switches a method on or off for all games of the company.',
    params: Type.Object({ method: oneLine(64, 'The method.', 1) }),
    body: named('PatchMethod', { enabled: Type.Boolean({ description: 'On or off.' }) }, 'The switch.'),
    response: { status: 200, description: 'The method.', schema: DashboardMethod },
    errors: ['not_found'],
  }),
} as const;
