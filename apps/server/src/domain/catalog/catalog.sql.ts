import type { Sale } from '@coinslot/contract';
import type { Queryable, StatementRunner } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface Item {
  id: string;
  sku: string;
  name: string | null;
  description: string | null;
  imageUrl: string | null;
  priceMinor: number | null;
  currency: string | null;
  sale: Sale | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface Player {
  playerId: string;
  name: string | null;
  avatarUrl: string | null;
  email: string | null;
  attributes: Record<string, string | number | boolean> | null;
  createdAt: Date;
  updatedAt: Date;
}

export const listItemsBySku = (db: Queryable, environmentId: string, skus: string[]): Promise<Item[]> =>
  db.query(sql('item_list_by_sku')`
    select id, sku, name, description, image_url as "imageUrl", price_minor as "priceMinor", currency, sale,
           created_at as "createdAt", updated_at as "updatedAt"
    from items where environment_id = ${environmentId} and sku = any(${skus}::text[])`);

export type ItemFacts = Omit<Item, 'id' | 'createdAt' | 'updatedAt'>;

/** Items of several environments in one statement: orders that come at the same time are priced by one read. */
export const listItemFacts = (
  db: StatementRunner,
  keys: { environmentId: string; sku: string }[],
): Promise<(ItemFacts & { environmentId: string })[]> =>
  db.query(sql('item_list_facts')`
    select i.environment_id as "environmentId", i.sku, i.name, i.description, i.image_url as "imageUrl",
           i.price_minor as "priceMinor", i.currency, i.sale
    from unnest(${keys.map(key => key.environmentId)}::text[], ${keys.map(key => key.sku)}::text[]) as k (environment_id, sku)
    join items i on i.environment_id = k.environment_id and i.sku = k.sku`);

export async function findItem(db: Queryable, environmentId: string, sku: string): Promise<Item | null> {
  const [item] = await listItemsBySku(db, environmentId, [sku]);
  return item ?? null;
}

export const listItems = (
  db: Queryable,
  environmentId: string,
  beforeId: string | null,
  limit: number,
): Promise<Item[]> =>
  db.query(sql('item_list')`
    select id, sku, name, description, image_url as "imageUrl", price_minor as "priceMinor", currency, sale,
           created_at as "createdAt", updated_at as "updatedAt"
    from items where environment_id = ${environmentId} and (${beforeId}::text is null or id < ${beforeId})
    order by id desc limit ${limit}`);

export type ItemContent = Omit<Item, 'createdAt' | 'updatedAt'>;

/** Replaces everything but the id and the time of creation. */
export async function updateOrInsertItem(db: Queryable, environmentId: string, item: ItemContent): Promise<Item> {
  const [saved] = await db.query<Item>(sql('item_put')`
    insert into items (environment_id, sku, id, name, description, image_url, price_minor, currency, sale, created_at, updated_at)
    values (${environmentId}, ${item.sku}, ${item.id}, ${item.name}, ${item.description}, ${item.imageUrl}, ${item.priceMinor},
            ${item.currency}, ${item.sale ? JSON.stringify(item.sale) : null}, app_now(), app_now())
    on conflict (environment_id, sku) do update set name = excluded.name, description = excluded.description,
      image_url = excluded.image_url, price_minor = excluded.price_minor, currency = excluded.currency, sale = excluded.sale,
      updated_at = excluded.updated_at
    returning id, sku, name, description, image_url as "imageUrl", price_minor as "priceMinor", currency, sale,
      created_at as "createdAt", updated_at as "updatedAt"`);
  return saved!;
}

export const deleteItem = (db: Queryable, environmentId: string, sku: string): Promise<boolean> =>
  db.queryAny(sql('item_delete')`
    delete from items where environment_id = ${environmentId} and sku = ${sku} returning sku`);

export const findPlayer = (db: Queryable, environmentId: string, playerId: string): Promise<Player | null> =>
  db.queryOne(sql('player_find')`
    select player_id as "playerId", name, avatar_url as "avatarUrl", email, attributes,
           created_at as "createdAt", updated_at as "updatedAt"
    from players where environment_id = ${environmentId} and player_id = ${playerId}`);
