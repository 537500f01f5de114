import { DeliverySummary } from '../deliveries.ts';
import { EVENTS, type EventKind } from '../events.ts';
import { LIMITS, named, nullable, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { CreateWebhook, PatchWebhook, ReplayWebhook, savedWarnings, Webhook } from '../webhooks.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { password } from './session.ts';

const params = Type.Object({ webhook_id: opaqueId('whk', 'Identifier of the webhook.') });

interface EventClass {
  name: string;
  description: string;
  kinds: readonly EventKind[];
}

const kindsOf = (prefix: string): EventKind[] =>
  (Object.keys(EVENTS) as EventKind[]).filter(kind => kind.startsWith(`${prefix}.`));

/** Event groups in the order in which the dashboard shows them. Every webhook receives `webhook.test`. */
export const EVENT_CLASSES = [
  {
    name: 'Main',
    description: 'Asks the game to grant or revoke items. Only one webhook receives them.',
    kinds: ['item.add', 'item.remove'],
  },
  { name: 'Orders', description: 'Status changes of an order.', kinds: kindsOf('order') },
  { name: 'Payments', description: 'Every step of a payment.', kinds: kindsOf('payment') },
  { name: 'Checkout', description: 'What a player does on the payment page.', kinds: kindsOf('checkout') },
] as const satisfies readonly EventClass[];

export const WebhookHealth = named(
  'WebhookHealth',
  {
    attempts: Type.Integer({ description: 'Attempts in the last 24 hours.' }),
    succeeded: Type.Integer({ description: 'Attempts answered with 2xx.' }),
    p95_ms: nullable(Type.Integer({ description: '95th percentile of the duration, approximately.' })),
  },
  'Figures of an endpoint over the last 24 hours.',
);

const EndpointState = named(
  'EndpointState',
  {
    state: oneOf(
      ['ok', 'failing', 'recovering'],
      '`failing`: one delivery at a time is tried until one is answered; `recovering`: what waited is sent, more and more at once.',
    ),
    failing_since: nullable(time('Since when it fails, or failed before it recovered.')),
    at_once: Type.Integer({ description: 'How many deliveries it may have at once now.' }),
  },
  'How an endpoint does now.',
);

export const DashboardWebhook = named(
  'DashboardWebhook',
  { ...Webhook.properties, health: WebhookHealth, endpoint: EndpointState },
  'A webhook with its figures. The secret is redacted to its last characters.',
);
export type DashboardWebhook = Static<typeof DashboardWebhook>;

const DashboardWebhookSaved = named(
  'DashboardWebhookSaved',
  { ...DashboardWebhook.properties, warnings: savedWarnings() },
  'A webhook that was just saved.',
);

export const RevealedSecret = named(
  'RevealedSecret',
  {
    secret: Type.String({ description: 'The current secret.' }),
    secret_source: oneOf(['s2s_key', 'dedicated'], 'Whether it is the environment’s S2S key.'),
    previous_secret: nullable(
      Type.String({ description: 'The previous secret, which also signs, in `x-service-signature-previous`.' }),
    ),
    previous_secret_until: nullable(time('When the previous secret stops signing.')),
  },
  'Signing secrets.',
);

/** What is wrong with a signature. `valid` can still come with warnings. */
export const SIGNATURE_VERDICTS = [
  'valid',
  'timestamp_missing',
  'signature_missing',
  'timestamp_malformed',
  'signature_malformed',
  'signature_uppercase',
  'valid_with_previous_secret',
  'old_secret',
  'wrong_secret',
  'wrong_environment',
  'body_reserialized',
  'body_whitespace',
  'body_altered',
  'timestamp_altered',
  'no_match',
] as const;
export type SignatureVerdict = (typeof SIGNATURE_VERDICTS)[number];

export const SignatureCheck = named(
  'SignatureCheck',
  {
    verdict: oneOf(SIGNATURE_VERDICTS, 'The verdict.'),
    is_valid: Type.Boolean({ description: 'Whether a receiver should accept it, apart from its age.' }),
    message: Type.String({ description: 'The verdict in a sentence, with advice.' }),
    age_seconds: nullable(Type.Integer({ description: 'Age of the timestamp; negative when it is in the future.' })),
    is_old: Type.Boolean({ description: 'Whether the timestamp is more than the recommended 300 seconds off.' }),
    matched_secret: nullable(
      oneOf(
        ['current', 'previous', 's2s_key', 'other_key', 'other_webhook', 'other_mode'],
        'Which secret made the signature.',
      ),
    ),
    delivery_id: nullable(opaqueId('dlv', 'The matching delivery, if known.')),
    expected_signature: nullable(
      Type.String({
        description:
          'The expected signature. Only for the bytes of a known delivery, so that callers cannot have other text signed.',
      }),
    ),
  },
  'Result of a signature check.',
);
export type SignatureCheck = Static<typeof SignatureCheck>;

export const ReplayProgress = named(
  'ReplayProgress',
  {
    total: Type.Integer({ description: 'Deliveries in the span; at most 10,000 are counted.' }),
    waiting: Type.Integer({ description: 'Not sent yet, or to be sent again.' }),
    succeeded: Type.Integer(),
    failed: Type.Integer({ description: 'Declined or exhausted.' }),
    is_capped: Type.Boolean({ description: 'Whether there are more than were counted.' }),
  },
  'Progress of a replay.',
);

export const webhookEndpoints = {
  listDashboardWebhooks: dashboardEndpoint({
    name: 'list_webhooks',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks',
    summary: 'All webhooks of the environment, newest first, and the event groups.',
    response: {
      status: 200,
      description: 'The complete list.',
      schema: named(
        'DashboardWebhookList',
        {
          data: Type.Array(DashboardWebhook),
          event_classes: Type.Array(
            Type.Object({
              name: Type.String({ description: 'Name of the group.' }),
              description: Type.String(),
              kinds: Type.Array(Type.Object({ kind: Type.String(), description: Type.String() })),
            }),
            { description: 'Event groups to select from.' },
          ),
        },
        'Webhooks of an environment.',
      ),
    },
    errors: [],
  }),
  getDashboardWebhook: dashboardEndpoint({
    name: 'get_webhook',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}',
    summary: 'One webhook.',
    params,
    response: { status: 200, description: 'The webhook.', schema: DashboardWebhook },
    errors: ['webhook_not_found'],
  }),
  createDashboardWebhook: dashboardEndpoint({
    name: 'create_webhook',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks',
    confirms: 'always',
    summary: 'Add a webhook.',
    body: CreateWebhook,
    response: { status: 201, description: 'The webhook.', schema: DashboardWebhookSaved },
    errors: ['item_endpoint_exists', 'too_many_webhooks'],
  }),
  patchDashboardWebhook: dashboardEndpoint({
    name: 'patch_webhook',
    scope: 'environment',
    role: 'developer',
    method: 'PATCH',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}',
    summary: 'Change a webhook, or turn it on or off with `enabled`. Omitted fields stay as they are.',
    params,
    body: PatchWebhook,
    response: { status: 200, description: 'The webhook as it is now.', schema: DashboardWebhookSaved },
    errors: ['webhook_not_found', 'item_endpoint_exists'],
    confirms: { fields: ['url'] },
  }),
  deleteDashboardWebhook: dashboardEndpoint({
    name: 'delete_webhook',
    scope: 'environment',
    role: 'developer',
    method: 'DELETE',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}',
    summary: 'Delete a webhook. Items waiting to be granted are held for the next webhook.',
    params,
    response: { status: 204, description: 'Deleted.' },
    errors: ['webhook_not_found'],
  }),
  rotateDashboardSecret: dashboardEndpoint({
    name: 'rotate_webhook_secret',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/rotate_secret',
    confirms: 'always',
    summary: 'Rotate the secret. The previous one keeps signing for a while.',
    params,
    response: { status: 200, description: 'The new secret.', schema: RevealedSecret },
    errors: ['webhook_not_found'],
  }),
  revealDashboardSecret: dashboardEndpoint({
    name: 'reveal_webhook_secret',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/reveal_secret',
    summary: 'Show the secret. Requires the password or a passkey again and is written to the audit log.',
    params,
    body: named(
      'RevealSecret',
      { password: Type.Optional(password('The member’s password; not needed within 10 minutes of giving it.')) },
      'Confirmation of identity.',
    ),
    response: { status: 200, description: 'The secret.', schema: RevealedSecret },
    errors: ['webhook_not_found', 'rate_limited'],
    confirms: 'unless_password',
  }),
  testDashboardWebhook: dashboardEndpoint({
    name: 'test_webhook',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/test',
    summary: 'Send a `webhook.test` event. Read the delivery to see the result.',
    params,
    response: { status: 202, description: 'The delivery that was started.', schema: DeliverySummary },
    errors: ['webhook_not_found', 'rate_limited'],
  }),
  checkSignature: dashboardEndpoint({
    name: 'check_signature',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/check_signature',
    summary: 'Check the signature of a request that a receiver got. Nothing is stored.',
    params,
    body: named(
      'PastedWebhook',
      {
        headers: Type.String({
          maxLength: 32_768,
          description: 'The headers as received, one per line: `name: value`.',
        }),
        body: Type.String({ maxLength: LIMITS.bodyBytes / 2, description: 'The body as received, as text.' }),
      },
      'A received request.',
    ),
    response: { status: 200, description: 'The verdict.', schema: SignatureCheck },
    errors: ['webhook_not_found'],
  }),
  replayDashboardWebhook: dashboardEndpoint({
    name: 'replay_webhook',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/replay',
    summary: 'Send the events of a time span again, with their original bodies and idempotency keys.',
    params,
    body: ReplayWebhook,
    response: {
      status: 202,
      description: 'The deliveries are scheduled.',
      schema: named(
        'DashboardReplay',
        { replayed: Type.Integer({ description: 'Number of scheduled deliveries.' }) },
        'Result of the replay.',
      ),
    },
    errors: ['webhook_not_found'],
  }),
  getReplayProgress: dashboardEndpoint({
    name: 'get_replay_progress',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/replay',
    summary: 'Progress of the deliveries of a time span.',
    params,
    query: Type.Object({ since: ReplayWebhook.properties.since, until: ReplayWebhook.properties.until }),
    response: { status: 200, description: 'The counts.', schema: ReplayProgress },
    errors: ['webhook_not_found'],
  }),
};
