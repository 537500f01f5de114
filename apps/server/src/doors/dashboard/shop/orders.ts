import { dashboardEndpoints as calls, MOST_IN_BULK, ORDER_COLUMNS } from '@coinslot/contract';
import { changeView, chooseColumns, removeView, saveView } from '../../../domain/company/save-view.ts';
import { listColumnsOf, listViews, type SeenView } from '../../../domain/company/saved-views.sql.ts';
import { cancelOrder } from '../../../domain/order/cancel-order.ts';
import { createTestOrder } from '../../../domain/order/create-order.ts';
import { orderView } from '../../../domain/order/order-view.ts';
import { readBulk, readBulkRun } from '../../../domain/purchase/bulk/read-bulk.ts';
import { previewBulk, startBulk, stopBulk } from '../../../domain/purchase/bulk/run-bulk.ts';
import { readDeliveryFigures } from '../../../domain/reporting/figures/delivery-figures.ts';
import { deliveryList, readDeliveryDetail } from '../../../domain/reporting/lists/deliveries.ts';
import { exportOrders, listOrderIds, orderList } from '../../../domain/reporting/lists/orders.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { retryDelivery } from '../../../domain/webhook/delivery/resend.ts';
import { deliverySummary } from '../../../domain/webhook/endpoints/webhook-views.ts';
import { takeOrder } from '../../../http/limits/budgets.ts';
import { type DashboardMount, type DashboardShop, type EnvironmentContext, listsOf } from '../define-route.ts';
import { answerExport, answerPage } from '../list-answers.ts';

export function mountOrders(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listDashboardOrders, (context, { query }) =>
    answerPage(shop, context, orderList, query, rows =>
      rows.map(found => orderView(context.environment, found, shop.checkoutUrlOf, context.language)),
    ),
  );

  mount(calls.exportOrders, (context, input) =>
    answerExport(shop, context, 'orders', input, exportOrders, ORDER_COLUMNS),
  );

  mount(calls.getDashboardOrder, (context, { params }) => readOrderDetail(shop, context, params.order_id));

  mount(calls.createTestOrder, async context => {
    await takeOrder(shop.budgets, context.environment);
    return readOrderDetail(shop, context, await createTestOrder(shop, context.actor, context.environment));
  });

  mount(calls.cancelDashboardOrder, async (context, { params }) => {
    await cancelOrder(shop, context.actor, context.environment, params.order_id);
    return readOrderDetail(shop, context, params.order_id);
  });
}

export function mountDeliveries(mount: DashboardMount, shop: DashboardShop): void {
  const { db, clock } = shop;
  const detail = ({ environment, role }: EnvironmentContext, id: string) =>
    readDeliveryDetail(db, { environmentId: environment.id, role }, id);

  mount(calls.listDashboardDeliveries, (context, { query }) =>
    answerPage(shop, context, deliveryList, query, rows => rows.map(row => deliverySummary(row))),
  );

  mount(calls.listDeliveryFigures, (context, { query: { span = '24h', webhook_id = null } }) => {
    const filter = { span, subscriptionId: webhook_id, now: new Date(clock.nowMs()) };
    return readDeliveryFigures(listsOf(shop, context), context.environment.id, filter);
  });

  mount(calls.getDashboardDelivery, (context, { params }) => detail(context, params.delivery_id));

  mount(calls.retryDashboardDelivery, async (context, { params }) => {
    await retryDelivery(shop, context.actor, context.environment, params.delivery_id);
    return detail(context, params.delivery_id);
  });
}

export function mountBulk(mount: DashboardMount, shop: DashboardShop): void {
  const { db, purchasing } = shop;

  mount(calls.previewBulk, async ({ environment }, { query: { action, order_ids: chosen, ...query } }) => {
    if (chosen !== undefined) {
      const orderIds = [...new Set(chosen.split(','))];
      return previewBulk(db, environment.id, { action, orderIds, isCapped: false });
    }
    const { ids: orderIds, isCapped } = await listOrderIds(db, environment.id, query, MOST_IN_BULK);
    return previewBulk(db, environment.id, { action, orderIds, isCapped });
  });

  mount(calls.startBulk, async ({ environment, actor, signedIn }, { body }) => {
    const { action, order_ids: orderIds, reason, password, answer } = body;
    const asked = { action, orderIds, reason, password, answer, by: signedIn };
    const id = await startBulk(purchasing, actor, environment, asked);
    return readBulkRun(db, environment.id, id);
  });

  mount(calls.listBulk, async ({ environment }) => ({ data: await readBulk(db, environment.id) }));

  mount(calls.stopBulk, async ({ environment, actor }, { params }) => {
    await stopBulk(purchasing, actor, environment, params.bulk_id);
    return readBulkRun(db, environment.id, params.bulk_id);
  });

  const ownerOf = ({ environment, actor }: EnvironmentContext) => ({
    environmentId: environment.id,
    userId: actor.userId,
  });
  const seenBy =
    (memberId: string) =>
    ({ userId, keptBy, isPinned, isShared, chosenColumns, ...view }: SeenView) => ({
      ...view,
      columns: chosenColumns ?? view.columns,
      is_pinned: isPinned,
      is_shared: isShared,
      is_own: userId === memberId,
      kept_by: keptBy,
    });
  const viewsOf = async (context: EnvironmentContext) => {
    const { userId } = context.actor;
    const [views, chosen] = await Promise.all([listViews(db, ownerOf(context)), listColumnsOf(db, userId)]);
    return { data: views.map(seenBy(userId)), columns: chosen.map(({ list, columns }) => ({ list, columns })) };
  };

  mount(calls.listViews, viewsOf);

  mount(calls.saveView, async (context, { body }) => {
    await saveView(purchasing.db, ownerOf(context), body);
    return viewsOf(context);
  });

  mount(calls.changeView, async (context, { params, body: { is_pinned: isPinned, is_shared: isShared } }) => {
    await changeView(purchasing.db, ownerOf(context), params.view_id, { isPinned, isShared });
    return viewsOf(context);
  });

  mount(calls.chooseColumns, async (context, { body }) => {
    await chooseColumns(purchasing.db, ownerOf(context), body);
    return viewsOf(context);
  });

  mount(calls.deleteView, async (context, { params }) => {
    await removeView(purchasing.db, ownerOf(context), context.role, params.view_id);
    return viewsOf(context);
  });
}
