import { Order } from './orders.ts';
import { Payment } from './payments.ts';
import { PlayerInput, playerId } from './players.ts';
import { metadata, named, nullable, oneOf, opaqueId, time } from './shape.ts';
import { type Static, type TObject, Type } from './type.ts';

export const REASON_CODES = ['order_paid', 'refund', 'chargeback', 'fraud'] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

const GRANT_ANSWERS = ['confirmed', 'unknown'] as const;

export const ItemEventData = named(
  'ItemEventData',
  {
    player_id: playerId(),
    items: Type.Array(
      named(
        'ItemEventItem',
        {
          sku: Type.String(),
          name: nullable(Type.String()),
          quantity: Type.Integer(),
          price_decimal: nullable(Type.Number()),
          currency: nullable(Type.String()),
        },
        'An item to grant or to revoke.',
      ),
    ),
    order_id: opaqueId('ord', 'The order.'),
    payment_id: nullable(opaqueId('pay', 'The payment; null for a free order.')),
    reason: Type.String({ description: 'Why, in a sentence.' }),
    reason_code: oneOf(REASON_CODES, 'Why, from a closed list.'),
    grant: Type.Optional(
      oneOf(
        GRANT_ANSWERS,
        'Of `item.remove` only: whether the game ever answered 2xx to the `item.add` of this order. Revoke only what was granted.',
      ),
    ),
    metadata: metadata(),
  },
  'Items to grant to a player, or to revoke.',
);
export type ItemEventData = Static<typeof ItemEventData>;

const orderEventFields = Type.Pick(Order, [
  'order_id',
  'status',
  'player_id',
  'items',
  'amount',
  'currency',
  'price_decimal',
  'metadata',
  'payment_id',
  'problem',
  'created_at',
  'expires_at',
  'paid_at',
]).properties;

export const OrderEventData = named('OrderEventData', orderEventFields, 'The order at the time of the event.');
export type OrderEventData = Static<typeof OrderEventData>;

const paymentEventFields = Type.Pick(Payment, [
  'payment_id',
  'order_id',
  'player_id',
  'status',
  'method',
  'brand',
  'last4',
  'country',
  'amount',
  'currency',
  'price_decimal',
  'refunded_amount',
  'response_code',
  'response_description',
  'attention',
  'created_at',
]).properties;

export const PaymentEventData = named('PaymentEventData', paymentEventFields, 'The payment at the time of the event.');
export type PaymentEventData = Static<typeof PaymentEventData>;

/** `other`: a browser that does not say, such as one inside a game. */
export const DEVICES = ['phone', 'tablet', 'desktop', 'other'] as const;
export type Device = (typeof DEVICES)[number];

export const CheckoutEventData = named(
  'CheckoutEventData',
  {
    order_id: opaqueId('ord', 'The order.'),
    player_id: playerId(),
    device: Type.Optional(oneOf(DEVICES, 'What the page was opened on, as the browser says.')),
  },
  'The order whose payment page was opened.',
);
export type CheckoutEventData = Static<typeof CheckoutEventData>;

export const TestEventData = named(
  'TestEventData',
  { webhook_id: opaqueId('whk', 'The subscription under test.'), message: Type.String() },
  'A test of the endpoint. Nothing happened.',
);
export type TestEventData = Static<typeof TestEventData>;

interface EventDescription {
  description: string;
  data: TObject;
}

const item = (description: string) => ({ description, data: ItemEventData });
const order = (description: string) => ({ description, data: OrderEventData });
const payment = (description: string) => ({ description, data: PaymentEventData });

/** Every event type. Only the answer to `item.add` decides anything; the others inform. */
export const EVENTS = {
  'item.add': item(
    'A player bought items; the game is asked to grant them. The money is captured after a 2xx response.',
  ),
  'item.remove': item('A payment was reversed or refunded; the game is asked to revoke the items.'),
  'order.created': order('An order was created.'),
  'order.paid': order('The items were granted and the money was captured.'),
  'order.rejected': order('The game declined to grant the items or never responded; the money was released.'),
  'order.canceled': order('An order was canceled before it was paid.'),
  'order.expired': order('The order was not paid in time.'),
  'order.refunded': order('An order was refunded.'),
  'order.disputed': order('A bank opened a dispute about an order’s payment.'),
  'order.charged_back': order('A bank reversed an order’s payment.'),
  'payment.pending': payment('A player started a payment.'),
  'payment.requires_action': payment('The player must take another step, such as 3-D Secure.'),
  'payment.authorized': payment('The money was reserved.'),
  'payment.succeeded': payment('The money was captured.'),
  'payment.declined': payment('The payment was declined.'),
  'payment.abandoned': payment('The player did not complete the payment.'),
  'payment.voided': payment('The reservation was released.'),
  'payment.refunded': payment('The payment was refunded.'),
  'payment.disputed': payment('A bank opened a dispute about the payment.'),
  'payment.charged_back': payment('A bank reversed the payment.'),
  'payment.attention': payment('Money waits for a studio member; `attention` says why.'),
  'checkout.opened': { description: 'A player opened the payment page for the first time.', data: CheckoutEventData },
  'webhook.test': { description: 'A studio member or API caller sent a test event.', data: TestEventData },
} as const satisfies Record<string, EventDescription>;

export type EventKind = keyof typeof EVENTS;
export type EventDataOf<K extends EventKind> = Static<(typeof EVENTS)[K]['data']>;

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];

export const EVENT_WILDCARDS = ['*', 'item.*', 'order.*', 'payment.*', 'checkout.*', 'webhook.*'] as const;
export type EventWildcard = (typeof EVENT_WILDCARDS)[number];

/** What a webhook can subscribe to. */
export type EventSelector = EventKind | EventWildcard;
export const EVENT_SELECTORS: readonly EventSelector[] = [...EVENT_KINDS, ...EVENT_WILDCARDS];

/** The body of a webhook around the `event_data` of its type. */
export const webhookBody = (kind: EventKind) =>
  named(
    `Event_${kind.replaceAll('.', '_')}`,
    {
      event_id: opaqueId('evt', 'Identifier of the event.'),
      event_type: oneOf([kind], 'The kind of event.'),
      event_time: time('When it happened.'),
      game_id: opaqueId('game', 'The game.'),
      sandbox: Type.Boolean({ description: 'True when no real money moves.' }),
      idempotency_key: Type.String({ description: 'The same on every attempt. Handle each key once.' }),
      event_data: EVENTS[kind].data,
      context: Type.Optional(
        Type.Object(
          {
            player: Type.Object({ player_id: playerId(), ...PlayerInput.properties }),
          },
          { description: 'Present when the subscription has `player_context_enabled` and the event has a player.' },
        ),
      ),
    },
    EVENTS[kind].description,
  );
