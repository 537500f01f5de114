import { dashboardEndpoints as calls, type OrderStatus } from '@coinslot/contract';
import { cancelOrder } from '../../../domain/order/cancel-order.ts';
import { createTestOrder } from '../../../domain/order/create-order.ts';
import { orderView } from '../../../domain/order/order-view.ts';
import { listDashboardOrders } from '../../../domain/report/lists/list-orders.ts';
import { readOrderDetail } from '../../../domain/report/timeline/order-detail.ts';
import { cursorOf, limitOf } from '../../../http/paging.ts';
import { type DashboardDeps, listsOf } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { boundsOf, pageView, wordsOf } from '../list-query.ts';

export function mountOrders(mount: DashboardMount, deps: DashboardDeps): void {
  const { checkoutUrlOf } = deps;

  mount(calls.listDashboardOrders, async (context, { query }) => {
    const { environment } = context;
    const filter = {
      q: query.q?.trim() || null,
      statuses: wordsOf<OrderStatus>(query.status),
      playerId: query.player_id ?? null,
      needsAttention: query.attention === 'true',
      bounds: boundsOf(query, 'ord'),
    };
    const options = { before: cursorOf(query, 'ord'), limit: limitOf(query) };
    const page = await listDashboardOrders(listsOf(deps, context), environment.id, filter, options);
    return pageView(page, found => orderView(environment, found, checkoutUrlOf));
  });

  mount(calls.getDashboardOrder, (context, { params }) => readOrderDetail(deps, context, params.order_id));

  mount(calls.createTestOrder, async context =>
    readOrderDetail(deps, context, await createTestOrder(deps, context.actor, context.environment)),
  );

  mount(calls.cancelDashboardOrder, async (context, { params }) => {
    await cancelOrder(deps, context.actor, context.environment, params.order_id);
    return readOrderDetail(deps, context, params.order_id);
  });
}
