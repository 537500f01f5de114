import type { Sale } from '@coinslot/contract';
import { jsonOrNull, type Queryable, type RowOf, type StatementRunner, sql, table } from '../../db/statement.ts';

export const ITEMS = table('items', {
  id: 'text',
  sku: 'text',
  name: 'text?',
  description: 'text?',
  imageUrl: 'text?',
  priceMinor: 'bigint?',
  currency: 'text?',
  sale: jsonOrNull<Sale>(),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

export type Item = RowOf<typeof ITEMS>;

export const PLAYERS = table('players', {
  playerId: 'text',
  name: 'text?',
  avatarUrl: 'text?',
  email: 'text?',
  attributes: jsonOrNull<Record<string, string | number | boolean>>(),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
});

export type Player = RowOf<typeof PLAYERS>;

const listItemsBySku = (db: Queryable, environmentId: string, skus: string[]): Promise<Item[]> =>
  db.query(sql('item_list_by_sku')`
    select ${ITEMS.columns} from items where environment_id = ${environmentId} and sku = any(${skus}::text[])`);

const FACTS = ITEMS.omit('id, createdAt, updatedAt');

export type ItemFacts = RowOf<typeof FACTS>;

/** Items of several environments in one statement: orders that come at the same time are priced by one read. */
export const listItemFacts = (
  db: StatementRunner,
  keys: { environmentId: string; sku: string }[],
): Promise<(ItemFacts & { environmentId: string })[]> =>
  db.query(sql('item_list_facts')`
    select i.environment_id as "environmentId", ${FACTS.of('i')}
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
    select ${ITEMS.columns} from items where environment_id = ${environmentId} and (${beforeId}::text is null or id < ${beforeId})
    order by id desc limit ${limit}`);

const CONTENT = ITEMS.omit('createdAt, updatedAt');
const REPLACED = FACTS.omit('sku');

export type ItemContent = RowOf<typeof CONTENT>;

/** Replaces everything but the id and the time of creation. */
export async function updateOrInsertItem(db: Queryable, environmentId: string, item: ItemContent): Promise<Item> {
  const [saved] = await db.query<Item>(sql('item_put')`
    insert into items (environment_id, ${CONTENT.names}, created_at, updated_at)
    values (${environmentId}, ${CONTENT.values(item)}, app_now(), app_now())
    on conflict (environment_id, sku) do update set ${REPLACED.setFrom('excluded')}, updated_at = excluded.updated_at
    returning ${ITEMS.columns}`);
  return saved!;
}

export const deleteItem = (db: Queryable, environmentId: string, sku: string): Promise<boolean> =>
  db.queryAny(sql('item_delete')`
    delete from items where environment_id = ${environmentId} and sku = ${sku} returning sku`);

export const findPlayer = (db: Queryable, environmentId: string, playerId: string): Promise<Player | null> =>
  db.queryOne(sql('player_find')`
    select ${PLAYERS.columns} from players where environment_id = ${environmentId} and player_id = ${playerId}`);
