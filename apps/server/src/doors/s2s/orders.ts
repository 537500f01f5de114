import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { orderKey } from '../../domain/fulfillment/fulfillment-deps.ts';
import { requestRefund } from '../../domain/fulfillment/request-refund.ts';
import type { Environment } from '../../domain/game/environment.ts';
import { cancelOrder } from '../../domain/order/cancel-order.ts';
import { findOrder, listOrders, type OrderAt } from '../../domain/order/order.sql.ts';
import { isFinal, statusAt } from '../../domain/order/order.ts';
import { mount } from '../../http/mount.ts';
import { fromUnix, pageOf } from '../../http/paging.ts';
import { AppError } from '../../kit/app-error.ts';
import { sha256 } from '../../kit/seal.ts';
import { createdOrderView, orderView } from './order-view.ts';
import type { S2sDeps, S2sDoor } from './s2s-deps.ts';

async function readOrder({ db }: S2sDeps, environment: Environment, id: string): Promise<OrderAt> {
  const found = await findOrder(db, environment.id, id);
  if (!found) throw new AppError('order_not_found');
  return found;
}

/** What a caller is shown: an order whose time is over has lapsed, whether or not anybody wrote it down. */
const shownStatus = ({ order, now }: OrderAt): contract.OrderStatus => statusAt(order, now);

/** Answers when the status changes or the time is up, and at once when nothing can change it any more. */
async function waitForChange(deps: S2sDeps, environment: Environment, id: string, seconds: number): Promise<OrderAt> {
  const deadline = deps.clock.nowMs() + seconds * 1000;
  const first = await readOrder(deps, environment, id);
  if (isFinal(shownStatus(first))) return first;
  for (let current = first; ; current = await readOrder(deps, environment, id)) {
    const leftMs = deadline - deps.clock.nowMs();
    if (shownStatus(current) !== shownStatus(first) || leftMs <= 0 || deps.signals.isEnding()) return current;
    // The signal may be lost with the process that sent it; the second look cannot.
    await deps.signals.wait(orderKey(id), Math.min(leftMs, 1_000));
  }
}

function mountReading(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  const { checkoutUrlOf } = deps;

  mount(
    app,
    contract.getOrder,
    async ({ params, query, context: { environment } }) => {
      const found = query.wait
        ? await waitForChange(deps, environment, params.order_id, query.wait)
        : await readOrder(deps, environment, params.order_id);
      const { amountMinor, currency, details, status } = found.order;
      const isOpen = status === 'created' && environment.mode === 'live';
      const blocked = isOpen && (await deps.whyNotPayable(environment, { amountMinor, currency, ...details }));
      return { ...orderView(environment, found, checkoutUrlOf), ...(blocked && { payment_blocked: blocked }) };
    },
    door,
  );

  mount(
    app,
    contract.listOrders,
    ({ query, context: { environment } }) =>
      pageOf(
        query,
        'ord',
        (beforeId, limit) =>
          listOrders(deps.db, environment.id, {
            status: query.status ?? null,
            playerId: query.player_id ?? null,
            needsAttention: query.attention === 'true',
            createdFrom: fromUnix(query.created_from),
            createdTo: fromUnix(query.created_to),
            beforeId,
            limit,
          }),
        found => found.order.id,
        rows => rows.map(found => orderView(environment, found, checkoutUrlOf)),
      ),
    door,
  );
}

export function mountOrders(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  const { checkoutUrlOf } = deps;
  mountReading(app, deps, door);

  mount(
    app,
    contract.createOrder,
    async ({ body, bodyText, headers, warnings, context, setHeader }) => {
      const key = headers['idempotency-key'];
      const order = await deps.createOrder({
        environment: context.environment,
        body,
        warnings,
        idempotency: key === undefined ? null : { key, bodyHash: sha256(bodyText) },
      });
      if (order.replayed) setHeader('idempotency-replayed', 'true');
      const { environment } = context;
      if (environment.mode === 'sandbox') return createdOrderView(environment, order, checkoutUrlOf);
      const { country = null, locale = null } = body;
      const blocked = await deps.whyNotPayable(environment, { ...order, country, locale });
      return createdOrderView(environment, order, checkoutUrlOf, blocked);
    },
    door,
  );

  mount(
    app,
    contract.cancelOrder,
    async ({ params, context: { environment } }) => {
      await cancelOrder(deps, environment.id, params.order_id);
      return orderView(environment, await readOrder(deps, environment, params.order_id), checkoutUrlOf);
    },
    door,
  );

  mount(
    app,
    contract.refundOrder,
    async ({ params, body, context: { environment } }) => {
      const { reason = null, amount, price_decimal: decimal } = body;
      const isPartial = amount !== undefined || decimal !== undefined;
      await requestRefund(deps.fulfillment, {
        environmentId: environment.id,
        orderId: params.order_id,
        reason,
        isPartial,
      });
      return orderView(environment, await readOrder(deps, environment, params.order_id), checkoutUrlOf);
    },
    door,
  );
}
