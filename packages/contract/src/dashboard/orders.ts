import { Delivery } from '../deliveries.ts';
import { ORDER_STATUSES } from '../order-statuses.ts';
import { Order } from '../orders.ts';
import { attentionFilter, Payment } from '../payments.ts';
import { LIMITS, named, nullable, oneLine, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { AttentionItem } from './attention.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { boundedPage, exactly, listing, search, someOf } from './listing.ts';
import { TimelineEntry } from './transactions.ts';

const params = Type.Object({ order_id: opaqueId('ord', 'Identifier of the order.') });

/** The columns of the order export, with the last payment of each order. */
export const ORDER_COLUMNS = [
  'order_id',
  'created_at',
  'status',
  'amount',
  'currency',
  'items',
  'player_id',
  'email',
  'granted_at',
  'payment_id',
  'method',
  'brand',
  'last4',
  'captured_at',
  'refunded_at',
  'refund_reason',
  'refunded_amount',
  'dispute_reason',
  'problem',
] as const;
export type OrderColumn = (typeof ORDER_COLUMNS)[number];

const filters = {
  q: search('Searches by the start of an order id or player id, the name of an item, or a complete email address.'),
  status: someOf(ORDER_STATUSES, 'Only orders with this status.'),
  player_id: exactly('Only orders of this player.'),
  ...attentionFilter,
};

export const ORDER_ACTIONS = ['cancel', 'refund', 'retry_grant', 'release_grant'] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

export const OrderDetail = named(
  'OrderDetail',
  {
    order: Order,
    payments: Type.Array(Payment, { description: 'Every payment attempt, newest first.' }),
    deliveries: Type.Array(Delivery, { description: 'Item deliveries to the game.' }),
    timeline: Type.Array(TimelineEntry, { description: 'Oldest first.' }),
    actions: Type.Array(oneOf(ORDER_ACTIONS, 'An available action.'), {
      description: 'Actions available to the signed-in member now.',
    }),
    needs_attention: Type.Array(AttentionItem, {
      description: 'Its payments that need attention, with what can be done.',
    }),
    raw: Type.Array(Type.Object({ name: Type.String(), json: Type.String() }), {
      description: 'Order, payments and events as JSON text.',
    }),
  },
  'Everything about one order.',
);
export type OrderDetail = Static<typeof OrderDetail>;

/** Why the game has not granted the items yet, from harmless to serious. */
export const GRANT_STATES = [
  /** The delivery is being sent, or will be very soon. */
  'waiting',
  /** The delivery waits for an earlier event of the order. */
  'blocked',
  /** The delivery was sent and not accepted. It will be sent again. */
  'failing',
  /** No enabled webhook receives the event. */
  'no_endpoint',
] as const;
export type GrantState = (typeof GRANT_STATES)[number];

export const Grant = named(
  'Grant',
  {
    delivery_id: opaqueId('dlv', 'The delivery that is open.'),
    kind: oneOf(['item.add', 'item.remove'], 'Whether the items wait to be granted or revoked.'),
    state: oneOf(GRANT_STATES, 'Why it is open.'),
    order_id: opaqueId('ord', 'The order.'),
    order_status: oneOf(ORDER_STATUSES, 'Status of the order.'),
    payment_id: nullable(opaqueId('pay', 'Its payment.')),
    player_id: Type.String({ description: 'The player who is waiting.' }),
    amount: Type.Integer({ description: 'In minor units.' }),
    currency: Type.String(),
    items: Type.Array(Type.Object({ sku: Type.String(), name: nullable(Type.String()), quantity: Type.Integer() })),
    since: time('Waiting since.'),
    attempts_made: Type.Integer({ description: 'Number of attempts so far.' }),
    last_status: nullable(Type.Integer({ description: 'HTTP status of the last response.' })),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    next_attempt_at: nullable(time('When the next attempt is due.')),
    gives_up_at: nullable(time('When Coinslot stops trying and releases the money.')),
    actions: Type.Array(oneOf(['retry', 'release'], 'An available action.'), {
      description: 'Actions available to the signed-in member now.',
    }),
  },
  'Items that are paid for but not granted, or refunded but not revoked.',
);
export type Grant = Static<typeof Grant>;

const grantParams = Type.Object({ delivery_id: opaqueId('dlv', 'The open delivery.') });

export const orderEndpoints = {
  listDashboardOrders: dashboardEndpoint({
    name: 'list_orders',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/orders',
    summary: 'Orders, newest first.',
    query: Type.Object({
      ...listing,
      ...filters,
    }),
    response: { status: 200, description: 'One page.', schema: boundedPage('DashboardOrderPage', Order) },
    errors: [],
  }),
  exportOrders: dashboardEndpoint({
    name: 'export_orders',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/orders/export',
    summary: 'The complete list as CSV, with the same filters and the last payment of each order.',
    query: Type.Object({
      created_from: listing.created_from,
      created_to: listing.created_to,
      ...filters,
      columns: someOf(ORDER_COLUMNS, 'Columns to include, in this order; all when omitted.'),
    }),
    response: { status: 200, description: 'The file.', contentType: 'text/csv; charset=utf-8' },
    errors: ['rate_limited'],
  }),
  getDashboardOrder: dashboardEndpoint({
    name: 'get_order',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/orders/{order_id}',
    summary: 'Everything about one order.',
    params,
    response: { status: 200, description: 'The order.', schema: OrderDetail },
    errors: ['order_not_found'],
  }),
  createTestOrder: dashboardEndpoint({
    name: 'create_test_order',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/test_orders',
    summary: 'Create a test order, as the game would. Only in sandbox.',
    response: { status: 201, description: 'The order.', schema: OrderDetail },
    errors: ['sandbox_only'],
  }),
  cancelDashboardOrder: dashboardEndpoint({
    name: 'cancel_order',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/orders/{order_id}/cancel',
    summary: 'Cancel an unpaid order. Canceling it again has no effect.',
    params,
    response: { status: 200, description: 'The order as it is now.', schema: OrderDetail },
    errors: ['order_not_found', 'order_wrong_status'],
  }),
  listGrants: dashboardEndpoint({
    name: 'list_grants',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/grants',
    summary: 'Items waiting to be granted or revoked, longest waiting first.',
    query: Type.Object({ limit: listing.limit, cursor: listing.cursor }),
    response: {
      status: 200,
      description: 'One page.',
      schema: named(
        'GrantPage',
        {
          data: Type.Array(Grant, { description: 'Longest waiting first.' }),
          next_cursor: nullable(
            Type.String({ description: 'Send it as `cursor` to get the next page; null on the last page.' }),
          ),
          waiting: Type.Integer({ description: 'How many there are; at most 1,000 are counted.' }),
        },
        'One page of waiting items.',
      ),
    },
    errors: [],
  }),
  retryGrant: dashboardEndpoint({
    name: 'retry_grant',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/grants/{delivery_id}/retry',
    summary: 'Send the delivery to the game again now.',
    params: grantParams,
    response: { status: 202, description: 'The delivery is scheduled.', schema: Grant },
    errors: ['delivery_not_found', 'delivery_not_retryable'],
  }),
  releaseGrant: dashboardEndpoint({
    name: 'release_grant',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/grants/{delivery_id}/release',
    summary: 'Stop asking the game, and void or refund the payment.',
    params: grantParams,
    body: named(
      'ReleaseGrant',
      { reason: oneLine(LIMITS.reasonChars, 'Why, in a sentence.', 1) },
      'Reason for the release.',
    ),
    response: { status: 200, description: 'The order as it is now.', schema: OrderDetail },
    errors: ['delivery_not_found', 'order_wrong_status', 'confirmation_required'],
  }),
};
