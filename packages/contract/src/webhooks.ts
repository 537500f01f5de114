import { DELIVERY_STATUSES, Delivery, DeliverySummary } from './deliveries.ts';
import { endpoint } from './endpoint.ts';
import { EVENT_KINDS, EVENT_SELECTORS } from './events.ts';
import { givenTime, LIMITS, named, nullable, oneLine, oneOf, opaqueId, page, paging, time, warnings } from './shape.ts';
import { type Static, Type } from './type.ts';

const events = () =>
  Type.Array(oneOf(EVENT_SELECTORS, 'A kind of event, or a wildcard such as `order.*`.'), {
    minItems: 1,
    maxItems: 50,
    description:
      'Event kinds to deliver. A subscription for `item.add` always gets `item.remove` as well, and the other way round.',
    examples: [['item.add', 'item.remove']],
  });

const url = () =>
  Type.String({
    format: 'web-url',
    maxLength: LIMITS.urlChars,
    description: 'HTTPS URL that receives the webhooks. No credentials, no private address.',
    examples: ['https://game.example.com/webhooks'],
  });

const settings = {
  description: Type.Optional(oneLine(LIMITS.descriptionChars, 'Free text, in one line.')),
  method: Type.Optional(oneOf(['POST'], 'HTTP method used for delivery.')),
};

/** What a new subscription has when the field is left out; a change leaves it as it is. */
const switches = (isNew: boolean) => {
  const flag = (value: boolean, description: string) =>
    Type.Optional(Type.Boolean({ ...(isNew && { default: value }), description }));
  return {
    enabled: flag(true, 'Whether it is active. A disabled subscription holds its events.'),
    enabled_logs: flag(true, 'Whether attempts are logged.'),
    player_context_enabled: flag(false, 'Whether bodies include `context.player`.'),
  };
};

export const CreateWebhook = named(
  'CreateWebhook',
  {
    events: events(),
    url: url(),
    ...settings,
    ...switches(true),
    secret: Type.Optional(
      oneLine(
        LIMITS.secretChars,
        'Signing secret. Without it, webhooks are signed with the environment’s S2S key.',
        LIMITS.secretCharsMin,
      ),
    ),
  },
  'A webhook subscription to create.',
);
export type CreateWebhook = Static<typeof CreateWebhook>;

export const PatchWebhook = named(
  'PatchWebhook',
  { events: Type.Optional(events()), url: Type.Optional(url()), ...settings, ...switches(false) },
  'Fields to change; omitted fields stay as they are.',
);
export type PatchWebhook = Static<typeof PatchWebhook>;

const webhookFields = {
  id: opaqueId('whk', 'Identifier of the subscription.'),
  game_id: opaqueId('game', 'The game.'),
  events: Type.Array(Type.Unsafe<(typeof EVENT_SELECTORS)[number]>({ type: 'string' }), {
    description: 'As given, completed to both item kinds if one of them was named.',
  }),
  url: Type.String({ description: 'Where the webhooks go.' }),
  description: Type.String({ description: 'Free text; empty when none was given.' }),
  method: oneOf(['POST'], 'HTTP method used for delivery.'),
  enabled: Type.Boolean({ description: 'Whether it is active.' }),
  enabled_logs: Type.Boolean({ description: 'Whether attempts are logged.' }),
  player_context_enabled: Type.Boolean({ description: 'Whether bodies include `context.player`.' }),
  secret: Type.String({
    description: 'Signing secret: complete when it was just set or rotated, otherwise only its last characters.',
  }),
  secret_source: oneOf(
    ['s2s_key', 'dedicated'],
    'Whether webhooks are signed with the environment’s S2S key or with a dedicated secret.',
  ),
  previous_secret_until: nullable(
    time('Until then webhooks are also signed with the previous secret, in `x-service-signature-previous`.'),
  ),
  disabled_reason: nullable(Type.String({ description: 'Why the service disabled it, such as a 410 response.' })),
  sandbox: Type.Boolean({ description: 'True in the sandbox environment.' }),
  created_at: time('When it was created.'),
  updated_at: time('When it last changed.'),
};

export const Webhook = named('Webhook', webhookFields, 'A webhook subscription.');
export type Webhook = Static<typeof Webhook>;

/** Shared with the dashboard. */
export const savedWarnings = () =>
  Type.Optional(
    Type.Array(Type.String(), {
      description:
        'JSON Pointers to request fields that this version does not know and ignored, and a sentence when `events` named only one of `item.add` and `item.remove`: the subscription gets both. Absent when there are none.',
      examples: [['/events: item.remove was added, because one endpoint gets both item.add and item.remove.']],
    }),
  );

const WebhookSaved = named(
  'WebhookSaved',
  { ...webhookFields, warnings: savedWarnings() },
  'A webhook subscription that was just saved.',
);

export const ReplayWebhook = named(
  'ReplayWebhook',
  {
    since: givenTime('Send events from this time on.'),
    until: Type.Optional(givenTime('Send events up to this time; up to now when omitted.')),
    only_failed: Type.Optional(Type.Boolean({ default: false, description: 'Only events that never got a 2xx.' })),
  },
  'Which events to send again.',
);
export type ReplayWebhook = Static<typeof ReplayWebhook>;

const params = Type.Object({ webhook_id: opaqueId('whk', 'Identifier of the subscription.') });

export const createWebhook = endpoint({
  name: 'create_webhook',
  tag: 'Webhooks',
  method: 'POST',
  path: '/s2s/v1/webhooks',
  summary: 'Create a webhook subscription',
  description:
    'Registers an endpoint. One enabled subscription per environment receives `item.add` and `item.remove`; others can observe.',
  body: CreateWebhook,
  response: { status: 201, description: 'The subscription, with its secret.', schema: WebhookSaved },
  errors: ['item_endpoint_exists', 'too_many_webhooks'],
});

export const listWebhooks = endpoint({
  name: 'list_webhooks',
  tag: 'Webhooks',
  method: 'GET',
  path: '/s2s/v1/webhooks',
  summary: 'List webhook subscriptions',
  description: 'Lists the subscriptions, newest first, with redacted secrets.',
  query: Type.Object(paging),
  response: { status: 200, description: 'One page of subscriptions.', schema: page('WebhookPage', Webhook) },
  errors: [],
});

export const getWebhook = endpoint({
  name: 'get_webhook',
  tag: 'Webhooks',
  method: 'GET',
  path: '/s2s/v1/webhooks/{webhook_id}',
  summary: 'Read a webhook subscription',
  description: 'Reads one subscription; its secret is redacted.',
  params,
  response: { status: 200, description: 'The subscription.', schema: Webhook },
  errors: ['webhook_not_found'],
});

export const patchWebhook = endpoint({
  name: 'patch_webhook',
  tag: 'Webhooks',
  method: 'PATCH',
  path: '/s2s/v1/webhooks/{webhook_id}',
  summary: 'Change a webhook subscription',
  description:
    'Changes the given fields. Enabling a subscription delivers the events it held. The next attempt of every delivery uses the new URL.',
  params,
  body: PatchWebhook,
  response: { status: 200, description: 'The subscription.', schema: WebhookSaved },
  errors: ['webhook_not_found', 'item_endpoint_exists'],
});

export const deleteWebhook = endpoint({
  name: 'delete_webhook',
  tag: 'Webhooks',
  method: 'DELETE',
  path: '/s2s/v1/webhooks/{webhook_id}',
  summary: 'Delete a webhook subscription',
  description: 'Deletes the subscription. Items waiting to be granted are held for the next subscription.',
  params,
  response: { status: 204, description: 'Deleted.' },
  errors: ['webhook_not_found'],
});

export const rotateWebhookSecret = endpoint({
  name: 'rotate_webhook_secret',
  tag: 'Webhooks',
  method: 'POST',
  path: '/s2s/v1/webhooks/{webhook_id}/rotate_secret',
  summary: 'Rotate the signing secret',
  description:
    'Creates a new dedicated secret for the subscription and returns it. For a while (24 hours by default) webhooks are also signed with the previous secret.',
  params,
  response: { status: 200, description: 'The subscription, with its new secret.', schema: Webhook },
  errors: ['webhook_not_found'],
});

export const testWebhook = endpoint({
  name: 'test_webhook',
  tag: 'Webhooks',
  method: 'POST',
  path: '/s2s/v1/webhooks/{webhook_id}/test',
  summary: 'Send a test event',
  description:
    'Sends a `webhook.test` event to the endpoint, regardless of the kinds it selected. Read the delivery to see the result.',
  params,
  response: { status: 202, description: 'The delivery that was started.', schema: DeliverySummary },
  errors: ['webhook_not_found'],
});

export const replayWebhook = endpoint({
  name: 'replay_webhook',
  tag: 'Webhooks',
  method: 'POST',
  path: '/s2s/v1/webhooks/{webhook_id}/replay',
  summary: 'Send past events again',
  description: 'Sends the events of a time span again, with their original bodies and idempotency keys.',
  params,
  body: ReplayWebhook,
  response: {
    status: 202,
    description: 'The deliveries are scheduled.',
    schema: named(
      'Replay',
      { replayed: Type.Integer({ description: 'How many deliveries were scheduled.' }), warnings: warnings() },
      'The result of a replay.',
    ),
  },
  errors: ['webhook_not_found'],
});

export const listDeliveries = endpoint({
  name: 'list_deliveries',
  tag: 'Webhooks',
  method: 'GET',
  path: '/s2s/v1/webhooks/{webhook_id}/deliveries',
  summary: 'List deliveries of a subscription',
  description: 'Lists deliveries with the log of their attempts, newest first.',
  params,
  query: Type.Object({
    ...paging,
    status: Type.Optional(oneOf(DELIVERY_STATUSES, 'Only those with this status.')),
    event_type: Type.Optional(oneOf(EVENT_KINDS, 'Only this kind of event.')),
  }),
  response: { status: 200, description: 'One page of deliveries.', schema: page('DeliveryPage', Delivery) },
  errors: ['webhook_not_found'],
});
