import { dashboardEndpoints as calls, MOST_IN_BULK } from '@coinslot/contract';
import { removeView, saveView } from '../../../domain/company/save-view.ts';
import { listViews } from '../../../domain/company/saved-views.sql.ts';
import { readBulk } from '../../../domain/purchase/bulk/read-bulk.ts';
import { previewBulk, startBulk, stopBulk } from '../../../domain/purchase/bulk/run-bulk.ts';
import { listOrderIds } from '../../../domain/reporting/lists/orders.ts';
import type { DashboardShop, EnvironmentContext } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

/** What is done to many orders at once, and the views by which they are found. */
export function mountBulk(mount: DashboardMount, shop: DashboardShop): void {
  const { db, purchasing } = shop;
  const readRun = async (environmentId: string, id: string) =>
    (await readBulk(db, environmentId)).find(run => run.id === id)!;

  mount(calls.previewBulk, async ({ environment }, { query: { action, ...query } }) => {
    const { ids: orderIds, isCapped } = await listOrderIds(db, environment.id, query, MOST_IN_BULK);
    return previewBulk(db, environment.id, { action, orderIds, isCapped });
  });

  mount(calls.startBulk, async ({ environment, actor }, { body }) => {
    const { action, order_ids: orderIds, reason, password, answer } = body;
    const asked = { action, orderIds, reason, password, answer };
    const id = await startBulk(purchasing, actor, environment, asked);
    return readRun(environment.id, id);
  });

  mount(calls.listBulk, async ({ environment }) => ({ data: await readBulk(db, environment.id) }));

  mount(calls.stopBulk, async ({ environment, actor }, { params }) => {
    await stopBulk(purchasing, actor, environment, params.bulk_id);
    return readRun(environment.id, params.bulk_id);
  });

  const ownerOf = ({ environment, actor }: EnvironmentContext) => ({
    environmentId: environment.id,
    userId: actor.userId,
  });
  const viewsOf = async (context: EnvironmentContext) => ({ data: await listViews(db, ownerOf(context)) });

  mount(calls.listViews, viewsOf);

  mount(calls.saveView, async (context, { body }) => {
    await saveView(purchasing.db, ownerOf(context), body);
    return viewsOf(context);
  });

  mount(calls.deleteView, async (context, { params }) => {
    await removeView(purchasing.db, ownerOf(context), params.view_id);
    return viewsOf(context);
  });
}
