import { endpoint } from './endpoint.ts';
import { EVENT_KINDS } from './events.ts';
import { Order } from './orders.ts';
import { Payment } from './payments.ts';
import {
  createdBetween,
  IDEMPOTENCY_REPLAYED,
  idempotencyKey,
  named,
  nullable,
  oneOf,
  opaqueId,
  paging,
  time,
  warnings,
} from './shape.ts';
import { type Static, Type } from './type.ts';

/** Each name stands for a card number of the sandbox. */
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
  'dispute_evidence',
  'inquiry',
  'refund_fails',
] as const;
export type TestCardName = (typeof TEST_CARD_NAMES)[number];

export const CHALLENGE_ANSWERS = ['complete', 'fail'] as const;

export const PayOrder = named(
  'PayOrder',
  {
    card: Type.Optional(
      oneOf(
        TEST_CARD_NAMES,
        'The test card to pay with. `dispute` succeeds, then a bank reverses the payment; `dispute_evidence` waits for your evidence.',
      ),
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
          state: oneOf(['waiting'], 'The bank is waiting for the player.'),
          url: Type.String({ description: 'The page that shows the challenge to the player.' }),
        },
        {
          description: 'Present while the payment is `requires_action`; answer it with `{ "challenge": "complete" }`.',
        },
      ),
    ),
    warnings: warnings(),
  },
  'The result of the payment, as far as it is known when the call returns.',
);
export type SandboxPayment = Static<typeof SandboxPayment>;

export const payOrder = endpoint({
  name: 'pay_order',
  tag: 'Sandbox',
  method: 'POST',
  path: '/s2s/v1/orders/{order_id}/pay',
  summary: 'Pay an order with a test card',
  description:
    'Does what the player does on the payment page, with the same steps, events and records. A free order is claimed with any card. The call returns when the game has responded, or after 12 seconds; read the order to follow it further. With an `Idempotency-Key`, a repeated call within 24 hours pays nothing again and returns what is known now.',
  params: Type.Object({ order_id: opaqueId('ord', 'Identifier of the order.') }),
  headers: Type.Object({ 'idempotency-key': idempotencyKey('Any text that is unique to this payment of the order.') }),
  body: PayOrder,
  response: {
    status: 200,
    description: 'The order, its payment and an open challenge.',
    schema: SandboxPayment,
    headers: IDEMPOTENCY_REPLAYED,
  },
  errors: ['order_not_found', 'order_wrong_status', 'sandbox_only', 'too_many_attempts', 'idempotency_key_reused'],
});

export const AdvanceOrder = named(
  'AdvanceOrder',
  {
    seconds: Type.Integer({
      minimum: 1,
      maximum: 2_592_000,
      description: 'How much older the order becomes; 259200 is three days, 2592000 thirty.',
      examples: [259_200],
    }),
  },
  'By how much to advance time.',
);
export type AdvanceOrder = Static<typeof AdvanceOrder>;

export const advanceOrder = endpoint({
  name: 'advance_order',
  tag: 'Sandbox',
  method: 'POST',
  path: '/s2s/v1/sandbox/orders/{order_id}/advance',
  summary: 'Advance time',
  description:
    'Makes the order, its payment and its deliveries that much older: expiry, retries, give-up and dispute dates come due at once. Attempts that fall into the time are made one after the other, as real requests. The call returns when what came due is done, or after 10 seconds.',
  params: Type.Object({ order_id: opaqueId('ord', 'Identifier of the order.') }),
  body: AdvanceOrder,
  response: { status: 200, description: 'The order and its payment as they are now.', schema: SandboxPayment },
  errors: ['order_not_found', 'sandbox_only'],
});

export const Chaos = named(
  'Chaos',
  {
    enabled: Type.Boolean({
      description:
        'Whether deliveries of this sandbox are now and then delayed, doubled, reordered or lost, and its payments now and then not answered by the simulated provider.',
      examples: [true],
    }),
  },
  'The chaos switch of a sandbox.',
);
export type Chaos = Static<typeof Chaos>;

const CHAOS = '/s2s/v1/sandbox/chaos';

export const getChaos = endpoint({
  name: 'get_chaos',
  tag: 'Sandbox',
  method: 'GET',
  path: CHAOS,
  summary: 'Read the chaos switch',
  description: 'Says whether this sandbox is in chaos.',
  response: { status: 200, description: 'The switch.', schema: Chaos },
  errors: ['sandbox_only'],
});

export const setChaos = endpoint({
  name: 'set_chaos',
  tag: 'Sandbox',
  method: 'PUT',
  path: CHAOS,
  summary: 'Turn chaos on or off',
  description:
    'In chaos about every third delivery goes out up to 5 s late, so that orders overtake each other; every third arrives again up to 15 s later, perhaps after what came next; some never arrive, and the answers of some are lost, so that they come again. Some calls to the simulated provider get no answer. Within two seconds everything follows the switch. What a good receiver grants stays right all the time. Live has no such switch.',
  body: named('SetChaos', { enabled: Chaos.properties.enabled }, 'The chaos switch to set.'),
  response: {
    status: 200,
    description: 'The switch as it is now.',
    schema: named('ChaosSet', { ...Chaos.properties, warnings: warnings() }, 'The chaos switch that was just set.'),
  },
  errors: ['sandbox_only'],
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
    test: Type.Boolean({ description: 'True for a triggered event, where nothing really happened.' }),
    event_data: eventData('As in the webhook of this kind.'),
    cursor: Type.Optional(
      Type.String({
        description: 'Only with `after`: the feed goes on behind this event when it is sent as `after`.',
        examples: ['ZW52XzAxa2IybTNuNHA1cTZyN3M4dDl2MHcxeDJ5IDQxNTg'],
      }),
    ),
  },
  'Something that happened.',
);
export type EventRecord = Static<typeof EventRecord>;

const EventPage = named(
  'EventPage',
  {
    data: Type.Array(EventRecord, { description: 'Newest first; with `after` oldest first.' }),
    next_cursor: nullable(
      Type.String({
        description:
          'Send it as `cursor` to get the next page; null on the last page. With `after` never null: send it as `after`, now or later, also when the page is empty.',
      }),
    ),
    has_more: Type.Optional(
      Type.Boolean({
        description:
          'Only with `after`: true when there is more to read at once. A page can be short, or empty, all the same.',
      }),
    ),
    warnings: warnings(),
  },
  'One page of events.',
);

export const listEvents = endpoint({
  name: 'list_events',
  tag: 'Events',
  method: 'GET',
  path: '/s2s/v1/events',
  summary: 'List events',
  description:
    'Lists events of sandbox or live, newest first, whether or not a webhook receives them, so that a studio that lost its own database can read again what happened. They are kept for as long as the operator keeps events, 90 days by default (`RETENTION_EVENTS_DAYS`). `order.created` is only listed if a webhook or a listener observed it.\n\nWith `after` it is a feed for a data warehouse: every event once, `order.created` too, oldest first, without a gap. An event is given only when none can come before it any more. `after` cannot be combined with `cursor` or a filter.',
  query: Type.Object({
    ...paging,
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'Read the feed behind this place: `start` for the oldest event that is kept, `now` for what comes next, or the `cursor` of an event or `next_cursor` of a page of the feed.',
      }),
    ),
    event_type: Type.Optional(kind()),
    order_id: Type.Optional(opaqueId('ord', 'Only events of this order.')),
    ...createdBetween,
  }),
  response: { status: 200, description: 'One page of events.', schema: EventPage },
  errors: ['events_gone'],
});

export const TriggerEvent = named(
  'TriggerEvent',
  {
    event_type: kind(),
    overrides: Type.Optional(
      eventData(
        'Fields of `event_data` to replace in the sample. Objects are merged, everything else is replaced. The result must match the schema of the kind.',
      ),
    ),
  },
  'The event to trigger.',
);
export type TriggerEvent = Static<typeof TriggerEvent>;

const TriggeredDelivery = named(
  'TriggeredDelivery',
  {
    delivery_id: opaqueId('dlv', 'The delivery; read it to see the response.'),
    webhook_id: opaqueId('whk', 'The subscription, or the listener.'),
    url: Type.String({ description: 'Where it is sent; `listen:…` is a connected listener.' }),
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
    deliveries: Type.Array(TriggeredDelivery, {
      description: 'Where it is sent; empty when no webhook or listener receives this kind.',
    }),
    warnings: warnings(),
  },
  'The triggered event.',
);
export type TriggeredEvent = Static<typeof TriggeredEvent>;

export const triggerEvent = endpoint({
  name: 'trigger_event',
  tag: 'Sandbox',
  method: 'POST',
  path: '/s2s/v1/events/trigger',
  summary: 'Trigger a test event',
  description:
    'Sends a sample event of any kind, with its real schema, to the subscriptions that select the kind and to a connected listener. No order or payment is affected; the delivery log marks it as a test.',
  body: TriggerEvent,
  response: { status: 202, description: 'The event and its deliveries.', schema: TriggeredEvent },
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
    'Upgrades to a WebSocket. With `mode=forward` the connection is a webhook endpoint of the sandbox while it is open: requests arrive as frames, signed as over HTTP, and the answer sent back counts as the game’s response. It receives item events instead of the registered endpoint, which takes over again when the connection ends. With `mode=tail` every event arrives as a frame when it happens, and nothing is delivered. The frames are described in the command line’s README.',
  query: Type.Object({
    mode: Type.Optional(
      Type.Unsafe<ListenMode>({
        type: 'string',
        enum: [...LISTEN_MODES],
        default: 'forward',
        description: 'Act as an endpoint, or only watch.',
      }),
    ),
    events: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description:
          'Kinds or wildcards, separated by commas. Defaults to `item.add,item.remove` when forwarding and `*` when tailing.',
        examples: ['item.add,item.remove,order.*'],
      }),
    ),
  }),
  response: { status: 101, description: 'The connection speaks WebSocket from here on.' },
  errors: ['sandbox_only', 'too_many_listeners', 'upgrade_required'],
});
