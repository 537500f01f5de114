import * as contract from '@coinslot/contract';
import { listItems } from '../../domain/catalog/catalog.sql.ts';
import { itemView, playerView } from '../../domain/catalog/catalog-views.ts';
import { putItem, readItem, readPlayer, removeItem } from '../../domain/catalog/manage-items.ts';
import { erasedView, erasePlayer } from '../../domain/privacy/erase-player.ts';
import { exportPlayer } from '../../domain/privacy/export-player.ts';
import { streamExport } from '../../http/limits/export-turns.ts';
import { pageOf } from '../../http/paging.ts';
import type { S2sMount, S2sShop } from './s2s-shop.ts';

export function mountItems(mount: S2sMount, shop: S2sShop): void {
  const { db } = shop;

  mount(contract.getItem, async ({ params, query, context: { environment } }) => {
    const item = await readItem(db, environment.id, query.sku ?? params.sku);
    return itemView(environment, item);
  });

  mount(contract.putItem, async ({ params, query, body, context: { environment } }) =>
    itemView(environment, await putItem(db, environment, query.sku ?? params.sku, body)),
  );

  mount(contract.deleteItem, async ({ params, query, context: { environment } }) =>
    removeItem(shop, null, environment, query.sku ?? params.sku),
  );

  mount(contract.listItems, ({ query, context: { environment } }) =>
    pageOf(
      query,
      'itm',
      (beforeId, limit) => listItems(db, environment.id, beforeId, limit),
      rows => rows.map(item => itemView(environment, item)),
    ),
  );

  mountPlayers(mount, shop);
}

function mountPlayers(mount: S2sMount, shop: S2sShop): void {
  mount(contract.getPlayer, async ({ params, query, context: { environment } }) => {
    const player = await readPlayer(shop.db, environment.id, query.player_id ?? params.player_id);
    return playerView(environment, player);
  });

  mount(contract.exportPlayer, async ({ params, query, context: { environment } }) => {
    const steps = await exportPlayer(shop, environment, query.player_id ?? params.player_id);
    return streamExport({ companyId: environment.companyId, clock: shop.clock, steps });
  });

  mount(contract.erasePlayer, async ({ params, query, context: { environment } }) => {
    const playerId = query.player_id ?? params.player_id;
    const erased = await erasePlayer(shop, null, environment, playerId);
    return erasedView(erased);
  });
}
