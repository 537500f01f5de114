import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { deleteItem, findItem, findPlayer, listItems } from '../../domain/catalog/catalog.sql.ts';
import { itemView } from '../../domain/catalog/item-view.ts';
import { putItem } from '../../domain/catalog/put-item.ts';
import { isSandbox } from '../../domain/game/environment.ts';
import { mount } from '../../http/mount.ts';
import { pageOf } from '../../http/paging.ts';
import { AppError } from '../../kit/app-error.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import type { S2sDeps, S2sDoor } from './s2s-deps.ts';

export function mountItems(app: FastifyInstance, { db }: S2sDeps, door: S2sDoor): void {
  mount(
    app,
    contract.getItem,
    async ({ params, context: { environment } }) => {
      const item = await findItem(db, environment.id, params.sku);
      if (!item) throw new AppError('item_not_found');
      return itemView(environment, item);
    },
    door,
  );

  mount(
    app,
    contract.putItem,
    async ({ params, body, context: { environment } }) =>
      itemView(environment, await putItem(db, environment, params.sku, body)),
    door,
  );

  mount(
    app,
    contract.deleteItem,
    async ({ params, context: { environment } }) => {
      if (!(await deleteItem(db, environment.id, params.sku))) throw new AppError('item_not_found');
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

  mount(
    app,
    contract.getPlayer,
    async ({ params, context: { environment } }) => {
      const player = await findPlayer(db, environment.id, params.player_id);
      if (!player) throw new AppError('player_not_found');
      return {
        player_id: player.playerId,
        name: player.name,
        avatar_url: player.avatarUrl,
        email: player.email,
        attributes: player.attributes ?? {},
        sandbox: isSandbox(environment),
        created_at: toUnixSeconds(player.createdAt),
        updated_at: toUnixSeconds(player.updatedAt),
      };
    },
    door,
  );
}
