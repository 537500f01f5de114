import { type CreateOrder, dashboardEndpoints as calls, type OrderAction, type OrderDetail } from '@coinslot/contract';
import { orderKey } from '../../../domain/fulfillment/fulfillment-deps.ts';
import { isSandbox } from '../../../domain/game/environment.ts';
import { cancelOrder } from '../../../domain/order/cancel-order.ts';
import { findOrder } from '../../../domain/order/order.sql.ts';
import { allowedCommands, isOver } from '../../../domain/order/order.ts';
import { orderFacts } from '../../../domain/order/order-facts.ts';
import { paymentView } from '../../../domain/payment/payment-view.ts';
import { listDashboardOrders } from '../../../domain/report/lists/list-orders.ts';
import { readTimeline } from '../../../domain/report/timeline/read-timeline.ts';
import { timelineOf } from '../../../domain/report/timeline/timeline.ts';
import { deliveryView } from '../../../domain/webhook/delivery-view.ts';
import { insertEvents } from '../../../domain/webhook/event.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import { writeEnvironmentAudit } from '../audited.ts';
import type { EnvironmentContext } from '../dashboard-context.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import type { DashboardMount } from '../define-route.ts';
import { beforeOf, boundsOf, limitOf, pageView, wordsOf } from '../list-query.ts';
import { orderView } from './shop-views.ts';
import { hasRole } from './transactions.ts';

const TEST_ORDER: CreateOrder = { player_id: 'test-player', items: [{ sku: 'test_sword', name: 'Test sword' }] };

/** Everything about an order, with what the caller may do to it. */
export async function orderDetail(deps: DashboardDeps, context: EnvironmentContext, id: string): Promise<OrderDetail> {
  const { environment, role } = context;
  const found = await findOrder(deps.db, environment.id, id);
  if (!found) throw new AppError('order_not_found');
  const { order: row, now } = found;
  const purchase = await readTimeline(deps.db, environment, row);
  const order = orderView(deps, environment)(found);
  const payments = purchase.payments.map(payment => paymentView(environment, payment));
  const commands = allowedCommands(row.status);
  const openGrant = purchase.deliveries.find(
    ({ kind, status }) => kind === 'item.add' && ['pending', 'held'].includes(status),
  );
  const actions: OrderAction[] = [];
  if (commands.includes('cancel') && !isOver(row, now)) actions.push('cancel');
  if (commands.includes('request_refund') && !openGrant) actions.push('refund');
  if (openGrant?.status === 'pending') actions.push('retry_grant');
  if (openGrant && commands.includes('request_refund')) actions.push('release_grant');
  return {
    order,
    payments,
    deliveries: purchase.deliveries.map(delivery => deliveryView(delivery, purchase.attempts)),
    timeline: timelineOf(purchase),
    actions: hasRole(role, 'support') ? actions : [],
    raw: [
      { name: 'order', json: JSON.stringify(order, null, 2) },
      ...payments.map(payment => ({ name: `payment ${payment.payment_id}`, json: JSON.stringify(payment, null, 2) })),
      ...purchase.events.map(({ id: eventId, kind, data }) => ({
        name: `${kind} ${eventId}`,
        json: JSON.stringify(data, null, 2),
      })),
    ],
  };
}

export function mountOrders(mount: DashboardMount, deps: DashboardDeps): void {
  const { db, signals } = deps;

  mount(calls.listDashboardOrders, async ({ environment }, { query }) => {
    const filter = {
      q: query.q?.trim() || null,
      statuses: wordsOf<OrderDetail['order']['status']>(query.status),
      playerId: query.player_id ?? null,
      bounds: boundsOf(query, 'ord'),
    };
    const page = await listDashboardOrders(db, environment.id, filter, {
      before: beforeOf(query, 'ord'),
      limit: limitOf(query),
    });
    return pageView(page, orderView(deps, environment));
  });

  mount(calls.getDashboardOrder, (context, { params }) => orderDetail(deps, context, params.order_id));

  mount(calls.createTestOrder, async context => {
    const { environment } = context;
    if (!isSandbox(environment)) throw new AppError('sandbox_only');
    const { id } = await deps.createOrder({ environment, body: TEST_ORDER, warnings: [], idempotency: null });
    await db.transaction(async tx => writeEnvironmentAudit(tx, context, { kind: 'order.test_created', objectId: id }));
    return orderDetail(deps, context, id);
  });

  mount(calls.cancelDashboardOrder, async (context, { params }) => {
    const { environment } = context;
    await cancelOrder(
      {
        db,
        emitOrderEvent: (tx, order, kind) => {
          const { environmentId, id: orderId } = order;
          insertEvents(tx, [{ environmentId, orderId, kind, data: orderFacts(order, null) }]);
          writeEnvironmentAudit(tx, context, { kind: 'order.canceled', objectId: orderId });
          tx.afterCommit(() => signals.announce(orderKey(orderId)));
        },
      },
      environment.id,
      params.order_id,
    );
    return orderDetail(deps, context, params.order_id);
  });
}
