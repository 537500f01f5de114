import { DELIVERY_STATUSES, Delivery, DeliverySummary } from '../deliveries.ts';
import { EVENT_KINDS } from '../events.ts';
import { named, nullable, oneOf, opaqueId, time } from '../shape.ts';
import { type Static, Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { boundedPage, listing, someOf } from './listing.ts';

const params = Type.Object({ delivery_id: opaqueId('dlv', 'Identifier of the delivery.') });

const webhookId = () => Type.Optional(opaqueId('whk', 'Only those of this webhook.'));

export const DeliveryDetail = named(
  'DeliveryDetail',
  {
    ...Delivery.properties,
    webhook_url: nullable(Type.String({ description: 'Current URL of the webhook; null when it was deleted.' })),
    body: nullable(Type.String({ description: 'The body, as sent in every attempt.' })),
    actions: Type.Array(oneOf(['retry'], 'An available action.'), {
      description: 'Actions available to the signed-in member now.',
    }),
  },
  'A delivery with every attempt.',
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;

export const DeliveryFigure = named(
  'DeliveryFigure',
  {
    at: time('Start of the time span.'),
    attempts: Type.Integer({ description: 'Number of attempts.' }),
    succeeded: Type.Integer({ description: 'Attempts answered with 2xx.' }),
    p50_ms: nullable(Type.Integer({ description: 'Median duration, approximately; null without attempts.' })),
    p95_ms: nullable(Type.Integer({ description: '95th percentile of the duration, approximately.' })),
  },
  'Delivery figures of one time span.',
);
export type DeliveryFigure = Static<typeof DeliveryFigure>;

/** 24 hours in steps of 15 minutes, 7 days in hours, 30 days in days. */
export const DELIVERY_SPANS = ['24h', '7d', '30d'] as const;
export type DeliverySpan = (typeof DELIVERY_SPANS)[number];

export const deliveryEndpoints = {
  listDashboardDeliveries: dashboardEndpoint({
    name: 'list_deliveries',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/deliveries',
    summary: 'The delivery log, newest first.',
    query: Type.Object({
      ...listing,
      webhook_id: webhookId(),
      event_type: someOf(EVENT_KINDS, 'Only these kinds of events.'),
      status: someOf(DELIVERY_STATUSES, 'Only those with this status.'),
      order_id: Type.Optional(opaqueId('ord', 'Only those about this order.')),
    }),
    response: { status: 200, description: 'One page.', schema: boundedPage('DashboardDeliveryPage', DeliverySummary) },
    errors: [],
  }),
  listDeliveryFigures: dashboardEndpoint({
    name: 'list_delivery_figures',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/deliveries/figures',
    summary: 'Success rate and latency over time. Spans without attempts are listed too.',
    query: Type.Object({
      span: Type.Optional(oneOf(DELIVERY_SPANS, 'How far back to look.')),
      webhook_id: webhookId(),
    }),
    response: {
      status: 200,
      description: 'The figures.',
      schema: named(
        'DeliveryFigures',
        {
          step_seconds: Type.Integer({ description: 'Length of one span.' }),
          data: Type.Array(DeliveryFigure, { description: 'Oldest first.' }),
        },
        'Delivery figures over time.',
      ),
    },
    errors: [],
  }),
  getDashboardDelivery: dashboardEndpoint({
    name: 'get_delivery',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/deliveries/{delivery_id}',
    summary: 'One delivery with its attempts, requests and responses.',
    params,
    response: { status: 200, description: 'The delivery.', schema: DeliveryDetail },
    errors: ['delivery_not_found'],
  }),
  retryDashboardDelivery: dashboardEndpoint({
    name: 'retry_delivery',
    scope: 'environment',
    role: 'support',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/deliveries/{delivery_id}/retry',
    summary: 'Send the delivery again now, with the same body and idempotency key.',
    params,
    response: { status: 202, description: 'The delivery is scheduled.', schema: DeliveryDetail },
    errors: ['delivery_not_found', 'delivery_not_retryable'],
  }),
};
