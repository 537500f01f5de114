import { named, nullable, oneLine, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';

const PROVIDER = '/dashboard/api/companies/{company_id}/provider';
const KEY_CHARS = 255;

/** What the provider said about the account when it was asked last. */
export const PROVIDER_PROBLEMS = [
  'provider_key_invalid',
  'provider_key_revoked',
  'provider_key_wrong_mode',
  'provider_permission_missing',
  'provider_account_not_active',
] as const;

/** Whether the provider calls back, as far as it tells. */
export const CALLBACK_STATES = ['working', 'secret_missing', 'not_registered', 'unknown'] as const;

export const ProviderConnection = named(
  'ProviderConnection',
  {
    provider: oneOf(['stripe', 'simulator'], 'Who moves the money.'),
    source: oneOf(
      ['dashboard', 'settings'],
      'Connected here, or by the settings of the installation, which the dashboard cannot change.',
    ),
    account_id: nullable(Type.String({ description: 'The provider’s name of the account.' })),
    display_name: nullable(Type.String({ description: 'Name of the business at the provider.' })),
    country: nullable(Type.String({ description: 'Country of the account.' })),
    default_currency: nullable(Type.String({ description: 'Currency of the account.' })),
    is_test: Type.Boolean({ description: 'Keys of the provider’s test mode: no real money moves.' }),
    charges_enabled: Type.Boolean({ description: 'Whether the account may take payments.' }),
    secret_key_hint: nullable(Type.String({ description: 'The last characters of the secret key.' })),
    publishable_key: nullable(Type.String({ description: 'The key that the page shows to browsers.' })),
    has_callback_secret: Type.Boolean({ description: 'Whether callbacks can be checked.' }),
    problem_code: nullable(oneOf(PROVIDER_PROBLEMS, 'What the provider said when it last refused.')),
    problem: nullable(Type.String({ description: 'The same in words.' })),
    problem_at: nullable(time('When.')),
    checked_at: nullable(time('When the connection was tested last.')),
  },
  'The account that takes the company’s live payments.',
);
export type ProviderConnection = Static<typeof ProviderConnection>;

export const ProviderState = named(
  'ProviderState',
  {
    connection: nullable(ProviderConnection),
    callback_url: Type.String({ description: 'The address that the provider must call back.' }),
    callback_events: Type.Array(Type.String(), { description: 'The kinds of events to choose at the provider.' }),
    allows_test_keys: Type.Boolean({ description: 'Whether keys of the test mode are taken: in development only.' }),
  },
  'Whether and how the company takes real money.',
);
export type ProviderState = Static<typeof ProviderState>;

const ProviderCheck = named(
  'ProviderCheck',
  {
    ok: Type.Boolean({ description: 'Whether payments can be taken now.' }),
    connection: ProviderConnection,
    callback: oneOf(CALLBACK_STATES, 'Whether the provider calls back.'),
    advice: Type.Array(Type.String(), { description: 'What to do, in the order to do it. Empty when all is well.' }),
  },
  'What came of testing the connection.',
);

const HeldPayment = named(
  'HeldPayment',
  {
    payment_id: opaqueId('pay', 'The payment.'),
    order_id: opaqueId('ord', 'Its order.'),
    status: Type.String({ description: 'Where the payment stands after it.' }),
    order_status: Type.String({ description: 'Where the order stands after it.' }),
    problem: nullable(Type.String({ description: 'What is still to look at.' })),
  },
  'A payment that was held for review.',
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
    summary: 'Connects an account at the provider, or changes its keys. The keys are tried before they are kept.',
    body: Type.Object({
      secret_key: Type.Optional(
        oneLine(KEY_CHARS, 'Begins with sk_live_ or rk_live_. Left out: the one that is kept stays.', 1),
      ),
      publishable_key: oneLine(KEY_CHARS, 'Begins with pk_live_.', 1),
      callback_secret: Type.Optional(
        nullable(oneLine(KEY_CHARS, 'Begins with whsec_. Left out: the one that is kept stays.', 1)),
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
    summary: 'Asks the provider whether the keys work, the account may take payments, and callbacks arrive.',
    response: { status: 200, description: 'What it said.', schema: ProviderCheck },
    errors: ['provider_not_connected', 'provider_unreachable'],
  }),
  registerProviderCallback: dashboardEndpoint({
    name: 'register_provider_callback',
    scope: 'company',
    role: 'owner',
    method: 'POST',
    path: `${PROVIDER}/callback`,
    summary: 'Registers the callback at the provider and keeps its signing secret.',
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
      confirm: Type.Optional(
        oneOf(['true'], 'Erase them although payments are under way that can then not be brought to an end.'),
      ),
    }),
    response: { status: 200, description: 'How it is connected now.', schema: ProviderState },
    errors: ['provider_not_connected', 'provider_in_use'],
  }),
  resolveReview: dashboardEndpoint({
    name: 'resolve_review',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/payments/{payment_id}/settle',
    summary: 'Decides about a payment that was held for review: take what the provider holds as paid, or return it.',
    params: Type.Object({ payment_id: opaqueId('pay', 'The payment.') }),
    body: Type.Object({ decision: oneOf(['accept', 'refund'], 'What to do with the money.') }),
    response: { status: 200, description: 'Where both stand now.', schema: HeldPayment },
    errors: ['payment_not_found', 'payment_not_in_review', 'provider_unreachable'],
  }),
} as const;
