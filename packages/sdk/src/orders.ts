import type { CreatedOrder, CreateOrder, ListOrdersQuery, Order, OrderRefunded, RefundOrder } from './api-shapes.ts';
import { bodyOf, listCall, optionsOf, type Request } from './caller.ts';
import { CoinslotError } from './coinslot-error.ts';
import { checkId, InputCheck } from './input-check.ts';
import type { Listing } from './listing.ts';
import { checkOrderInput } from './order-input.ts';
import { webCrypto } from './receive/web-crypto.ts';
import type { CallOptions } from './send-request.ts';
import { FINAL_ORDER_STATUSES, ORDER_STATUSES, type OrderStatus } from './word-shapes.ts';

export interface CreateOrderOptions extends CallOptions {
  /**
   * The same key and body get the same order for 24 hours. By default the SDK creates a key per call, so that its own
   * retries never create a second order. Pass your own (a purchase id) to be safe even when your process dies.
   */
  idempotencyKey?: string;
}

export interface WaitForOptions extends CallOptions {
  /** How long to wait in total, in milliseconds; defaults to 10 minutes. `timeoutMs` limits a single request. */
  waitMs?: number;
}

export interface Orders {
  /** Creates an order. Send the player to its `checkout_url`, exactly as it is. */
  create(input: CreateOrder, options?: CreateOrderOptions): Promise<CreatedOrder>;
  get(orderId: string, options?: CallOptions): Promise<Order>;
  /** Orders, newest first. Pages are fetched while you read. */
  list(filter?: ListOrdersQuery, options?: CallOptions): Listing<Order>;
  /** Cancels an unpaid order. Canceling again has no effect. */
  cancel(orderId: string, options?: CallOptions): Promise<Order>;
  /** Refunds the full amount; the game gets `item.remove`. Refunding again has no effect. */
  refund(orderId: string, input?: RefundOrder, options?: CallOptions): Promise<OrderRefunded>;
  /** Resolves when the order has one of the given statuses. Throws `wait_ended` if it can no longer reach them. */
  waitFor(orderId: string, status: OrderStatus | readonly OrderStatus[], options?: WaitForOptions): Promise<Order>;
}

const PATH = '/s2s/v1/orders';
const FILTERS = ['limit', 'cursor', 'status', 'player_id', 'attention', 'created_from', 'created_to'];
const LONGEST_KEY = 255;
const WAIT_MS = 600_000;
/** Kept short, because a change between two calls is only seen by the next one. */
const WAIT_SECONDS = 5;

async function idempotencyKeyOf({ idempotencyKey }: CreateOrderOptions): Promise<string> {
  if (idempotencyKey === undefined) return (await webCrypto()).randomUUID();
  const check = new InputCheck('orders.create');
  const isText = check.text(idempotencyKey, '/idempotencyKey', 'purchase-1001', LONGEST_KEY);
  // Header values are only safe in ASCII.
  if (isText && !/^[\x20-\x7e]+$/.test(idempotencyKey))
    check.refuse('/idempotencyKey', 'pattern', 'can only have ASCII characters, because it is sent as a header');
  check.done();
  return idempotencyKey;
}

function wantedOf(status: OrderStatus | readonly OrderStatus[]): ReadonlySet<OrderStatus> {
  const wanted = typeof status === 'string' ? [status] : status;
  const check = new InputCheck('orders.waitFor');
  if (!Array.isArray(wanted) || wanted.length === 0)
    check.refuse('/status', 'type', `must be a status such as 'paid', or a list of them`);
  else for (const one of wanted) check.oneOf(one, '/status', ORDER_STATUSES);
  check.done();
  return new Set(wanted);
}

function waitFailure(order: Order, wanted: ReadonlySet<OrderStatus>, isFinal: boolean): CoinslotError {
  const what = [...wanted].join(' or ');
  const why = order.problem ? ` ${order.problem}` : '';
  return isFinal
    ? new CoinslotError({
        code: 'wait_ended',
        message: `${order.order_id} is ${order.status} and can no longer be ${what}.${why}`,
      })
    : new CoinslotError({ code: 'timeout', message: `${order.order_id} is still ${order.status}, not ${what}.` });
}

export function createOrders(request: Request): Orders {
  const pathOf = (call: string, id: unknown): string => `${PATH}/${checkId(call, 'orderId', id, 'ord')}`;

  const read = (path: string, waitSeconds: number, options: CallOptions): Promise<Order> =>
    bodyOf(
      request<Order>({
        method: 'GET',
        path,
        ...(waitSeconds > 0 && { query: { wait: waitSeconds } }),
        ...optionsOf(options),
      }),
    );

  return {
    async create(input, options = {}) {
      checkOrderInput(input);
      const headers = { 'idempotency-key': await idempotencyKeyOf(options) };
      const call = { method: 'POST', path: PATH, body: input, headers, repeatable: true } as const;
      return bodyOf(request<CreatedOrder>({ ...call, ...optionsOf(options) }));
    },
    get: async (orderId, options = {}) => read(pathOf('orders.get', orderId), 0, options),
    list: (filter = {}, options = {}) =>
      listCall<Order>(request, {
        name: 'orders.list',
        path: PATH,
        filter,
        options,
        words: { status: ORDER_STATUSES },
        known: FILTERS,
      }),
    async cancel(orderId, options = {}) {
      const path = `${pathOf('orders.cancel', orderId)}/cancel`;
      return bodyOf(request<Order>({ method: 'POST', path, repeatable: true, ...optionsOf(options) }));
    },
    async refund(orderId, input = {}, options = {}) {
      const path = `${pathOf('orders.refund', orderId)}/refund`;
      const check = new InputCheck('orders.refund');
      if (check.object(input, '', `{ reason: 'Bought by mistake' }`)) {
        if (input.reason !== undefined) check.text(input.reason, '/reason', 'Bought by mistake', 500);
        for (const field of ['amount', 'price_decimal', 'items'])
          if (field in input)
            check.refuse(`/${field}`, 'unknown_field', 'is not supported: a refund is always for the full amount');
      }
      check.done();
      return bodyOf(
        request<OrderRefunded>({ method: 'POST', path, body: input, repeatable: true, ...optionsOf(options) }),
      );
    },
    async waitFor(orderId, status, options = {}) {
      const path = pathOf('orders.waitFor', orderId);
      const wanted = wantedOf(status);
      const deadline = Date.now() + (options.waitMs ?? WAIT_MS);
      for (let wait = 0; ; wait = Math.max(1, Math.min(WAIT_SECONDS, Math.ceil((deadline - Date.now()) / 1000)))) {
        const order = await read(path, wait, options);
        if (wanted.has(order.status)) return order;
        const isFinal = FINAL_ORDER_STATUSES.includes(order.status);
        if (isFinal || Date.now() >= deadline) throw waitFailure(order, wanted, isFinal);
      }
    },
  };
}
