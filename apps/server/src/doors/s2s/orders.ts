import * as contract from '@coinslot/contract';
import { cancelOrder } from '../../domain/order/cancel-order.ts';
import { listOrders } from '../../domain/order/order.sql.ts';
import { createdOrderView, orderView } from '../../domain/order/order-view.ts';
import { readOrder, waitForOrder } from '../../domain/order/read-order.ts';
import { whyNotPayable } from '../../domain/payment/methods/why-not-payable.ts';
import { listPayments } from '../../domain/payment/payment.sql.ts';
import { paymentView, paymentViews, readPayment } from '../../domain/payment/payment-view.ts';
import { requestRefund } from '../../domain/purchase/refund/request-refund.ts';
import { takeOrder } from '../../http/limits/budgets.ts';
import { fromUnix, pageBy, pageOf } from '../../http/paging.ts';
import { sha256 } from '../../kit/seal.ts';
import type { S2sMount, S2sShop } from './s2s-shop.ts';

function mountReading(mount: S2sMount, shop: S2sShop): void {
  const { checkoutUrlOf } = shop;

  mount(contract.getOrder, async ({ params, query, context: { environment } }) => {
    const found = query.wait
      ? await waitForOrder(shop, environment.id, params.order_id, query.wait)
      : await readOrder(shop.db, environment.id, params.order_id);
    const { amountMinor, currency, details, status } = found.order;
    const blocked = await whyNotPayable(shop, environment, { status, amountMinor, currency, ...details });
    return { ...orderView(environment, found, checkoutUrlOf), ...(blocked && { payment_blocked: blocked }) };
  });

  mount(contract.listOrders, ({ query, context: { environment } }) =>
    pageBy(
      query,
      'ord',
      (beforeId, limit) =>
        listOrders(shop.db, environment.id, {
          status: query.status ?? null,
          playerId: query.player_id ?? null,
          needsAttention: query.attention === 'true',
          createdFrom: fromUnix(query.created_from),
          createdTo: fromUnix(query.created_to),
          beforeId,
          limit,
        }),
      rows => rows.map(found => orderView(environment, found, checkoutUrlOf)),
      found => found.order.id,
    ),
  );
}

export function mountOrders(mount: S2sMount, shop: S2sShop): void {
  const { checkoutUrlOf } = shop;
  mountReading(mount, shop);

  mount(contract.createOrder, async ({ body, bodyText, headers, warnings, context, setHeader }) => {
    const key = headers['idempotency-key'];
    const overBudget = takeOrder(shop.budgets, context.environment);
    if (overBudget) await overBudget;
    const order = await shop.createOrder({
      environment: context.environment,
      body,
      warnings,
      idempotency: key === undefined ? null : { key, bodyHash: sha256(bodyText) },
    });
    if (order.replayed) setHeader('idempotency-replayed', 'true');
    const { environment } = context;
    const { amountMinor, currency } = order;
    const { country = null, locale = null } = body;
    const asked = whyNotPayable(shop, environment, { status: 'created', amountMinor, currency, country, locale });
    return createdOrderView(environment, order, checkoutUrlOf, asked && (await asked));
  });

  mount(contract.cancelOrder, async ({ params, context: { environment } }) => {
    await cancelOrder(shop, null, environment, params.order_id);
    return orderView(environment, await readOrder(shop.db, environment.id, params.order_id), checkoutUrlOf);
  });

  mount(contract.refundOrder, async ({ params, body, warnings, context: { environment } }) => {
    const { reason = null, amount, price_decimal: decimal } = body;
    // A field that this version does not know may have meant a part of the money, so it is not ignored here.
    const isPartial = amount !== undefined || decimal !== undefined || warnings.length > 0;
    const orderId = params.order_id;
    await requestRefund(shop.purchasing, { environmentId: environment.id, orderId, reason, isPartial, by: null });
    return orderView(environment, await readOrder(shop.db, environment.id, orderId), checkoutUrlOf);
  });
}

export function mountPayments(mount: S2sMount, { db }: S2sShop): void {
  mount(contract.listPayments, ({ query, context: { environment } }) =>
    pageOf(
      query,
      'pay',
      (beforeId, limit) =>
        listPayments(db, environment.id, {
          orderId: query.order_id ?? null,
          playerId: query.player_id ?? null,
          needsAttention: query.attention === 'true',
          status: query.status ?? null,
          createdFrom: fromUnix(query.created_from),
          createdTo: fromUnix(query.created_to),
          beforeId,
          limit,
        }),
      rows => paymentViews(db, environment, rows),
    ),
  );

  mount(contract.getPayment, async ({ params, context: { environment } }) => {
    const payment = await readPayment(db, environment.id, params.payment_id);
    return paymentView(db, environment, payment);
  });
}
