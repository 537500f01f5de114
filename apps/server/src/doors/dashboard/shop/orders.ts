import { dashboardEndpoints as calls, ORDER_COLUMNS } from '@coinslot/contract';
import { cancelOrder } from '../../../domain/order/cancel-order.ts';
import { createTestOrder } from '../../../domain/order/create-order.ts';
import { orderView } from '../../../domain/order/order-view.ts';
import { readDeliveryFigures } from '../../../domain/reporting/figures/read-attempts.ts';
import { deliveryList, readDeliveryDetail } from '../../../domain/reporting/lists/deliveries.ts';
import { exportOrders, orderList } from '../../../domain/reporting/lists/orders.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { retryDelivery } from '../../../domain/webhook/delivery/resend.ts';
import { deliverySummary } from '../../../domain/webhook/endpoints/webhook-views.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import { type EnvironmentContext, listsOf } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { answerExport, answerPage } from '../list-answers.ts';

export function mountOrders(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listDashboardOrders, (context, { query }) =>
    answerPage(deps, context, orderList, query, found => orderView(context.environment, found, deps.checkoutUrlOf)),
  );

  mount(calls.exportOrders, (context, input) =>
    answerExport(deps, context, 'orders', input, exportOrders, ORDER_COLUMNS),
  );

  mount(calls.getDashboardOrder, (context, { params }) => readOrderDetail(deps, context, params.order_id));

  mount(calls.createTestOrder, async context =>
    readOrderDetail(deps, context, await createTestOrder(deps, context.actor, context.environment)),
  );

  mount(calls.cancelDashboardOrder, async (context, { params }) => {
    await cancelOrder(deps, context.actor, context.environment, params.order_id);
    return readOrderDetail(deps, context, params.order_id);
  });
}

export function mountDeliveries(mount: DashboardMount, deps: DashboardDeps): void {
  const { db, clock } = deps;
  const detail = ({ environment, role }: EnvironmentContext, id: string) =>
    readDeliveryDetail(db, { environmentId: environment.id, role }, id);

  mount(calls.listDashboardDeliveries, (context, { query }) =>
    answerPage(deps, context, deliveryList, query, deliverySummary),
  );

  mount(calls.listDeliveryFigures, (context, { query: { span = '24h', webhook_id = null } }) => {
    const filter = { span, subscriptionId: webhook_id, now: new Date(clock.nowMs()) };
    return readDeliveryFigures(listsOf(deps, context), context.environment.id, filter);
  });

  mount(calls.getDashboardDelivery, (context, { params }) => detail(context, params.delivery_id));

  mount(calls.retryDashboardDelivery, async (context, { params }) => {
    await retryDelivery(deps, context.actor, context.environment, params.delivery_id);
    return detail(context, params.delivery_id);
  });
}
