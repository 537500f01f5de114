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
    min: nullable(Type.Integer({ description: 'Least amount in minor units.' })),
    max: nullable(Type.Integer({ description: 'Most, in minor units.' })),
  },
  'What one payment may be.',
);

export const DashboardMethod = named(
  'DashboardMethod',
  {
    id: Type.String({ description: 'The method, as payments name it.', examples: ['ideal'] }),
    name: Type.String({ description: 'Its own name, the same in every language.', examples: ['iDEAL'] }),
    group: oneOf(METHOD_GROUPS, 'What kind of method it is.'),
    enabled: Type.Boolean({ description: 'Whether players can see it, where it fits their order.' }),
    on_by_default: Type.Boolean({ description: 'What it is while nobody has switched it.' }),
    can_switch_off: Type.Boolean({ description: 'False for cards, Apple Pay, Google Pay and PayPal.' }),
    currencies: nullable(Type.Array(Type.String(), { description: 'Null is any.' })),
    countries: nullable(Type.Array(Type.String(), { description: 'Where its players live. Null is anywhere.' })),
    limits: Type.Array(limit, { description: 'Currencies that are not here have no limits of their own.' }),
    can_reserve: Type.Boolean({
      description: 'Money is held, the game is asked, and only then it is collected. Otherwise it is collected first.',
    }),
    can_refund: Type.Boolean({
      description: 'False: what the game refuses, or you refund, must be returned by other ways.',
    }),
    can_save: Type.Boolean({ description: 'Players can keep it for one-tap payment.' }),
    takes: oneOf(METHOD_SPEEDS, 'How long until the money is there. The order is pending for that long.'),
  },
  'A way to pay in live. Players see it only where currency, country and amount fit.',
);
export type DashboardMethod = Static<typeof DashboardMethod>;

export const methodEndpoints = {
  listMethods: dashboardEndpoint({
    name: 'list_methods',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: METHODS,
    summary: 'Every payment method of live, with its switch.',
    response: {
      status: 200,
      description: 'All of them, in the order in which pages show them.',
      schema: named('DashboardMethodList', { data: Type.Array(DashboardMethod) }, 'All of them.'),
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
