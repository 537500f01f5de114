import { bodyOf, listCall, optionsOf, type Request } from './caller.ts';
import { checkId, InputCheck } from './input-check.ts';
import type { Listing } from './listing.ts';
import type { CallOptions } from './send-request.ts';
import type {
  CreateWebhook,
  Delivery,
  DeliverySummary,
  ListAllDeliveriesQuery,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  PatchWebhook,
  Replay,
  ReplayWebhook,
  Webhook,
  WebhookSaved,
} from './webhook-shapes.ts';
import { DELIVERY_STATUSES, EVENT_SELECTORS } from './word-shapes.ts';

export interface Webhooks {
  /** Registers an endpoint. The response has its `secret`; later reads show only the last characters. */
  create(input: CreateWebhook, options?: CallOptions): Promise<WebhookSaved>;
  get(webhookId: string, options?: CallOptions): Promise<Webhook>;
  list(filter?: ListWebhooksQuery, options?: CallOptions): Listing<Webhook>;
  /** Changes the given fields; the others stay as they are. */
  update(webhookId: string, input: PatchWebhook, options?: CallOptions): Promise<WebhookSaved>;
  delete(webhookId: string, options?: CallOptions): Promise<void>;
  /** Creates a new secret. For 24 hours (a setting of the service) the previous one signs too. */
  rotateSecret(webhookId: string, options?: CallOptions): Promise<Webhook>;
  /** Sends a `webhook.test` event to the endpoint. */
  test(webhookId: string, options?: CallOptions): Promise<DeliverySummary>;
  /** Sends the events of a time span again, with their original bodies and idempotency keys. */
  replay(webhookId: string, input: ReplayWebhook, options?: CallOptions): Promise<Replay>;
}

export interface Deliveries {
  /** Deliveries of a subscription with every attempt, newest first. */
  list(webhookId: string, filter?: ListDeliveriesQuery, options?: CallOptions): Listing<Delivery>;
  /** Deliveries of every subscription and listener, newest first. */
  listAll(filter?: ListAllDeliveriesQuery, options?: CallOptions): Listing<Delivery>;
  get(deliveryId: string, options?: CallOptions): Promise<Delivery>;
  /** Sends it again now. */
  retry(deliveryId: string, options?: CallOptions): Promise<DeliverySummary>;
}

const PATH = '/s2s/v1/webhooks';
const EXAMPLE = `{ events: ['item.add', 'item.remove'], url: 'https://game.example.com/webhooks' }`;
const FIELDS = [
  'events',
  'url',
  'description',
  'method',
  'enabled',
  'enabled_logs',
  'player_context_enabled',
  'secret',
];

function checkSubscription(call: string, input: unknown, isNew: boolean): void {
  const check = new InputCheck(call);
  if (check.object(input, '', EXAMPLE)) {
    const { events, url } = input;
    check.fieldNames(input, '', FIELDS);
    if (isNew || url !== undefined) check.webUrl(url, '/url', 'https://game.example.com/webhooks');
    if (isNew || events !== undefined) {
      if (!Array.isArray(events) || events.length === 0)
        check.refuse('/events', 'type', `must be a list such as ['item.add', 'item.remove']`);
      else for (const [i, event] of events.entries()) check.oneOf(event, `/events/${i}`, EVENT_SELECTORS);
    }
  }
  check.done();
}

function checkReplay(input: unknown): void {
  const check = new InputCheck('webhooks.replay');
  if (check.object(input, '', '{ since: 1767225600 }')) {
    check.fieldNames(input, '', ['since', 'until', 'only_failed']);
    for (const field of ['since', 'until'])
      if (field === 'since' || input[field] !== undefined)
        check.wholeNumber(input[field], `/${field}`, 0, 99_999_999_999);
  }
  check.done();
}

export function createWebhooks(request: Request): Webhooks {
  const pathOf = (call: string, id: unknown): string =>
    `${PATH}/${checkId(`webhooks.${call}`, 'webhookId', id, 'whk')}`;
  const post = <T>(path: string, options: CallOptions, body?: unknown): Promise<T> =>
    bodyOf(request<T>({ method: 'POST', path, ...(body !== undefined && { body }), ...optionsOf(options) }));
  return {
    async create(input, options = {}) {
      checkSubscription('webhooks.create', input, true);
      return post<WebhookSaved>(PATH, options, input);
    },
    get: async (webhookId, options = {}) =>
      bodyOf(request<Webhook>({ method: 'GET', path: pathOf('get', webhookId), ...optionsOf(options) })),
    list: (filter = {}, options = {}) =>
      listCall<Webhook>(request, { name: 'webhooks.list', path: PATH, filter, options, known: ['limit', 'cursor'] }),
    async update(webhookId, input, options = {}) {
      const path = pathOf('update', webhookId);
      checkSubscription('webhooks.update', input, false);
      return bodyOf(
        request<WebhookSaved>({ method: 'PATCH', path, body: input, repeatable: true, ...optionsOf(options) }),
      );
    },
    async delete(webhookId, options = {}) {
      await request({ method: 'DELETE', path: pathOf('delete', webhookId), ...optionsOf(options) });
    },
    // Not retried when the response is lost: a second rotation would discard the first secret.
    rotateSecret: async (webhookId, options = {}) =>
      post<Webhook>(`${pathOf('rotateSecret', webhookId)}/rotate_secret`, options),
    test: async (webhookId, options = {}) => post<DeliverySummary>(`${pathOf('test', webhookId)}/test`, options),
    async replay(webhookId, input, options = {}) {
      const path = `${pathOf('replay', webhookId)}/replay`;
      checkReplay(input);
      return post<Replay>(path, options, input);
    },
  };
}

export const createDeliveries = (request: Request): Deliveries => ({
  list: (webhookId, filter = {}, options = {}) =>
    listCall<Delivery>(request, {
      name: 'deliveries.list',
      path: `${PATH}/${checkId('deliveries.list', 'webhookId', webhookId, 'whk')}/deliveries`,
      filter,
      options,
      words: { status: DELIVERY_STATUSES },
      known: ['limit', 'cursor', 'status', 'event_type'],
    }),
  listAll: (filter = {}, options = {}) =>
    listCall<Delivery>(request, {
      name: 'deliveries.listAll',
      path: '/s2s/v1/deliveries',
      filter,
      options,
      words: { status: DELIVERY_STATUSES },
      known: ['limit', 'cursor', 'webhook_id', 'order_id', 'status', 'event_type'],
    }),
  get: async (deliveryId, options = {}) => {
    const path = `/s2s/v1/deliveries/${checkId('deliveries.get', 'deliveryId', deliveryId, 'dlv')}`;
    return bodyOf(request<Delivery>({ method: 'GET', path, ...optionsOf(options) }));
  },
  retry: async (deliveryId, options = {}) => {
    const path = `/s2s/v1/deliveries/${checkId('deliveries.retry', 'deliveryId', deliveryId, 'dlv')}/retry`;
    return bodyOf(request<DeliverySummary>({ method: 'POST', path, ...optionsOf(options) }));
  },
});
