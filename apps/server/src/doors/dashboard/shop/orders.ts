import { Readable } from 'node:stream';
import { dashboardEndpoints as calls, ORDER_COLUMNS, type OrderColumn, type OrderStatus } from '@coinslot/contract';
import { cancelOrder } from '../../../domain/order/cancel-order.ts';
import { createTestOrder } from '../../../domain/order/create-order.ts';
import { orderView } from '../../../domain/order/order-view.ts';
import { exportOrders } from '../../../domain/reporting/lists/export-orders.ts';
import { noteExport } from '../../../domain/reporting/lists/export-transactions.ts';
import { listDashboardOrders, type OrderListFilter } from '../../../domain/reporting/lists/list-orders.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { cursorOf, limitOf } from '../../../http/paging.ts';
import { type DashboardDeps, listsOf } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { boundsOf, type ListQuery, pageView, wordsOf } from '../list-query.ts';

interface OrderQuery extends ListQuery {
  q?: string;
  status?: string;
  player_id?: string;
  attention?: 'true';
}

export const orderFilterOf = (query: OrderQuery): OrderListFilter => ({
  q: query.q?.trim() || null,
  statuses: wordsOf<OrderStatus>(query.status),
  playerId: query.player_id ?? null,
  needsAttention: query.attention === 'true',
  bounds: boundsOf(query, 'ord'),
});

export function mountOrders(mount: DashboardMount, deps: DashboardDeps): void {
  const { db, checkoutUrlOf } = deps;

  mount(calls.listDashboardOrders, async (context, { query }) => {
    const { environment } = context;
    const filter = orderFilterOf(query);
    const options = { before: cursorOf(query, 'ord'), limit: limitOf(query) };
    const page = await listDashboardOrders(listsOf(deps, context), environment.id, filter, options);
    return pageView(page, found => orderView(environment, found, checkoutUrlOf));
  });

  mount(calls.exportOrders, async ({ environment, actor }, { query, setHeader }) => {
    const columns = wordsOf<OrderColumn>(query.columns);
    const shown = columns.length > 0 ? columns : ORDER_COLUMNS;
    const day = new Date(deps.clock.nowMs()).toISOString().slice(0, 10);
    setHeader('content-disposition', `attachment; filename="orders-${environment.mode}-${day}.csv"`);
    const note = { columns: [...shown], filters: Object.keys(query) };
    await noteExport(db, actor, environment, { ...note, kind: 'orders.exported' });
    return Readable.from(exportOrders(db, environment.id, orderFilterOf(query), shown), { objectMode: true });
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
