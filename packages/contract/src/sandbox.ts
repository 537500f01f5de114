import { endpoint } from './endpoint.ts';
import { EVENT_KINDS } from './events.ts';
import { Order } from './orders.ts';
import { Payment } from './payments.ts';
import { createdBetween, named, nullable, oneOf, opaqueId, page, paging, time, warnings } from './shape.ts';
import { type Static, Type } from './type.ts';

/** What a test card does. The names stand for the numbers that sandbox knows. */
export const TEST_CARD_NAMES = [
  'success',
  'decline',
  'insufficient_funds',
  'lost',
  'stolen',
  'expired',
  '3ds',
  'dispute',
  'dispute_won',
] as const;
export type TestCardName = (typeof TEST_CARD_NAMES)[number];

export const CHALLENGE_ANSWERS = ['complete', 'fail'] as const;

export const PayOrder = named(
  'PayOrder',
  {
    card: Type.Optional(
      oneOf(TEST_CARD_NAMES, 'The test card to pay with. `dispute` succeeds, then a bank reverses the payment.'),
    ),
    challenge: Type.Optional(
      oneOf(CHALLENGE_ANSWERS, 'The answer to the 3-D Secure challenge that `"card": "3ds"` began.'),
    ),
  },
  'Exactly one of `card` and `challenge`.',
);
export type PayOrder = Static<typeof PayOrder>;

export const SandboxPayment = named(
  'SandboxPayment',
  {
    order: Order,
    payment: nullable(Payment),
    challenge: nullable(
      Type.Object(
        {
          state: oneOf(['waiting'], 'The bank waits for the player.'),
          url: Type.String({ description: 'The page that shows the challenge to the player.' }),
        },
        { description: 'Open while the payment is `requires_action`; answer it with `{ "challenge": "complete" }`.' },
      ),
    ),
    warnings: warnings(),
  },
  'What the payment did, as far as it is known when the call ends.',
);
export type SandboxPayment = Static<typeof SandboxPayment>;

export const payOrder = endpoint({
  name: 'pay_order',
  tag: 'Sandbox',
  method: 'POST',
  path: '/s2s/v1/orders/{order_id}/pay',
  summary: 'Pay an order with a test card',
  description:
    'Does what the player does on the payment page: the same steps, events and records. A free order is claimed, whatever the card. The call ends when the game has answered, or after 12 seconds; read the order to follow it further.',
  params: Type.Object({ order_id: opaqueId('ord', 'Identifier of the order.') }),
  body: PayOrder,
  response: { status: 200, description: 'The order, its payment and an open challenge.', schema: SandboxPayment },
  errors: ['order_not_found', 'order_wrong_status', 'sandbox_only'],
});

const eventData = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', description, additionalProperties: true });

const kind = () => oneOf(EVENT_KINDS, 'The kind of event.');

export const EventRecord = named(
  'EventRecord',
  {
    event_id: opaqueId('evt', 'Identifier of the event.'),
    event_type: kind(),
    event_time: time('When it happened.'),
    game_id: opaqueId('game', 'The game.'),
    sandbox: Type.Boolean({ description: 'True in the sandbox environment.' }),
    order_id: nullable(opaqueId('ord', 'The order it is about; null for a test.')),
    test: Type.Boolean({ description: 'True when somebody triggered it and nothing happened.' }),
    event_data: eventData('As in the webhook of this kind.'),
  },
  'Something that happened.',
);
export type EventRecord = Static<typeof EventRecord>;

export const listEvents = endpoint({
  name: 'list_events',
  tag: 'Sandbox',
  method: 'GET',
  path: '/s2s/v1/events',
  summary: 'List events',
  description:
    'Lists events, newest first, whether or not a webhook takes them. `order.created` is kept only while somebody observes it: a webhook, or a listener.',
  query: Type.Object({
    ...paging,
    event_type: Type.Optional(kind()),
    order_id: Type.Optional(opaqueId('ord', 'Only events of this order.')),
    ...createdBetween,
  }),
  response: { status: 200, description: 'One page of events.', schema: page('EventPage', EventRecord) },
  errors: ['sandbox_only'],
});

export const TriggerEvent = named(
  'TriggerEvent',
  {
    event_type: kind(),
    overrides: Type.Optional(
      eventData(
        'Fields of `event_data` to replace in the sample. Objects are merged, everything else is replaced. The result must have the shape of the kind.',
      ),
    ),
  },
  'Which event to make up.',
);
export type TriggerEvent = Static<typeof TriggerEvent>;

const TriggeredDelivery = named(
  'TriggeredDelivery',
  {
    delivery_id: opaqueId('dlv', 'The delivery; read it to see what was answered.'),
    webhook_id: opaqueId('whk', 'The subscription, or the listener.'),
    url: Type.String({ description: 'Where it goes; `listen:…` is a connected listener.' }),
    listener: Type.Boolean({ description: 'True when it goes through a connected listener.' }),
  },
  'One receiver of a triggered event.',
);

export const TriggeredEvent = named(
  'TriggeredEvent',
  {
    event_id: opaqueId('evt', 'Identifier of the event.'),
    event_type: kind(),
    idempotency_key: Type.String({ description: 'The key the receiver sees. It begins with `test_`.' }),
    event_data: eventData('What is sent.'),
    deliveries: Type.Array(TriggeredDelivery, { description: 'Where it goes; empty when nobody takes this kind.' }),
    warnings: warnings(),
  },
  'The event that was made up, on its way.',
);
export type TriggeredEvent = Static<typeof TriggeredEvent>;

export const triggerEvent = endpoint({
  name: 'trigger_event',
  tag: 'Sandbox',
  method: 'POST',
  path: '/s2s/v1/events/trigger',
  summary: 'Trigger a test event',
  description:
    'Makes up an event of any kind with its real shape and delivers it to the subscriptions that take the kind, and to a connected listener. No order and no money is touched; the delivery log marks it as a test.',
  body: TriggerEvent,
  response: { status: 202, description: 'The event and where it goes.', schema: TriggeredEvent },
  errors: ['sandbox_only'],
});

export const LISTEN_MODES = ['forward', 'tail'] as const;
export type ListenMode = (typeof LISTEN_MODES)[number];

export const listen = endpoint({
  name: 'listen',
  tag: 'Sandbox',
  method: 'GET',
  path: '/s2s/v1/listen',
  summary: 'Listen over a WebSocket',
  description:
    'Upgrades to a WebSocket. With `mode=forward` the connection is a webhook endpoint of the sandbox for as long as it lives: requests come as frames, signed as over HTTP, and the answer that is sent back counts as the answer of the game. It takes the items before a registered endpoint, which takes over again when the connection ends. With `mode=tail` every event comes as a frame when it happens, and nothing is delivered. The frames are described in the guide of the command line.',
  query: Type.Object({
    mode: Type.Optional(
      Type.Unsafe<ListenMode>({
        type: 'string',
        enum: [...LISTEN_MODES],
        default: 'forward',
        description: 'Be an endpoint, or only watch.',
      }),
    ),
    events: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description:
          'Kinds or wildcards with commas between them. `item.add,item.remove` when forwarding, `*` when tailing.',
        examples: ['item.add,item.remove,order.*'],
      }),
    ),
  }),
  response: { status: 101, description: 'The connection speaks WebSocket from here on.' },
  errors: ['sandbox_only', 'too_many_listeners', 'upgrade_required'],
});
