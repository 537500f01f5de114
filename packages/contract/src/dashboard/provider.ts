import { currency, named, nullable, oneLine, oneOf, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';

const PROVIDERS = '/dashboard/api/companies/{company_id}/providers';
const PROVIDER = `${PROVIDERS}/{provider}`;
const params = Type.Object({ provider: oneLine(32, 'The provider, as named in the list.', 1) });
const KEY_CHARS = 255;
const MOST_NAMED = 100;

const accountId = oneLine(255, 'Which account. Can be omitted while only one is connected.', 1);
const query = Type.Object({ account_id: Type.Optional(accountId) });

/** The provider’s last answer about the account. */
export const PROVIDER_PROBLEMS = [
  'provider_key_invalid',
  'provider_key_revoked',
  'provider_key_wrong_mode',
  'provider_permission_missing',
  'provider_account_not_active',
] as const;

/** Whether the provider is set up to send callbacks. */
export const CALLBACK_STATES = ['working', 'secret_missing', 'not_registered', 'unknown'] as const;

/** What a connection test checks. The guide has a section for each. */
export const CONNECTION_CHECKS = [
  'account',
  'keys',
  'mode',
  'permissions',
  'methods',
  'country',
  'domain',
  'callback',
  'callback_events',
  'callback_reachable',
  'api_version',
  'clock',
  'minimum_amounts',
] as const;
export type ConnectionCheckName = (typeof CONNECTION_CHECKS)[number];

export const CHECK_STATES = ['ok', 'warning', 'failed', 'unknown'] as const;

export const ConnectionCheck = named(
  'ConnectionCheck',
  {
    check: oneOf(CONNECTION_CHECKS, 'What was looked at.'),
    state: oneOf(
      CHECK_STATES,
      '`failed`: payments fail or news is missed. `warning`: something is not offered. `unknown`: the provider does not tell.',
    ),
    about: nullable(
      Type.String({ description: 'Which method, permission, address or item, where there are several.' }),
    ),
    advice: nullable(Type.String({ description: 'What to do, and where.' })),
    broken: Type.Boolean({ description: 'Whether it needs attention: it failed, or it worked before.' }),
  },
  'One result of a connection test.',
);
export type ConnectionCheck = Static<typeof ConnectionCheck>;

export const ProviderConnection = named(
  'ProviderConnection',
  {
    provider: Type.String({ description: 'The gateway that processes the payment.', examples: ['stripe', 'paypal'] }),
    source: oneOf(
      ['dashboard', 'settings'],
      'Connected in the dashboard, or by the installation’s settings, which the dashboard cannot change.',
    ),
    account_id: nullable(Type.String({ description: 'Account id at the provider.' })),
    label: nullable(Type.String({ description: 'What the company calls the account. Null: its business name.' })),
    games: nullable(Type.Array(Type.String(), { description: 'The games whose payments it takes. Null means all.' })),
    currencies: nullable(Type.Array(Type.String(), { description: 'The currencies that it takes. Null means all.' })),
    display_name: nullable(Type.String({ description: 'Business name at the provider.' })),
    country: nullable(Type.String({ description: 'Country of the account.' })),
    default_currency: nullable(Type.String({ description: 'Currency of the account.' })),
    is_test: Type.Boolean({ description: 'Keys of the provider’s test mode: no real money moves.' }),
    charges_enabled: Type.Boolean({ description: 'Whether the account can accept payments.' }),
    secret_key_hint: nullable(Type.String({ description: 'The last characters of the secret key.' })),
    publishable_key: nullable(Type.String({ description: 'The publishable key, which browsers can see.' })),
    has_callback_secret: Type.Boolean({ description: 'Whether callbacks can be verified.' }),
    problem_code: nullable(oneOf(PROVIDER_PROBLEMS, 'Why the provider last refused.')),
    problem: nullable(Type.String({ description: 'A readable explanation.' })),
    problem_at: nullable(time('When.')),
    checked_at: nullable(time('When the connection was last tested.')),
    checks: Type.Array(ConnectionCheck, { description: 'What the last test found. It is repeated every day.' }),
    failing_since: nullable(time('Since when a check needs attention.')),
    silent_since: nullable(time('Since when the provider has not answered for it, once it is minutes.')),
    callback_url: nullable(
      Type.String({
        description: 'The account’s own callback URL, to register at the provider where it has to be registered.',
      }),
    ),
  },
  'An account that receives live payments of the company.',
);
export type ProviderConnection = Static<typeof ProviderConnection>;

export const LeavingAccount = named(
  'LeavingAccount',
  {
    account_id: Type.String({ description: 'Account id at the provider.' }),
    label: nullable(Type.String({ description: 'What the company calls the account.' })),
    display_name: nullable(Type.String({ description: 'Business name at the provider.' })),
    left_at: time('Since when it takes no new payments.'),
    has_keys: Type.Boolean({
      description: 'False: the keys were erased. Payments in progress can only be completed at the provider.',
    }),
    open_payments: Type.Integer({ description: 'Payments in progress that need its keys.' }),
    until: nullable(time('Until when its last captured payment can be refunded or disputed; null when none can.')),
  },
  'An account that takes no new payments. Its keys stay encrypted while payments need them, and are then erased.',
);
export type LeavingAccount = Static<typeof LeavingAccount>;

export const ProviderState = named(
  'ProviderState',
  {
    provider: Type.String({ description: 'The provider, as named in payments.', examples: ['stripe', 'paypal'] }),
    title: Type.String({ description: 'The provider’s own name.', examples: ['PayPal'] }),
    key_names: named(
      'ProviderKeyNames',
      {
        publishable_key: Type.String({ description: 'What the provider calls the key that browsers can see.' }),
        secret_key: Type.String({ description: 'What the provider calls the secret key.' }),
        callback_secret: nullable(
          Type.String({
            description:
              'What the provider calls what callbacks are verified with. Null: it signs none, and needs no secret.',
          }),
        ),
      },
      'What each key is called at the provider.',
    ),
    methods: Type.Array(Type.String(), { description: 'The methods that it can take, as named in payments.' }),
    connections: Type.Array(ProviderConnection, {
      description: 'The connected accounts, in the order in which they are asked: those with a scope first.',
    }),
    leaving: Type.Array(LeavingAccount, { description: 'Accounts that were disconnected or replaced.' }),
    callback_events: Type.Array(Type.String(), {
      description: 'The event kinds to select at the provider. Empty: nothing has to be registered.',
    }),
    allows_test_keys: Type.Boolean({
      description: 'Whether test keys are accepted, which is only the case in development.',
    }),
  },
  'The company’s accounts at a payment provider.',
);
export type ProviderState = Static<typeof ProviderState>;

export const ProviderList = named(
  'ProviderList',
  {
    data: Type.Array(ProviderState),
    fails_over: Type.Boolean({
      description: 'Whether new payments go to another provider while the one they are routed to does not answer.',
    }),
  },
  'Every payment provider of the company.',
);
export type ProviderList = Static<typeof ProviderList>;

const ProviderCheck = named(
  'ProviderCheck',
  {
    ok: Type.Boolean({ description: 'Whether payments can be accepted now.' }),
    connection: ProviderConnection,
    callback: oneOf(CALLBACK_STATES, 'Whether the provider sends callbacks.'),
    checks: Type.Array(ConnectionCheck, { description: 'Each check, with its result.' }),
    advice: Type.Array(Type.String(), { description: 'Steps to take, in order. Empty when everything works.' }),
  },
  'Result of a connection test.',
);

export const providerEndpoints = {
  listProviders: dashboardEndpoint({
    name: 'list_providers',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: PROVIDERS,
    summary: 'Every payment provider that the company can connect, and how it is connected.',
    response: { status: 200, description: 'In the order in which they take payments.', schema: ProviderList },
    errors: [],
  }),
  patchProviders: dashboardEndpoint({
    name: 'patch_providers',
    scope: 'company',
    role: 'owner',
    method: 'PATCH',
    path: PROVIDERS,
    summary: 'Switches whether new payments go to another provider while the one they are routed to does not answer.',
    body: named('PatchProviders', { fails_over: Type.Boolean({ description: 'On or off.' }) }, 'The switch.'),
    response: { status: 200, description: 'How they are connected.', schema: ProviderList },
    errors: [],
    confirms: 'always',
  }),
  getProvider: dashboardEndpoint({
    name: 'get_provider',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: PROVIDER,
    params,
    summary: 'One payment provider of the company, and what is missing.',
    response: { status: 200, description: 'How it is connected.', schema: ProviderState },
    errors: ['not_found'],
  }),
  putProvider: dashboardEndpoint({
    name: 'put_provider',
    scope: 'company',
    role: 'owner',
    method: 'PUT',
    path: PROVIDER,
    params,
    confirms: 'always',
    summary:
      'Connects an account at the provider beside those that are connected, or changes its keys. The keys are tested before they are saved.',
    body: Type.Object({
      account_id: Type.Optional(
        oneLine(
          255,
          'The connected account whose keys change; keys of another account take its place. If omitted, the account that the keys belong to.',
          1,
        ),
      ),
      secret_key: Type.Optional(oneLine(KEY_CHARS, 'The provider’s secret key. If omitted, the saved key stays.', 1)),
      publishable_key: oneLine(KEY_CHARS, 'The key that browsers can see, or the client ID.', 1),
      callback_secret: Type.Optional(
        nullable(oneLine(KEY_CHARS, 'What callbacks are verified with. If omitted, the saved one stays.', 1)),
      ),
    }),
    response: { status: 200, description: 'How it is connected now.', schema: ProviderState },
    errors: [
      'not_found',
      'provider_key_invalid',
      'provider_key_revoked',
      'provider_key_wrong_mode',
      'provider_permission_missing',
      'provider_refused_setup',
      'provider_unreachable',
      'provider_not_connected',
    ],
  }),
  patchProvider: dashboardEndpoint({
    name: 'patch_provider',
    scope: 'company',
    role: 'owner',
    method: 'PATCH',
    path: PROVIDER,
    params,
    query,
    summary: 'Names a connected account and says which new payments it takes: by game, by currency, or all.',
    body: named(
      'PatchProvider',
      {
        label: Type.Optional(
          nullable(oneLine(60, 'What the company calls it, such as the legal entity. Null: its business name.', 1)),
        ),
        games: Type.Optional(
          nullable(
            Type.Array(oneLine(64, 'The game.', 1), {
              maxItems: MOST_NAMED,
              description: 'Only payments of these games. Null or empty means all.',
            }),
          ),
        ),
        currencies: Type.Optional(
          nullable(
            Type.Array(currency(), {
              maxItems: MOST_NAMED,
              description: 'Only payments in these currencies. Null or empty means all.',
            }),
          ),
        ),
      },
      'What is omitted stays.',
    ),
    response: { status: 200, description: 'How it is connected now.', schema: ProviderState },
    errors: ['not_found', 'provider_not_connected'],
    confirms: 'always',
  }),
  testProvider: dashboardEndpoint({
    name: 'test_provider',
    scope: 'company',
    role: 'developer',
    method: 'POST',
    path: `${PROVIDER}/test`,
    params,
    query,
    summary: 'Checks with the provider that the keys work, the account can accept payments, and callbacks arrive.',
    response: { status: 200, description: 'The result.', schema: ProviderCheck },
    errors: ['not_found', 'provider_not_connected', 'provider_unreachable'],
  }),
  registerProviderCallback: dashboardEndpoint({
    name: 'register_provider_callback',
    scope: 'company',
    role: 'owner',
    method: 'POST',
    path: `${PROVIDER}/callback`,
    params,
    query,
    summary: 'Registers the callback at the provider and saves its signing secret.',
    response: { status: 200, description: 'How it is connected now.', schema: ProviderState },
    errors: [
      'not_found',
      'provider_not_connected',
      'provider_unreachable',
      'provider_key_invalid',
      'provider_key_revoked',
      'provider_permission_missing',
      'provider_refused_setup',
      'callback_not_public',
    ],
    confirms: 'always',
  }),
  deleteProvider: dashboardEndpoint({
    name: 'delete_provider',
    scope: 'company',
    role: 'owner',
    method: 'DELETE',
    path: PROVIDER,
    params,
    confirms: 'always',
    summary:
      'Disconnects it: no new payments at once. The keys stay encrypted while payments need them, and are then erased.',
    query: Type.Object({
      account_id: Type.Optional(accountId),
      confirm: Type.Optional(
        oneOf(
          ['true'],
          'Erase the keys now. What is reserved is released first; what is left can be completed only at the provider.',
        ),
      ),
    }),
    response: { status: 200, description: 'How it is connected now.', schema: ProviderState },
    errors: ['not_found', 'provider_not_connected', 'provider_in_use'],
  }),
} as const;
