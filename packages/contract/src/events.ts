import { Order } from './orders.ts';
import { Payment } from './payments.ts';
import { PlayerInput, playerId } from './players.ts';
import { metadata, named, nullable, oneOf, opaqueId, time } from './shape.ts';
import { type Static, type TObject, Type } from './type.ts';

export const REASON_CODES = ['order_paid', 'refund', 'chargeback', 'fraud'] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

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
        'An item to grant or to take back.',
      ),
    ),
    order_id: opaqueId('ord', 'The order.'),
    payment_id: nullable(opaqueId('pay', 'The payment; null for a free order.')),
    reason: Type.String({ description: 'Why, in a sentence.' }),
    reason_code: oneOf(REASON_CODES, 'Why, from a closed list.'),
    metadata: metadata(),
  },
  'Items of one player, to grant or to take back.',
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
  'response_code',
  'response_description',
  'attention',
  'created_at',
]).properties;

export const PaymentEventData = named('PaymentEventData', paymentEventFields, 'The payment at the time of the event.');
export type PaymentEventData = Static<typeof PaymentEventData>;

export const CheckoutEventData = named(
  'CheckoutEventData',
  { order_id: opaqueId('ord', 'The order.'), player_id: playerId() },
  'Whose payment form was opened.',
);
export type CheckoutEventData = Static<typeof CheckoutEventData>;

export const TestEventData = named(
  'TestEventData',
  { webhook_id: opaqueId('whk', 'The subscription under test.'), message: Type.String() },
  'Nothing happened; the endpoint is being tried.',
);
export type TestEventData = Static<typeof TestEventData>;

interface EventDescription {
  description: string;
  data: TObject;
}

const item = (description: string) => ({ description, data: ItemEventData });
const order = (description: string) => ({ description, data: OrderEventData });
const payment = (description: string) => ({ description, data: PaymentEventData });

/** Every kind of event. Only `item.add` is asked for permission; the others tell. */
export const EVENTS = {
  'item.add': item(
    'A player has bought items; the game is asked to grant them. The money is collected after a 2xx answer.',
  ),
  'item.remove': item('A payment was reversed or refunded; the game is asked to take the items back.'),
  'order.created': order('An order was created.'),
  'order.paid': order('An order was granted and collected.'),
  'order.rejected': order('The game refused the items or stayed silent to the end; the money was released.'),
  'order.canceled': order('An order was canceled before it was paid.'),
  'order.expired': order('Nobody paid the order in time.'),
  'order.refunded': order('The money of an order was returned.'),
  'order.disputed': order('A bank questions the payment of an order.'),
  'order.charged_back': order('A bank reversed the payment of an order.'),
  'payment.pending': payment('A player began to pay.'),
  'payment.requires_action': payment('The player must do something more, such as 3-D Secure.'),
  'payment.authorized': payment('The money is reserved.'),
  'payment.succeeded': payment('The money is collected.'),
  'payment.declined': payment('The payment was declined.'),
  'payment.abandoned': payment('The player did not finish the payment.'),
  'payment.voided': payment('The reservation was released.'),
  'payment.refunded': payment('The money was returned.'),
  'payment.disputed': payment('A bank questions the payment.'),
  'payment.charged_back': payment('A bank reversed the payment.'),
  'payment.attention': payment('Money waits for a studio member; `attention` says why.'),
  'checkout.opened': { description: 'A player opened the payment form for the first time.', data: CheckoutEventData },
  'webhook.test': { description: 'Somebody pressed the test button.', data: TestEventData },
} as const satisfies Record<string, EventDescription>;

export type EventKind = keyof typeof EVENTS;
export type EventDataOf<K extends EventKind> = Static<(typeof EVENTS)[K]['data']>;

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[];

export const EVENT_WILDCARDS = ['*', 'item.*', 'order.*', 'payment.*', 'checkout.*', 'webhook.*'] as const;
export type EventWildcard = (typeof EVENT_WILDCARDS)[number];

/** What a subscription may ask for. */
export type EventSelector = EventKind | EventWildcard;
export const EVENT_SELECTORS: readonly EventSelector[] = [...EVENT_KINDS, ...EVENT_WILDCARDS];

/** The body of a webhook, around the `event_data` of its kind. */
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
