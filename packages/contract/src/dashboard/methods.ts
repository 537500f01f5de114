import { currency, named, nullable, oneLine, oneOf } from '../shape.ts';
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

const taker = named(
  'MethodTaker',
  {
    provider: Type.String({ description: 'The provider.', examples: ['paypal'] }),
    title: Type.String({ description: 'The provider’s own name.' }),
    connected: Type.Boolean({ description: 'Whether the company has connected it.' }),
    available: Type.Boolean({
      description:
        'False: the provider says that the connected account cannot take this method, or it needs an address that players are not asked for.',
    }),
    enabled: Type.Boolean({ description: 'False: the company does not want this provider to take the method.' }),
    currencies: nullable(Type.Array(Type.String(), { description: 'What it takes. Null means any.' })),
    limits: Type.Array(limit, { description: 'Its own limits. Currencies that are not listed have none.' }),
    can_reserve: Type.Boolean({ description: 'Whether it reserves the money first.' }),
    can_save: Type.Boolean({ description: 'Whether it can save the method for one-tap payment.' }),
  },
  'What a provider would take by a method.',
);

export const DashboardMethod = named(
  'DashboardMethod',
  {
    id: Type.String({ description: 'The method, as named in payments.', examples: ['ideal'] }),
    name: Type.String({ description: 'Brand name, the same in every language.', examples: ['iDEAL'] }),
    group: oneOf(METHOD_GROUPS, 'What kind of method it is.'),
    enabled: Type.Boolean({ description: 'Whether players see it where it fits their order.' }),
    on_by_default: Type.Boolean({ description: 'Whether it is on until a member changes it.' }),
    can_switch_off: Type.Boolean({ description: 'False for cards, Apple Pay and Google Pay.' }),
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
    route: nullable(
      Type.String({
        description:
          'The provider that the company chose. Null: the one that runs the method itself, else the first that can take the payment.',
      }),
    ),
    takers: Type.Array(taker, { description: 'The providers that can take it, in the order in which they are asked.' }),
  },
  'A payment method in live. Players see it only where currency, country and amount fit.',
);
export type DashboardMethod = Static<typeof DashboardMethod>;

const MOST_RULES = 50;
const MOST_NAMED = 100;

export const RoutingRule = named(
  'RoutingRule',
  {
    games: Type.Optional(
      nullable(Type.Array(oneLine(64, 'The game.', 1), { maxItems: MOST_NAMED, description: 'Null means all games.' })),
    ),
    countries: nullable(
      Type.Array(Type.String({ format: 'country' }), {
        maxItems: MOST_NAMED,
        description: 'Null means all countries.',
      }),
    ),
    currencies: nullable(Type.Array(currency(), { maxItems: MOST_NAMED, description: 'Null means all currencies.' })),
    methods: nullable(
      Type.Array(oneLine(64, 'The method.', 1), { maxItems: MOST_NAMED, description: 'Null means all methods.' }),
    ),
    min_amount: nullable(
      Type.Integer({
        minimum: 0,
        description: 'From this total, in minor units of the one currency that the rule names.',
      }),
    ),
    max_amount: nullable(Type.Integer({ minimum: 0, description: 'Up to this total, in minor units.' })),
    provider: nullable(oneLine(32, 'The provider that takes these payments. Null: the methods are not offered.', 1)),
    account: Type.Optional(
      nullable(oneLine(255, 'Which of its accounts. Null: the first whose scope fits the payment.', 1)),
    ),
  },
  'Which provider, or which of its accounts, takes which payments.',
);
export type RoutingRule = Static<typeof RoutingRule>;

const rules = Type.Array(RoutingRule, {
  maxItems: MOST_RULES,
  description: 'In order: the first that matches, and whose provider can take the payment, decides.',
});

const RoutingRules = named('RoutingRules', { rules }, 'The company’s rules, in order.');

const OFFERED_NOTHING = ['provider', 'currency', 'amount_low', 'amount_high', 'amount_not_exact', 'method'] as const;

export const MethodOffer = named(
  'MethodOffer',
  {
    methods: Type.Array(
      Type.Object({
        id: Type.String({ description: 'The method.' }),
        name: Type.String({ description: 'Brand name.' }),
        group: oneOf(METHOD_GROUPS, 'What kind of method it is.'),
        provider: Type.String({ description: 'The provider that would take the money.' }),
        title: Type.String({ description: 'The provider’s own name.' }),
        account_id: nullable(Type.String({ description: 'The account that would take it.' })),
        account_label: nullable(Type.String({ description: 'What the company calls the account.' })),
        can_reserve: Type.Boolean({ description: 'Whether the money is captured after the grant.' }),
      }),
      { description: 'In the order of the payment page.' },
    ),
    missing: nullable(oneOf(OFFERED_NOTHING, 'Why nothing can be paid; null when something can.')),
  },
  'What the payment page would offer.',
);
export type MethodOffer = Static<typeof MethodOffer>;

const ROUTING = '/dashboard/api/companies/{company_id}/routing';

const visit = {
  country: Type.Optional(Type.String({ format: 'country', description: 'ISO 3166-1 alpha-2.' })),
  currency: currency(),
  amount: Type.Integer({ minimum: 0, description: 'The total of the order, in minor units.' }),
};

export const methodEndpoints = {
  getRouting: dashboardEndpoint({
    name: 'get_routing',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: ROUTING,
    summary: 'The rules by which live payments go to providers.',
    response: { status: 200, description: 'The rules, in order.', schema: RoutingRules },
    errors: [],
  }),
  putRouting: dashboardEndpoint({
    name: 'put_routing',
    scope: 'company',
    role: 'owner',
    method: 'PUT',
    path: ROUTING,
    summary: 'Replaces the rules by which live payments go to providers. They apply to new payments.',
    body: RoutingRules,
    response: { status: 200, description: 'The rules, in order.', schema: RoutingRules },
    errors: ['not_found'],
    confirms: 'always',
  }),
  previewRules: dashboardEndpoint({
    name: 'preview_rules',
    scope: 'environment',
    role: 'viewer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/offer',
    summary: 'What a player would see if these rules were saved. Changes nothing. Live only.',
    body: named('PreviewRules', { ...visit, rules }, 'A visit, and the rules to try.'),
    response: { status: 200, description: 'The offer.', schema: MethodOffer },
    errors: ['not_found'],
  }),
  previewMethods: dashboardEndpoint({
    name: 'preview_methods',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/offer',
    summary:
      'What a player of the game would see: the answer of the payment page for a country, a currency and an amount. Live only.',
    query: Type.Object(visit),
    response: { status: 200, description: 'The offer.', schema: MethodOffer },
    errors: [],
  }),
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
    summary: 'Switches a method on or off for all games of the company, or chooses which providers take it.',
    params: Type.Object({ method: oneLine(64, 'The method.', 1) }),
    body: named(
      'PatchMethod',
      {
        enabled: Type.Optional(Type.Boolean({ description: 'On or off.' })),
        route: Type.Optional(
          nullable(oneLine(32, 'The provider that takes new payments. Null: chosen automatically.', 1)),
        ),
        taker: Type.Optional(
          named(
            'MethodTakerSwitch',
            {
              provider: oneLine(32, 'The provider.', 1),
              enabled: Type.Boolean({ description: 'Whether it may take the method.' }),
            },
            'Whether a provider may take the method at all.',
          ),
        ),
      },
      'The switch, the provider, or both.',
    ),
    response: { status: 200, description: 'The method.', schema: DashboardMethod },
    errors: ['not_found'],
    confirms: 'always',
  }),
} as const;
