import { Delivery } from '../deliveries.ts';
import { ORDER_STATUSES, Order } from '../orders.ts';
import { Payment } from '../payments.ts';
import { LIMITS, named, nullable, oneLine, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { boundedPage, exactly, listing, search, someOf } from './listing.ts';
import { TimelineEntry } from './transactions.ts';

const params = Type.Object({ order_id: opaqueId('ord', 'Identifier of the order.') });

export const ORDER_ACTIONS = ['cancel', 'refund', 'retry_grant', 'release_grant'] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

export const OrderDetail = named(
  'OrderDetail',
  {
    order: Order,
    payments: Type.Array(Payment, { description: 'Every attempt to pay it, newest first.' }),
    deliveries: Type.Array(Delivery, { description: 'What the game was asked and told about the items.' }),
    timeline: Type.Array(TimelineEntry, { description: 'Oldest first.' }),
    actions: Type.Array(oneOf(ORDER_ACTIONS, 'What may be done.'), {
      description: 'What the signed-in member may do now.',
    }),
    raw: Type.Array(Type.Object({ name: Type.String(), json: Type.String() }), {
      description: 'Order, payments and events as JSON text.',
    }),
  },
  'Everything about one order.',
);
export type OrderDetail = Static<typeof OrderDetail>;

/** Why the game has not answered yet, from the least to the most that is wrong. */
export const GRANT_STATES = [
  /** It is being sent, or will be very soon. */
  'waiting',
  /** It waits for an earlier event of its order. */
  'blocked',
  /** It was sent and not accepted; it is sent again. */
  'failing',
  /** No enabled webhook takes the event. */
  'nobody_to_ask',
] as const;
export type GrantState = (typeof GRANT_STATES)[number];

export const Grant = named(
  'Grant',
  {
    delivery_id: opaqueId('dlv', 'The delivery that is open.'),
    kind: oneOf(['item.add', 'item.remove'], 'Whether the items wait to be granted or to be taken back.'),
    state: oneOf(GRANT_STATES, 'Why it is open.'),
    order_id: opaqueId('ord', 'The order.'),
    order_status: oneOf(ORDER_STATUSES, 'Where the order stands.'),
    payment_id: nullable(opaqueId('pay', 'Its payment.')),
    player_id: Type.String({ description: 'The player who waits.' }),
    amount: Type.Integer({ description: 'In minor units.' }),
    currency: Type.String(),
    items: Type.Array(Type.Object({ sku: Type.String(), name: nullable(Type.String()), quantity: Type.Integer() })),
    since: time('Waiting since.'),
    attempts_made: Type.Integer({ description: 'How often it was sent.' }),
    last_status: nullable(Type.Integer({ description: 'HTTP status of the last answer.' })),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    next_attempt_at: nullable(time('When it is sent next.')),
    gives_up_at: nullable(time('When it is given up and the money released, if nobody takes it.')),
    actions: Type.Array(oneOf(['retry', 'release'], 'What may be done.'), {
      description: 'What the signed-in member may do now.',
    }),
  },
  'Paid for, and not granted yet; or returned, and not taken back yet.',
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
      q: search('Finds by the beginning of an order id or player id, or by a whole e-mail address.'),
      status: someOf(ORDER_STATUSES, 'Only orders with this status.'),
      player_id: exactly('Only orders of this player.'),
    }),
    response: { status: 200, description: 'One page.', schema: boundedPage('DashboardOrderPage', Order) },
    errors: [],
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
    summary: 'Make an order to try things out, as the game would. Only in sandbox.',
    response: { status: 201, description: 'The order.', schema: OrderDetail },
    errors: ['sandbox_only'],
  }),
  cancelDashboardOrder: dashboardEndpoint({
    name: 'cancel_order',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/orders/{order_id}/cancel',
    summary: 'Cancel an order that waits for its player. Canceling it again changes nothing.',
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
    summary: 'Paid for and not granted, or returned and not taken back: the longest waiting first.',
    query: Type.Object({ limit: listing.limit, cursor: listing.cursor }),
    response: {
      status: 200,
      description: 'One page.',
      schema: named(
        'GrantPage',
        {
          data: Type.Array(Grant, { description: 'The longest waiting first.' }),
          next_cursor: nullable(Type.String({ description: 'Give it as `cursor` to read on; null at the end.' })),
          waiting: Type.Integer({ description: 'How many there are; at most 1,000 are counted.' }),
        },
        'One page of what waits.',
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
    summary: 'Ask the game once more now.',
    params: grantParams,
    response: { status: 202, description: 'It will be sent.', schema: Grant },
    errors: ['delivery_not_found', 'delivery_not_retryable'],
  }),
  releaseGrant: dashboardEndpoint({
    name: 'release_grant',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/grants/{delivery_id}/release',
    summary: 'Ask the game no longer and give the money back.',
    params: grantParams,
    body: named('ReleaseGrant', { reason: oneLine(LIMITS.reasonChars, 'Why, in a sentence.', 1) }, 'Why to release.'),
    response: { status: 200, description: 'The order as it is now.', schema: OrderDetail },
    errors: ['delivery_not_found', 'order_wrong_status'],
  }),
};
