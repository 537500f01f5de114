import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { listItems } from '../../domain/catalog/catalog.sql.ts';
import { itemView, playerView } from '../../domain/catalog/catalog-views.ts';
import { putItem, readItem, readPlayer, removeItem } from '../../domain/catalog/manage-items.ts';
import { erasePlayer } from '../../domain/privacy/erase-player.ts';
import { exportPlayer } from '../../domain/privacy/export-player.ts';
import { mount } from '../../http/mount.ts';
import { pageOf } from '../../http/paging.ts';
import type { S2sDeps, S2sDoor } from './s2s-deps.ts';

export function mountItems(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  const { db } = deps;

  mount(
    app,
    contract.getItem,
    async ({ params, query, context: { environment } }) => {
      const item = await readItem(db, environment.id, query.sku ?? params.sku);
      return itemView(environment, item);
    },
    door,
  );

  mount(
    app,
    contract.putItem,
    async ({ params, query, body, context: { environment } }) =>
      itemView(environment, await putItem(db, environment, query.sku ?? params.sku, body)),
    door,
  );

  mount(
    app,
    contract.deleteItem,
    async ({ params, query, context: { environment } }) => {
      await removeItem(deps, null, environment, query.sku ?? params.sku);
      return undefined;
    },
    door,
  );

  mount(
    app,
    contract.listItems,
    ({ query, context: { environment } }) =>
      pageOf(
        query,
        'itm',
        (beforeId, limit) => listItems(db, environment.id, beforeId, limit),
        item => item.id,
        rows => rows.map(item => itemView(environment, item)),
      ),
    door,
  );

  mountPlayers(app, deps, door);
}

function mountPlayers(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  mount(
    app,
    contract.getPlayer,
    async ({ params, query, context: { environment } }) => {
      const player = await readPlayer(deps.db, environment.id, query.player_id ?? params.player_id);
      return playerView(environment, player);
    },
    door,
  );

  mount(
    app,
    contract.exportPlayer,
    ({ params, query, context: { environment } }) =>
      exportPlayer(deps, environment, query.player_id ?? params.player_id),
    door,
  );

  mount(
    app,
    contract.erasePlayer,
    async ({ params, query, context: { environment } }) => {
      const playerId = query.player_id ?? params.player_id;
      const { archivedLines, ...erased } = await erasePlayer(deps, null, environment, playerId);
      return { ...erased, archived_lines: archivedLines };
    },
    door,
  );
}
