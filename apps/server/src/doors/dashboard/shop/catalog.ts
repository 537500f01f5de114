import { dashboardEndpoints as calls } from '@coinslot/contract';
import { itemView } from '../../../domain/catalog/catalog-views.ts';
import { readItem, removeItem, saveItem } from '../../../domain/catalog/manage-items.ts';
import { erasedView, erasePlayer } from '../../../domain/privacy/erase-player.ts';
import { exportPlayer } from '../../../domain/privacy/export-player.ts';
import { listCatalog } from '../../../domain/reporting/lists/catalog.sql.ts';
import { playerLine, readPlayerDetail, searchPlayers } from '../../../domain/reporting/lists/read-player.ts';
import { pageBy, pageOf } from '../../../http/paging.ts';
import { type DashboardMount, type DashboardShop, listsOf } from '../define-route.ts';
import { answerFile } from '../list-answers.ts';

export function mountItems(mount: DashboardMount, shop: DashboardShop): void {
  const { db } = shop;

  mount(calls.listDashboardItems, ({ environment }, { query }) =>
    pageOf(
      query,
      'itm',
      (beforeId, limit) => listCatalog(db, environment.id, query.q?.trim() || null, beforeId, limit),
      items => items.map(item => itemView(environment, item)),
    ),
  );

  mount(calls.getDashboardItem, async ({ environment }, { params }) =>
    itemView(environment, await readItem(db, environment.id, params.sku)),
  );

  mount(calls.createDashboardItem, async ({ environment, actor }, { body: { sku, ...content } }) =>
    itemView(environment, await saveItem(shop, actor, environment, { sku, content, isNew: true })),
  );

  mount(calls.putDashboardItem, async ({ environment, actor }, { params: { sku }, body: content }) =>
    itemView(environment, await saveItem(shop, actor, environment, { sku, content, isNew: false })),
  );

  mount(calls.deleteDashboardItem, async ({ environment, actor }, { params }) =>
    removeItem(shop, actor, environment, params.sku),
  );
}

export function mountPlayers(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listPlayers, (context, { query }) => {
    const { environment } = context;
    const { q = '', sort = 'id', currency = null, first_month: first, bought_month: bought = first } = query;
    const cohort = first !== undefined && bought !== undefined ? { first, bought } : null;
    const asked = { q: q.trim(), sort, currency, cohort };
    return pageBy(
      query,
      null,
      (after, limit) => searchPlayers(listsOf(shop, context), environment.id, asked, after, limit),
      players => players.map(found => playerLine(environment, found)),
      ({ cursor }) => cursor,
    );
  });

  mount(calls.getDashboardPlayer, ({ environment }, { params }) =>
    readPlayerDetail(shop, environment, params.player_id),
  );

  mount(calls.exportDashboardPlayer, async (context, { params }) =>
    answerFile(shop, context, await exportPlayer(shop, context.environment, params.player_id)),
  );

  mount(calls.eraseDashboardPlayer, async ({ environment, actor }, { params }) => {
    const erased = await erasePlayer(shop, actor, environment, params.player_id);
    return erasedView(erased);
  });
}
