import { dashboardEndpoints as calls, ORDER_COLUMNS } from '@coinslot/contract';
import { cancelOrder } from '../../../domain/order/cancel-order.ts';
import { createTestOrder } from '../../../domain/order/create-order.ts';
import { orderView } from '../../../domain/order/order-view.ts';
import { exportOrders, orderList } from '../../../domain/reporting/lists/orders.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
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
