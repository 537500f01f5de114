import { dashboardEndpoints as calls } from '@coinslot/contract';
import { deleteItem, findItem, type Item } from '../../../domain/catalog/catalog.sql.ts';
import { itemView } from '../../../domain/catalog/item-view.ts';
import { putItem } from '../../../domain/catalog/put-item.ts';
import { listCatalog } from '../../../domain/report/lists/items.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import { writeEnvironmentAudit } from '../audited.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import type { DashboardMount } from '../define-route.ts';
import { beforeOf, encodeCursor, limitOf } from '../list-query.ts';

const factsOf = ({ name, priceMinor, currency, imageUrl, sale }: Item) => ({
  name,
  price_minor: priceMinor,
  currency,
  image_url: imageUrl,
  sale: sale && JSON.stringify(sale),
});

function mountChanges(mount: DashboardMount, { db }: DashboardDeps): void {
  mount(calls.createDashboardItem, (context, { body: { sku, ...content } }) =>
    db.transaction(async tx => {
      const { environment } = context;
      if (await findItem(tx, environment.id, sku)) throw new AppError('item_exists');
      const item = await putItem(tx, environment, sku, content);
      writeEnvironmentAudit(tx, context, { kind: 'item.created', objectId: sku, after: factsOf(item) });
      return itemView(environment, item);
    }),
  );

  mount(calls.putDashboardItem, (context, { params: { sku }, body }) =>
    db.transaction(async tx => {
      const { environment } = context;
      const before = await findItem(tx, environment.id, sku);
      if (!before) throw new AppError('item_not_found');
      const item = await putItem(tx, environment, sku, body);
      writeEnvironmentAudit(tx, context, {
        kind: 'item.changed',
        objectId: sku,
        before: factsOf(before),
        after: factsOf(item),
      });
      return itemView(environment, item);
    }),
  );

  mount(calls.deleteDashboardItem, (context, { params: { sku } }) =>
    db.transaction(async tx => {
      if (!(await deleteItem(tx, context.environment.id, sku))) throw new AppError('item_not_found');
      writeEnvironmentAudit(tx, context, { kind: 'item.deleted', objectId: sku });
      return undefined;
    }),
  );
}

export function mountItems(mount: DashboardMount, deps: DashboardDeps): void {
  const { db } = deps;

  mount(calls.listDashboardItems, async ({ environment }, { query }) => {
    const limit = limitOf(query);
    const rows = await listCatalog(db, environment.id, query.q?.trim() || null, beforeOf(query, 'itm'), limit + 1);
    const shown = rows.slice(0, limit);
    return {
      data: shown.map(item => itemView(environment, item)),
      next_cursor: rows.length > limit ? encodeCursor(shown.at(-1)!.id) : null,
    };
  });

  mount(calls.getDashboardItem, async ({ environment }, { params }) => {
    const item = await findItem(db, environment.id, params.sku);
    if (!item) throw new AppError('item_not_found');
    return itemView(environment, item);
  });

  mountChanges(mount, deps);
}
