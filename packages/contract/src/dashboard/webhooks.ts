import { DeliverySummary } from '../deliveries.ts';
import { EVENTS, type EventKind } from '../events.ts';
import { LIMITS, named, nullable, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { CreateWebhook, PatchWebhook, ReplayWebhook, Webhook } from '../webhooks.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { password } from './fields.ts';

const params = Type.Object({ webhook_id: opaqueId('whk', 'Identifier of the webhook.') });

interface EventClass {
  name: string;
  description: string;
  kinds: readonly EventKind[];
}

const kindsOf = (prefix: string): EventKind[] =>
  (Object.keys(EVENTS) as EventKind[]).filter(kind => kind.startsWith(`${prefix}.`));

/** The classes of Select events, in the order they are shown. `webhook.test` is sent whatever is ticked. */
export const EVENT_CLASSES = [
  {
    name: 'Main',
    description: 'Asks the game to grant items and to take them back. One webhook takes them.',
    kinds: ['item.add', 'item.remove'],
  },
  { name: 'Orders', description: 'Tells how an order goes on.', kinds: kindsOf('order') },
  { name: 'Payments', description: 'Tells every step of a payment.', kinds: kindsOf('payment') },
  { name: 'Checkout', description: 'Tells what a player does on the payment page.', kinds: kindsOf('checkout') },
] as const satisfies readonly EventClass[];

export const WebhookHealth = named(
  'WebhookHealth',
  {
    attempts: Type.Integer({ description: 'Attempts in the last 24 hours.' }),
    succeeded: Type.Integer({ description: 'Of them, answered with 2xx.' }),
    p95_ms: nullable(Type.Integer({ description: '95 of 100 took at most about this long.' })),
  },
  'How an endpoint did in the last 24 hours.',
);

export const DashboardWebhook = named(
  'DashboardWebhook',
  { ...Webhook.properties, health: WebhookHealth },
  'A webhook with how it does. Its secret is cut to the last characters.',
);
export type DashboardWebhook = Static<typeof DashboardWebhook>;

export const RevealedSecret = named(
  'RevealedSecret',
  {
    secret: Type.String({ description: 'Signs now.' }),
    secret_source: oneOf(['s2s_key', 'dedicated'], 'Whether it is the S2S key of the environment.'),
    previous_secret: nullable(Type.String({ description: 'Signs too, in `x-service-signature-previous`.' })),
    previous_secret_until: nullable(time('Until then.')),
  },
  'What signs.',
);

/** What is wrong, as exactly as it can be told. `valid` comes with warnings at most. */
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
    verdict: oneOf(SIGNATURE_VERDICTS, 'What was found.'),
    is_valid: Type.Boolean({ description: 'Whether a receiver should take it, but for its age.' }),
    message: Type.String({ description: 'The verdict in a sentence, with what to do.' }),
    age_seconds: nullable(Type.Integer({ description: 'How old the timestamp is; negative when it lies ahead.' })),
    is_old: Type.Boolean({ description: 'Older or further ahead than the recommended 300 seconds.' }),
    matched_secret: nullable(
      oneOf(
        ['current', 'previous', 's2s_key', 'other_key', 'other_webhook', 'other_mode'],
        'Which secret made the signature.',
      ),
    ),
    delivery_id: nullable(opaqueId('dlv', 'The delivery this was, when it is known.')),
    expected_signature: nullable(
      Type.String({
        description:
          'What the signature must be. Only for the bytes of a known delivery: nobody can have other text signed here.',
      }),
    ),
  },
  'What is right or wrong with a signature.',
);
export type SignatureCheck = Static<typeof SignatureCheck>;

export const ReplayProgress = named(
  'ReplayProgress',
  {
    total: Type.Integer({ description: 'Deliveries in the span; at most 10,000 are counted.' }),
    waiting: Type.Integer({ description: 'Not sent yet, or to be sent again.' }),
    succeeded: Type.Integer(),
    failed: Type.Integer({ description: 'Declined or given up.' }),
    is_capped: Type.Boolean({ description: 'There are more than were counted.' }),
  },
  'How far a replay is.',
);

export const webhookEndpoints = {
  listDashboardWebhooks: dashboardEndpoint({
    name: 'list_webhooks',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks',
    summary: 'All webhooks of the environment, newest first, and the classes of events.',
    response: {
      status: 200,
      description: 'All of them.',
      schema: named(
        'DashboardWebhookList',
        {
          data: Type.Array(DashboardWebhook),
          event_classes: Type.Array(
            Type.Object({
              name: Type.String({ description: 'Name of the class.' }),
              description: Type.String(),
              kinds: Type.Array(Type.Object({ kind: Type.String(), description: Type.String() })),
            }),
            { description: 'What Select events shows.' },
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
    summary: 'Add a webhook.',
    body: CreateWebhook,
    response: { status: 201, description: 'The webhook.', schema: DashboardWebhook },
    errors: ['item_endpoint_exists', 'too_many_webhooks'],
  }),
  patchDashboardWebhook: dashboardEndpoint({
    name: 'patch_webhook',
    scope: 'environment',
    role: 'developer',
    method: 'PATCH',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}',
    summary: 'Change a webhook; with `enabled` switch it off and on. Fields left out stay.',
    params,
    body: PatchWebhook,
    response: { status: 200, description: 'The webhook as it is now.', schema: DashboardWebhook },
    errors: ['webhook_not_found', 'item_endpoint_exists'],
  }),
  deleteDashboardWebhook: dashboardEndpoint({
    name: 'delete_webhook',
    scope: 'environment',
    role: 'developer',
    method: 'DELETE',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}',
    summary: 'Delete a webhook. Items that wait to be granted are held for the next one.',
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
    summary: 'Make a new secret. The former one signs beside it for a while.',
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
    summary: 'Show the secret. Asks for the password again, and is written to the audit log.',
    params,
    body: named('RevealSecret', { password: password('The password of who asks.') }, 'Proof of who asks.'),
    response: { status: 200, description: 'The secret.', schema: RevealedSecret },
    errors: ['webhook_not_found', 'password_wrong', 'rate_limited'],
  }),
  testDashboardWebhook: dashboardEndpoint({
    name: 'test_webhook',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/test',
    summary: 'Send a `webhook.test` event. Read the delivery to see what came of it.',
    params,
    response: { status: 202, description: 'The delivery, on its way.', schema: DeliverySummary },
    errors: ['webhook_not_found', 'rate_limited'],
  }),
  checkSignature: dashboardEndpoint({
    name: 'check_signature',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/check_signature',
    summary: 'Say what is right or wrong with what a receiver got. Nothing of it is kept.',
    params,
    body: named(
      'PastedWebhook',
      {
        headers: Type.String({
          maxLength: 32_768,
          description: 'The headers as they were received, one in each line: `name: value`.',
        }),
        body: Type.String({ maxLength: LIMITS.bodyBytes / 2, description: 'The body as it was received, as text.' }),
      },
      'What a receiver got.',
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
    summary: 'Send the events of a time span again, with their old bodies and keys.',
    params,
    body: ReplayWebhook,
    response: {
      status: 202,
      description: 'They will be sent.',
      schema: named('DashboardReplay', { replayed: Type.Integer({ description: 'How many.' }) }, 'What was begun.'),
    },
    errors: ['webhook_not_found'],
  }),
  getReplayProgress: dashboardEndpoint({
    name: 'get_replay_progress',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/webhooks/{webhook_id}/replay',
    summary: 'How the deliveries of a time span stand.',
    params,
    query: Type.Object({ since: ReplayWebhook.properties.since, until: ReplayWebhook.properties.until }),
    response: { status: 200, description: 'The counts.', schema: ReplayProgress },
    errors: ['webhook_not_found'],
  }),
};
