import { dashboardEndpoints as calls } from '@coinslot/contract';
import { itemView } from '../../../domain/catalog/catalog-views.ts';
import { changeItem, createItem, readItem, removeItem } from '../../../domain/catalog/manage-items.ts';
import { listCatalog } from '../../../domain/reporting/lists/items.sql.ts';
import { pageOf } from '../../../http/paging.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

export function mountItems(mount: DashboardMount, deps: DashboardDeps): void {
  const { db } = deps;

  mount(calls.listDashboardItems, ({ environment }, { query }) =>
    pageOf(
      query,
      'itm',
      (beforeId, limit) => listCatalog(db, environment.id, query.q?.trim() || null, beforeId, limit),
      item => item.id,
      items => items.map(item => itemView(environment, item)),
    ),
  );

  mount(calls.getDashboardItem, async ({ environment }, { params }) =>
    itemView(environment, await readItem(db, environment.id, params.sku)),
  );

  mount(calls.createDashboardItem, async ({ environment, actor }, { body: { sku, ...content } }) =>
    itemView(environment, await createItem(deps, actor, environment, { sku, content })),
  );

  mount(calls.putDashboardItem, async ({ environment, actor }, { params: { sku }, body: content }) =>
    itemView(environment, await changeItem(deps, actor, environment, { sku, content })),
  );

  mount(calls.deleteDashboardItem, async ({ environment, actor }, { params }) => {
    await removeItem(deps, actor, environment, params.sku);
    return undefined;
  });
}
