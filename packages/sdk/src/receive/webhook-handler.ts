import { checkNames, invalidArgument } from '../coinslot-error.ts';
import type { WebhookEvent } from '../event-shapes.ts';
import { isRecord } from '../input-check.ts';
import { EVENT_SELECTORS } from '../word-shapes.ts';
import { chunksOf, readBody } from './read-body.ts';
import { answer, createRunOnce, type EventHandler, type EventHandlers, type WebhookAnswer } from './run-once.ts';
import { secretsOf } from './secret-check.ts';
import { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts';
import type { WebhookStore } from './webhook-store.ts';

export type Secrets = string | readonly string[];

export interface WebhookHandlerOptions {
  /** The signing secret, a list while you change it, or a function that looks it up for each request. */
  secret: Secrets | (() => Secrets | Promise<Secrets>);
  /** A player has bought items: credit every item to `event_data.player_id`. */
  onItemAdd: EventHandler<'item.add'>;
  /** A payment was refunded or reversed: revoke every item. Not called for a purchase that never reached the game. */
  onItemRemove: EventHandler<'item.remove'>;
  /** Handlers for informational kinds. A kind without one gets a 400. */
  on?: EventHandlers;
  /** Where handled webhooks are remembered: `memoryStore()` or `sqlStore({ query })`. */
  store: WebhookStore;
  toleranceSeconds?: number;
  /** Maximum body size in bytes; defaults to 1 MiB. */
  maxBodyBytes?: number;
  /** Called with every error of a handler or the store; defaults to `console.error`. */
  onError?: (error: unknown, event: WebhookEvent) => void;
}

/** A request from any server or framework. */
export interface IncomingWebhook {
  method: string;
  headers: WebhookHeaders;
  /** The raw body, up to a limit; undefined when it is longer. */
  readBody(maxBytes: number): Promise<Uint8Array | undefined>;
}

export interface WebhookHandler {
  (request: Request): Promise<Response>;
  /** The same without `Request` and `Response`, for adapters. */
  receive(incoming: IncomingWebhook): Promise<WebhookAnswer>;
}

const OPTIONS = ['secret', 'onItemAdd', 'onItemRemove', 'on', 'store', 'toleranceSeconds', 'maxBodyBytes', 'onError'];
const KINDS: readonly string[] = EVENT_SELECTORS.filter(kind => !kind.includes('*'));
const MAX_BODY_BYTES = 1024 * 1024;

function checkOptions(options: unknown): void {
  const say = (text: string): never => {
    throw invalidArgument('createWebhookHandler', text);
  };
  if (!isRecord(options)) {
    say('needs { secret, onItemAdd, onItemRemove, store }');
    return;
  }
  const { secret, onItemAdd, onItemRemove, on = {}, store } = options;
  checkNames('createWebhookHandler', options, OPTIONS);
  if (typeof secret !== 'function') secretsOf('createWebhookHandler', secret);
  if (typeof onItemAdd !== 'function') say('onItemAdd must be a function (event) => … that grants the items');
  if (typeof onItemRemove !== 'function') say('onItemRemove must be a function (event) => … that revokes the items');
  if (!isRecord(on) || Object.values(on).some(one => typeof one !== 'function'))
    say(`on must map event kinds to functions, such as { 'order.paid': event => … }`);
  const unknownKind = isRecord(on) ? Object.keys(on).find(kind => !KINDS.includes(kind)) : undefined;
  if (unknownKind) say(`on has the event "${unknownKind}", which does not exist; there is ${KINDS.join(', ')}`);
  if (!isRecord(store) || ['begin', 'find', 'finish', 'fail'].some(name => typeof store[name] !== 'function'))
    say('store must be memoryStore() (one process) or sqlStore({ query }) (a database)');
}

function attemptOf(headers: WebhookHeaders): number {
  const name = 'x-service-delivery-attempt';
  const value = typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  return Number(value) || 1;
}

/** Creates a `(Request) => Promise<Response>` that verifies webhooks and handles each of them once. */
export function createWebhookHandler(options: WebhookHandlerOptions): WebhookHandler {
  checkOptions(options);
  const { store, toleranceSeconds, maxBodyBytes = MAX_BODY_BYTES } = options;
  const handlers: EventHandlers = {
    'webhook.test': () => {},
    ...options.on,
    'item.add': options.onItemAdd,
    'item.remove': options.onItemRemove,
  };
  const report = options.onError ?? (error => console.error('Coinslot webhook:', error));
  const runOnce = createRunOnce({ store, handlers, report });

  async function receive({ method, headers, readBody: read }: IncomingWebhook): Promise<WebhookAnswer> {
    if (method !== 'POST') return answer(405, { error: 'method_not_allowed' }, { allow: 'POST' });
    const rawBody = await read(maxBodyBytes);
    if (!rawBody) return answer(413, { error: 'body_too_large' });
    const secret = typeof options.secret === 'function' ? await options.secret() : options.secret;
    const tolerance = toleranceSeconds === undefined ? {} : { toleranceSeconds };
    const verified = await verifyWebhook({ rawBody, headers, secret, ...tolerance });
    if (!verified.ok) return answer(verified.reason === 'invalid_body' ? 400 : 403, { error: verified.reason });
    if (!Object.hasOwn(handlers, verified.event.event_type)) return answer(400, { error: 'unknown_event_type' });
    return runOnce(verified.event, attemptOf(headers));
  }

  const handler = async (request: Request): Promise<Response> => {
    const { status, headers, body } = await receive({
      method: request.method,
      headers: request.headers,
      readBody: maxBytes => readBody(chunksOf(request.body), maxBytes),
    });
    return new Response(body, { status, headers });
  };
  return Object.assign(handler, { receive });
}
