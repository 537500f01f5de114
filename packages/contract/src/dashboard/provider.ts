import { named, nullable, oneLine, oneOf, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';

const PROVIDER = '/dashboard/api/companies/{company_id}/provider';
const KEY_CHARS = 255;

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

export const ProviderConnection = named(
  'ProviderConnection',
  {
    provider: oneOf(['stripe', 'simulator'], 'The gateway that processes the payment.'),
    source: oneOf(
      ['dashboard', 'settings'],
      'Connected in the dashboard, or by the installation’s settings, which the dashboard cannot change.',
    ),
    account_id: nullable(Type.String({ description: 'Account id at the provider.' })),
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
  },
  'The account that receives the company’s live payments.',
);
export type ProviderConnection = Static<typeof ProviderConnection>;

export const ProviderState = named(
  'ProviderState',
  {
    connection: nullable(ProviderConnection),
    callback_url: Type.String({ description: 'The callback URL to register at the provider.' }),
    callback_events: Type.Array(Type.String(), { description: 'The event kinds to select at the provider.' }),
    allows_test_keys: Type.Boolean({
      description: 'Whether test keys are accepted, which is only the case in development.',
    }),
  },
  'The company’s connection to its payment provider.',
);
export type ProviderState = Static<typeof ProviderState>;

const ProviderCheck = named(
  'ProviderCheck',
  {
    ok: Type.Boolean({ description: 'Whether payments can be accepted now.' }),
    connection: ProviderConnection,
    callback: oneOf(CALLBACK_STATES, 'Whether the provider sends callbacks.'),
    advice: Type.Array(Type.String(), { description: 'Steps to take, in order. Empty when everything works.' }),
  },
  'Result of a connection test.',
);

export const providerEndpoints = {
  getProvider: dashboardEndpoint({
    name: 'get_provider',
    scope: 'company',
    role: 'viewer',
    method: 'GET',
    path: PROVIDER,
    summary: 'The payment provider of the company, and what is missing.',
    response: { status: 200, description: 'How it is connected.', schema: ProviderState },
    errors: [],
  }),
  putProvider: dashboardEndpoint({
    name: 'put_provider',
    scope: 'company',
    role: 'owner',
    method: 'PUT',
    path: PROVIDER,
    summary: 'Connects an account at the provider, or changes its keys. The keys are tested before they are saved.',
    body: Type.Object({
      secret_key: Type.Optional(
        oneLine(KEY_CHARS, 'Starts with sk_live_ or rk_live_. If omitted, the saved key stays.', 1),
      ),
      publishable_key: oneLine(KEY_CHARS, 'Starts with pk_live_.', 1),
      callback_secret: Type.Optional(
        nullable(oneLine(KEY_CHARS, 'Starts with whsec_. If omitted, the saved secret stays.', 1)),
      ),
    }),
    response: { status: 200, description: 'How it is connected now.', schema: ProviderState },
    errors: [
      'provider_key_invalid',
      'provider_key_revoked',
      'provider_key_wrong_mode',
      'provider_permission_missing',
      'provider_unreachable',
    ],
  }),
  testProvider: dashboardEndpoint({
    name: 'test_provider',
    scope: 'company',
    role: 'developer',
    method: 'POST',
    path: `${PROVIDER}/test`,
    summary: 'Checks with the provider that the keys work, the account can accept payments, and callbacks arrive.',
    response: { status: 200, description: 'The result.', schema: ProviderCheck },
    errors: ['provider_not_connected', 'provider_unreachable'],
  }),
  registerProviderCallback: dashboardEndpoint({
    name: 'register_provider_callback',
    scope: 'company',
    role: 'owner',
    method: 'POST',
    path: `${PROVIDER}/callback`,
    summary: 'Registers the callback at the provider and saves its signing secret.',
    response: { status: 200, description: 'How it is connected now.', schema: ProviderState },
    errors: [
      'provider_not_connected',
      'provider_unreachable',
      'provider_key_invalid',
      'provider_key_revoked',
      'provider_permission_missing',
      'callback_not_public',
    ],
  }),
  deleteProvider: dashboardEndpoint({
    name: 'delete_provider',
    scope: 'company',
    role: 'owner',
    method: 'DELETE',
    path: PROVIDER,
    summary: 'Erases the keys. Live orders can then be created, but not paid.',
    query: Type.Object({
      confirm: Type.Optional(oneOf(['true'], 'Erase them even though payments in progress can then not be completed.')),
    }),
    response: { status: 200, description: 'How it is connected now.', schema: ProviderState },
    errors: ['provider_not_connected', 'provider_in_use'],
  }),
} as const;
