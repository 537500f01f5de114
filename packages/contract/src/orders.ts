import { endpoint } from './endpoint.ts';
import { itemPrice, itemText, sku } from './items.ts';
import { ORDER_STATUSES } from './order-statuses.ts';
import { Attention, attentionFilter } from './payments.ts';
import { PlayerInput, playerId } from './players.ts';
import {
  createdBetween,
  currency,
  email,
  givenTime,
  IDEMPOTENCY_REPLAYED,
  idempotencyKey,
  LIMITS,
  metadata,
  named,
  nullable,
  oneLine,
  oneOf,
  opaqueId,
  page,
  paging,
  priceDecimal,
  returnUrl,
  time,
  warnings,
} from './shape.ts';
import { type Static, Type } from './type.ts';

export const THEMES = ['auto', 'light', 'dark'] as const;

const orderId = () => opaqueId('ord', 'Identifier of the order.');
const status = () => oneOf(ORDER_STATUSES, 'Status of the order.');

const OrderItemInput = named(
  'OrderItemInput',
  {
    sku: sku(),
    ...itemText,
    quantity: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMITS.quantity, default: 1, description: 'Quantity.' }),
    ),
    ...itemPrice,
  },
  'An item to buy. Only `sku` is required; other fields also update the catalog.',
);

export const CreateOrder = named(
  'CreateOrder',
  {
    player_id: playerId(),
    items: Type.Array(OrderItemInput, { minItems: 1, maxItems: LIMITS.items, description: 'Items to buy.' }),
    price_decimal: Type.Optional(
      priceDecimal(
        'Price of the whole order, in major units. If omitted, item prices are used. 0 makes the order free.',
      ),
    ),
    currency: Type.Optional(currency('Currency of the price, ISO 4217 in upper case.')),
    email: Type.Optional(email('The player’s email address; prefills the payment form.')),
    back_to_game_url: Type.Optional(returnUrl('Deep link to return to after payment. `{order_id}` is replaced.')),
    back_to_store_url: Type.Optional(returnUrl('Where the player can go instead of paying. `{order_id}` is replaced.')),
    country: Type.Optional(
      Type.String({ format: 'country', description: 'The player’s country, ISO 3166-1 alpha-2.', examples: ['GB'] }),
    ),
    locale: Type.Optional(
      Type.String({
        format: 'locale',
        maxLength: 35,
        description: 'Language of the page and the receipt, BCP 47.',
        examples: ['pt-BR'],
      }),
    ),
    metadata: Type.Optional(metadata()),
    expires_at: Type.Optional(
      givenTime('When the order expires; at most 24 hours after creation, which is also the default.'),
    ),
    player: Type.Optional(PlayerInput),
    ui: Type.Optional(
      named(
        'CheckoutLook',
        { theme: Type.Optional(oneOf(THEMES, 'Color theme of the payment page.')) },
        'How the payment page looks.',
      ),
    ),
  },
  'An order to create. `player_id` and items with only a `sku` are enough.',
);
export type CreateOrder = Static<typeof CreateOrder>;

const price = {
  amount: Type.Integer({ description: 'Amount to pay, in minor units.', examples: [499] }),
  currency: Type.String({ description: 'ISO 4217.', examples: ['USD'] }),
  price_decimal: Type.Number({ description: 'The same amount in major units.', examples: [4.99] }),
};

const discount = {
  discount_decimal: nullable(
    Type.Number({
      description:
        'What the order’s own price takes off the sum of the item prices, in major units; null when it takes off nothing. Page and receipt show it as a discount.',
      examples: [3],
    }),
  ),
};

const checkoutUrl = Type.String({
  description: 'URL of the payment page. It is opaque: send the player to it unchanged, and never build it yourself.',
  examples: ['https://pay.example.com/checkout/qL0w…'],
});

const sandbox = Type.Boolean({ description: 'True when no real money moves.' });

export const PAYMENT_BLOCKS = [
  'no_payment_provider',
  'currency_unsupported',
  'amount_below_minimum',
  'amount_above_maximum',
  'amount_not_exact',
  'no_payment_method',
] as const;

export const PaymentBlock = named(
  'PaymentBlock',
  {
    code: oneOf(PAYMENT_BLOCKS, 'What blocks payment.'),
    message: Type.String({ description: 'A readable explanation with what to do.' }),
  },
  'Why this live order cannot be paid right now. The order exists; the payment page shows the player the same reason.',
);
export type PaymentBlock = Static<typeof PaymentBlock>;

export const CreatedOrder = named(
  'CreatedOrder',
  {
    order_id: orderId(),
    checkout_url: checkoutUrl,
    status: status(),
    ...price,
    ...discount,
    created_at: time('When the order was created.'),
    expires_at: time('When it expires if it is not paid.'),
    sandbox,
    payment_blocked: Type.Optional(PaymentBlock),
    warnings: warnings(),
  },
  'The new order. Redirect the player to `checkout_url`.',
);
export type CreatedOrder = Static<typeof CreatedOrder>;

const OrderItem = named(
  'OrderItem',
  {
    sku: sku(),
    name: nullable(Type.String()),
    description: nullable(Type.String()),
    image_url: nullable(Type.String()),
    quantity: Type.Integer(),
    price_decimal: nullable(
      Type.Number({ description: 'Unit price with the sale applied; null when only the order has a price.' }),
    ),
    full_price_decimal: nullable(
      Type.Number({ description: 'Unit price before the sale; null when there is no sale.' }),
    ),
    currency: nullable(Type.String()),
  },
  'An item as it was bought.',
);

export const Order = named(
  'Order',
  {
    order_id: orderId(),
    status: status(),
    player_id: playerId(),
    items: Type.Array(OrderItem),
    ...price,
    ...discount,
    email: nullable(Type.String({ description: 'From the request, or from the payment form once paid.' })),
    country: nullable(Type.String()),
    locale: nullable(Type.String()),
    metadata: metadata(),
    ui: Type.Object({ theme: oneOf(THEMES, 'Color theme of the payment page.') }),
    back_to_game_url: nullable(Type.String()),
    back_to_store_url: nullable(Type.String()),
    checkout_url: checkoutUrl,
    payment_id: nullable(opaqueId('pay', 'The current or completed payment; the latest when there were several.')),
    problem: nullable(
      Type.String({ description: 'A note for studio members, such as why it was rejected or why a refund failed.' }),
    ),
    attention: nullable(Attention),
    sandbox,
    payment_blocked: Type.Optional(PaymentBlock),
    created_at: time('When the order was created.'),
    updated_at: time('When it last changed.'),
    expires_at: time('When it expires if it is not paid.'),
    granted_at: nullable(time('When the game accepted the items.')),
    paid_at: nullable(time('When the items were granted and the money captured.')),
  },
  'An order: the items a player is buying or has bought.',
);
export type Order = Static<typeof Order>;

const params = Type.Object({ order_id: orderId() });

export const createOrder = endpoint({
  name: 'create_order',
  tag: 'Orders',
  method: 'POST',
  path: '/s2s/v1/orders',
  summary: 'Create an order',
  description:
    'Creates an order and returns the URL of its payment page. With an `Idempotency-Key`, the same body gets the same response for 24 hours, so it is safe to retry.',
  headers: Type.Object({ 'idempotency-key': idempotencyKey('Any text that is unique to this order, such as a UUID.') }),
  body: CreateOrder,
  response: {
    status: 201,
    description: 'The order.',
    schema: CreatedOrder,
    headers: IDEMPOTENCY_REPLAYED,
  },
  errors: ['price_unknown', 'idempotency_key_reused'],
});

export const getOrder = endpoint({
  name: 'get_order',
  tag: 'Orders',
  method: 'GET',
  path: '/s2s/v1/orders/{order_id}',
  summary: 'Read an order',
  description:
    'Reads an order. With `wait`, the response comes when the status changes or after that many seconds, or at once when the status is final.',
  params,
  query: Type.Object({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.waitSeconds,
        default: 0,
        description: 'Seconds to wait for the status to change.',
      }),
    ),
  }),
  response: { status: 200, description: 'The order.', schema: Order },
  errors: ['order_not_found'],
});

export const listOrders = endpoint({
  name: 'list_orders',
  tag: 'Orders',
  method: 'GET',
  path: '/s2s/v1/orders',
  summary: 'List orders',
  description: 'Lists orders, newest first.',
  query: Type.Object({
    ...paging,
    status: Type.Optional(status()),
    player_id: Type.Optional(playerId()),
    ...attentionFilter,
    ...createdBetween,
  }),
  response: { status: 200, description: 'One page of orders.', schema: page('OrderPage', Order) },
  errors: [],
});

export const cancelOrder = endpoint({
  name: 'cancel_order',
  tag: 'Orders',
  method: 'POST',
  path: '/s2s/v1/orders/{order_id}/cancel',
  summary: 'Cancel an order',
  description: 'Cancels an unpaid order. Canceling it again has no effect.',
  params,
  response: { status: 200, description: 'The order.', schema: Order },
  errors: ['order_not_found', 'order_wrong_status'],
});

export const RefundOrder = named(
  'RefundOrder',
  {
    reason: Type.Optional(
      oneLine(LIMITS.reasonChars, 'Reason for the refund, in a sentence. The game receives it in `item.remove`.'),
    ),
    amount: Type.Optional(Type.Unsafe<unknown>({ description: 'Refused: a refund is always whole.' })),
    price_decimal: Type.Optional(Type.Unsafe<unknown>({ description: 'Refused: a refund is always whole.' })),
  },
  'A refund. It is always for the full amount: any field but `reason` is refused.',
);
export type RefundOrder = Static<typeof RefundOrder>;

export const refundOrder = endpoint({
  name: 'refund_order',
  tag: 'Orders',
  method: 'POST',
  path: '/s2s/v1/orders/{order_id}/refund',
  summary: 'Refund an order',
  description:
    'Refunds the full amount and sends `item.remove`. Repeating the request during or after the refund has no effect.',
  params,
  body: RefundOrder,
  bodyOptional: true,
  response: {
    status: 200,
    description: 'The order, now `refund_requested` or `refunded`.',
    schema: Type.Object(
      { ...Order.properties, warnings: warnings() },
      { title: 'OrderRefunded', description: 'The order being refunded.' },
    ),
  },
  errors: ['order_not_found', 'order_wrong_status', 'partial_refund_unsupported'],
});
