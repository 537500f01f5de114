import type { Page } from './api-shapes.ts';
import { bodyOf, listCall, optionsOf, type Request } from './caller.ts';
import { checkId, InputCheck, show } from './input-check.ts';
import type { Listing } from './listing.ts';
import type { CallOptions } from './send-request.ts';
import type {
  AdvanceOrder,
  Chaos,
  ChaosSet,
  EventRecord,
  ListEventsQuery,
  ListRequestsQuery,
  PayOrder,
  RequestRecord,
  SandboxPayment,
  SetChaos,
  TriggerEvent,
  TriggeredEvent,
} from './webhook-shapes.ts';
import { EVENT_SELECTORS } from './word-shapes.ts';

/** Calls that need a sandbox key, for your game's tests. */
export interface Sandbox {
  /** Pays an order with a test card, as the player would on the page. Returns when the game has responded, or after 12 s. */
  pay(orderId: string, input?: PayOrder, options?: CallOptions): Promise<SandboxPayment>;
  /** Ages an order by that much: expiry, retries, giving up and disputes become due at once. */
  advance(orderId: string, input: AdvanceOrder, options?: CallOptions): Promise<SandboxPayment>;
  /** Sends a sample event with its real schema. No order or payment is affected. */
  trigger(input: TriggerEvent, options?: CallOptions): Promise<TriggeredEvent>;
  /** Whether chaos mode is on in this sandbox. */
  chaos(options?: CallOptions): Promise<Chaos>;
  /**
   * Turns chaos mode on or off: late, duplicate, reordered and lost deliveries, and a provider that sometimes does not
   * answer.
   */
  setChaos(input: SetChaos, options?: CallOptions): Promise<ChaosSet>;
  /** The same as `events.list`. */
  events(filter?: Omit<ListEventsQuery, 'after'>, options?: CallOptions): Listing<EventRecord>;
}

/** Longer than the service waits for the game. */
const PAY_MS = 30_000;
const EVENTS = '/s2s/v1/events';
const CHAOS = '/s2s/v1/sandbox/chaos';
const LONGEST_JUMP_SECONDS = 2_592_000;
const KINDS = EVENT_SELECTORS.filter(kind => !kind.includes('*'));

export interface Events {
  /** Events, newest first, whether or not a webhook receives them. */
  list(filter?: Omit<ListEventsQuery, 'after'>, options?: CallOptions): Listing<EventRecord>;
  /**
   * One page of every event, oldest first and without a gap, for a data warehouse. Begins at `start`, or at `now`, and goes on with
   * `next_cursor`, or with the `cursor` of the last event that you have stored.
   */
  after(cursor?: string, filter?: { limit?: number }, options?: CallOptions): Promise<EventFeedPage>;
}

export interface EventFeedPage extends Page<EventRecord> {
  /** Send it next, now or later, also when the page is empty. */ next_cursor: string;
  /** True when there is more to read at once. */ has_more: boolean;
}

export const createEvents = (request: Request): Events => ({
  after: async (cursor = 'start', filter = {}, options = {}) =>
    bodyOf(
      request<EventFeedPage>({
        method: 'GET',
        path: EVENTS,
        query: { ...filter, after: cursor },
        ...optionsOf(options),
      }),
    ),
  list: (filter = {}, options = {}) =>
    listCall<EventRecord>(request, {
      name: 'events.list',
      path: EVENTS,
      filter,
      options,
      words: { event_type: KINDS },
      known: ['limit', 'cursor', 'event_type', 'order_id', 'created_from', 'created_to'],
    }),
});

export interface Requests {
  /** Requests made with this key, newest first, with their errors. Kept for a day. */
  list(filter?: ListRequestsQuery, options?: CallOptions): Listing<RequestRecord>;
}

export const createRequests = (request: Request): Requests => ({
  list: (filter = {}, options = {}) =>
    listCall<RequestRecord>(request, {
      name: 'requests.list',
      path: '/s2s/v1/requests',
      filter,
      options,
      words: { outcome: ['error'] },
      known: ['limit', 'cursor', 'outcome'],
    }),
});

export const createSandbox = (request: Request): Sandbox => ({
  async pay(orderId, input = { card: 'success' }, options = {}) {
    const path = `/s2s/v1/orders/${checkId('sandbox.pay', 'orderId', orderId, 'ord')}/pay`;
    const check = new InputCheck('sandbox.pay');
    if (
      check.object(input, '', `{ card: 'success' }`) &&
      (input.card === undefined) === (input.challenge === undefined)
    )
      check.refuse('', 'one_of', `needs either { card: 'success' } or { challenge: 'complete' }`);
    check.done();
    const call = { method: 'POST', path, body: input, timeoutMs: PAY_MS } as const;
    return bodyOf(request<SandboxPayment>({ ...call, ...optionsOf(options) }));
  },
  async advance(orderId, input, options = {}) {
    const path = `/s2s/v1/sandbox/orders/${checkId('sandbox.advance', 'orderId', orderId, 'ord')}/advance`;
    const check = new InputCheck('sandbox.advance');
    if (check.object(input, '', '{ seconds: 259_200 }'))
      check.wholeNumber(input.seconds, '/seconds', 1, LONGEST_JUMP_SECONDS);
    check.done();
    const call = { method: 'POST', path, body: input, timeoutMs: PAY_MS } as const;
    return bodyOf(request<SandboxPayment>({ ...call, ...optionsOf(options) }));
  },
  async trigger(input, options = {}) {
    const check = new InputCheck('sandbox.trigger');
    if (check.object(input, '', `{ event_type: 'item.add' }`)) {
      check.fieldNames(input, '', ['event_type', 'overrides']);
      if (!('eventType' in input)) check.oneOf(input.event_type, '/event_type', KINDS);
    }
    check.done();
    return bodyOf(
      request<TriggeredEvent>({ method: 'POST', path: `${EVENTS}/trigger`, body: input, ...optionsOf(options) }),
    );
  },
  chaos: async (options = {}) => bodyOf(request<Chaos>({ method: 'GET', path: CHAOS, ...optionsOf(options) })),
  async setChaos(input, options = {}) {
    const check = new InputCheck('sandbox.setChaos');
    if (check.object(input, '', '{ enabled: true }') && typeof input.enabled !== 'boolean')
      check.refuse('/enabled', 'type', `must be true or false; got ${show(input.enabled)}`);
    check.done();
    return bodyOf(request<ChaosSet>({ method: 'PUT', path: CHAOS, body: input, ...optionsOf(options) }));
  },
  events: createEvents(request).list,
});
