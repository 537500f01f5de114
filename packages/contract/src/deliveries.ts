import { endpoint } from './endpoint.ts';
import { EVENT_KINDS } from './events.ts';
import { headerMap, named, nullable, oneOf, opaqueId, page, paging, time } from './shape.ts';
import { type Static, Type } from './type.ts';

export const DELIVERY_STATUSES = [
  'pending',
  'blocked',
  'held',
  'succeeded',
  'declined',
  'exhausted',
  'canceled',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const deliveryFields = {
  id: opaqueId('dlv', 'Identifier of the delivery.'),
  webhook_id: nullable(opaqueId('whk', 'The subscription; null while no subscription receives the event.')),
  event_id: opaqueId('evt', 'The event.'),
  event_type: oneOf(EVENT_KINDS, 'The kind of event.'),
  order_id: nullable(opaqueId('ord', 'The order it is about, if any.')),
  idempotency_key: Type.String({ description: 'The idempotency key the receiver sees.' }),
  status: oneOf(
    DELIVERY_STATUSES,
    '`blocked` waits for an earlier event of its order, `held` for an enabled subscription; `declined` means the game declined for good.',
  ),
  test: Type.Boolean({ description: 'True for a test or triggered event, where nothing really happened.' }),
  attempts_made: Type.Integer({ description: 'Number of attempts so far.' }),
  next_attempt_at: nullable(time('When the next attempt is due.')),
  last_status: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
  last_error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
  created_at: time('When it was created.'),
  finished_at: nullable(time('When it finished.')),
};

export const DeliverySummary = named('DeliverySummary', deliveryFields, 'One event sent to one subscription.');
export type DeliverySummary = Static<typeof DeliverySummary>;

export const DeliveryAttempt = named(
  'DeliveryAttempt',
  {
    attempt: Type.Integer({ description: 'Counts from 1.' }),
    time: time('When it began.'),
    duration_ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
    status: nullable(Type.Integer({ description: 'HTTP status; null when none arrived.' })),
    request: Type.Object({ url: Type.String(), headers: headerMap('Headers sent.'), body: nullable(Type.String()) }),
    response: nullable(
      Type.Object({
        headers: headerMap('Headers received.'),
        body: nullable(Type.String({ description: 'Truncated when long.' })),
      }),
    ),
    error: nullable(Type.String({ description: 'Why it failed.' })),
  },
  'One attempt of a delivery.',
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const Delivery = named(
  'Delivery',
  {
    ...deliveryFields,
    attempts: Type.Array(DeliveryAttempt, {
      description: 'Oldest first. Empty when logging is off for the subscription, or when `log_kept` is false.',
    }),
    log_kept: Type.Boolean({
      description: 'False when the attempts and the body are older than the operator keeps them, 90 days by default.',
    }),
  },
  'A delivery with the log of its attempts.',
);
export type Delivery = Static<typeof Delivery>;

const params = Type.Object({ delivery_id: opaqueId('dlv', 'Identifier of the delivery.') });

export const getDelivery = endpoint({
  name: 'get_delivery',
  tag: 'Deliveries',
  method: 'GET',
  path: '/s2s/v1/deliveries/{delivery_id}',
  summary: 'Read a delivery',
  description: 'Reads a delivery with every attempt.',
  params,
  response: { status: 200, description: 'The delivery.', schema: Delivery },
  errors: ['delivery_not_found'],
});

export const listAllDeliveries = endpoint({
  name: 'list_all_deliveries',
  tag: 'Deliveries',
  method: 'GET',
  path: '/s2s/v1/deliveries',
  summary: 'List deliveries',
  description: 'Lists the deliveries to every subscription and listener with the log of their attempts, newest first.',
  query: Type.Object({
    ...paging,
    webhook_id: Type.Optional(opaqueId('whk', 'Only those of this subscription or listener.')),
    order_id: Type.Optional(opaqueId('ord', 'Only those about this order.')),
    status: Type.Optional(oneOf(DELIVERY_STATUSES, 'Only those with this status.')),
    event_type: Type.Optional(oneOf(EVENT_KINDS, 'Only this kind of event.')),
  }),
  response: { status: 200, description: 'One page of deliveries.', schema: page('DeliveryPage', Delivery) },
  errors: [],
});

export const retryDelivery = endpoint({
  name: 'retry_delivery',
  tag: 'Deliveries',
  method: 'POST',
  path: '/s2s/v1/deliveries/{delivery_id}/retry',
  summary: 'Send a delivery again',
  description:
    'Sends the delivery again now, with the same body and idempotency key. If an earlier event of its order has not been delivered yet, that one is sent now, this one follows it, and the answer says `blocked`.',
  params,
  response: { status: 202, description: 'The delivery is scheduled.', schema: DeliverySummary },
  errors: ['delivery_not_found', 'delivery_not_retryable'],
});
