import { givenRows, type StatementRunner, sql } from '../../db/statement.ts';
import { newId } from '../../kit/ids.ts';
import type { OrderDetails, OrderItem } from './order.ts';
import { storedDetails, storedItem } from './order-row.ts';
import type { CatalogPrice } from './pricing.ts';

export interface NewOrder {
  environmentId: string;
  id: string;
  playerId: string;
  amountMinor: number;
  currency: string;
  items: OrderItem[];
  details: OrderDetails;
  email: string | null;
  /** Unix seconds; null means the full 24 hours. */
  expiresAt: number | null;
  player: {
    name: string | null;
    avatarUrl: string | null;
    attributes: Record<string, string | number | boolean> | null;
  };
  catalog: NewCatalogItem[];
  idempotency: { key: string; bodyHash: Buffer; warnings: string[] } | null;
}

/** What the request says of a sku. An order updates names in the catalog and, where it has none, prices. */
export interface NewCatalogItem extends CatalogPrice {
  sku: string;
}

export interface InsertedOrder {
  id: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Times as numbers: from text the driver reads them with a regular expression. */
interface InsertedRow {
  id: string;
  createdSeconds: number;
  expiresSeconds: number;
}

/** An order as the statement reads it. What it does not have is left out, which is shorter than saying so. */
const rowOf = (order: NewOrder) => ({
  environmentId: order.environmentId,
  id: order.id,
  playerId: order.playerId,
  amountMinor: order.amountMinor,
  currency: order.currency,
  items: order.items.map(storedItem),
  details: storedDetails(order.details),
  email: order.email ?? undefined,
  expiresAt: order.expiresAt ?? undefined,
  playerName: order.player.name ?? undefined,
  playerAvatarUrl: order.player.avatarUrl ?? undefined,
  playerAttributes: order.player.attributes ?? undefined,
  key: order.idempotency?.key,
  bodyHash: order.idempotency?.bodyHash.toString('hex'),
  warnings: order.idempotency?.warnings,
});

const COLUMNS = {
  environmentId: 'text',
  id: 'text',
  playerId: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  items: 'json',
  details: 'json',
  email: 'text',
  expiresAt: 'bigint',
  playerName: 'text',
  playerAvatarUrl: 'text',
  playerAttributes: 'json',
  key: 'text',
  bodyHash: 'text',
  warnings: 'json',
} as const;

interface CatalogUpdate extends NewCatalogItem {
  id: string;
  environmentId: string;
  orderId: string;
  hasKey: boolean;
}

const UPDATE_COLUMNS = {
  environmentId: 'text',
  orderId: 'text',
  hasKey: 'boolean',
  id: 'text',
  sku: 'text',
  name: 'text',
  description: 'text',
  imageUrl: 'text',
  priceMinor: 'bigint',
  currency: 'text',
  sale: 'json',
} as const;

const isSameUpdate = (a: NewCatalogItem, b: NewCatalogItem): boolean =>
  a.name === b.name &&
  a.description === b.description &&
  a.imageUrl === b.imageUrl &&
  a.priceMinor === b.priceMinor &&
  a.currency === b.currency &&
  a.sale === null &&
  b.sale === null;

/**
 * In a rush most orders are for the same few items and say the same of them: once is enough, as the newest order's word.
 * An order with a key may turn out to be a repetition that updates nothing, so no caller may rely on it.
 */
function catalogUpdates(orders: NewOrder[]): CatalogUpdate[] {
  const updates: CatalogUpdate[] = [];
  const latest = new Map<string, CatalogUpdate>();
  for (const { environmentId, id: orderId, catalog, idempotency } of orders) {
    for (const item of catalog) {
      const known = idempotency ? undefined : latest.get(item.sku);
      if (known?.environmentId === environmentId && isSameUpdate(known, item)) {
        if (known.orderId < orderId) known.orderId = orderId;
        continue;
      }
      const update = { id: newId('itm'), environmentId, orderId, hasKey: idempotency !== null, ...item };
      updates.push(update);
      if (!idempotency) latest.set(item.sku, update);
    }
  }
  return updates;
}

/**
 * Many orders in one statement and one commit, with their players, their items, their idempotency keys and the event
 * for the observers. Answers only those it inserted; an order whose key is taken is not among them.
 *
 * Players and items that would not change are not touched, so hot rows are not locked by every order. What is written
 * is written in key order, so that two batches cannot wait for each other.
 *
 * The event of a creation is named after its order, which has only one.
 */
export async function insertOrders(db: StatementRunner, orders: NewOrder[]): Promise<InsertedOrder[]> {
  const rows = await db.query<InsertedRow>(sql('order_insert_many')`
    with input as (
      select environment_id, id, player_id, amount_minor, currency, items, details, email, expires_at,
             player_name, player_avatar_url, player_attributes, key, decode(body_hash, 'hex') as body_hash, warnings
      from ${givenRows(COLUMNS, orders.map(rowOf))} as t
    ), keys as (
      insert into idempotency_keys (environment_id, key, body_hash, order_id, warnings, created_at)
      select environment_id, key, body_hash, id, warnings, app_now() from input where key is not null
      order by environment_id, key on conflict do nothing returning order_id
    ), accepted as (
      select environment_id, id, player_id, amount_minor, currency, items, details, email, expires_at, player_name,
             player_avatar_url, player_attributes
      from input where key is null or id in (select order_id from keys)
    ), upserted_players as (
      insert into players as p (environment_id, player_id, name, avatar_url, email, attributes, created_at, updated_at)
      select distinct on (a.environment_id, a.player_id)
             a.environment_id, a.player_id, a.player_name, a.player_avatar_url, a.email, a.player_attributes, app_now(), app_now()
      from accepted a
      where not exists (
        select 1 from players k where k.environment_id = a.environment_id and k.player_id = a.player_id
          and row(coalesce(a.player_name, k.name), coalesce(a.player_avatar_url, k.avatar_url), coalesce(a.email, k.email),
                  coalesce(a.player_attributes, k.attributes)::text)
              is not distinct from row(k.name, k.avatar_url, k.email, k.attributes::text))
      order by a.environment_id, a.player_id, a.id desc
      on conflict (environment_id, player_id) do update set
        name = coalesce(excluded.name, p.name), avatar_url = coalesce(excluded.avatar_url, p.avatar_url),
        email = coalesce(excluded.email, p.email), attributes = coalesce(excluded.attributes, p.attributes),
        updated_at = excluded.updated_at
    ), upserted_items as (
      insert into items as i (environment_id, sku, id, name, description, image_url, price_minor, currency, sale, created_at, updated_at)
      select distinct on (t.environment_id, t.sku) t.environment_id, t.sku, t.id, t.name, t.description, t.image_url,
             t.price_minor, t.currency, t.sale, app_now(), app_now()
      from ${givenRows(UPDATE_COLUMNS, catalogUpdates(orders))} as t
      where (not t.has_key or t.order_id in (select order_id from keys)) and not exists (
        select 1 from items k where k.environment_id = t.environment_id and k.sku = t.sku
          and row(coalesce(t.name, k.name), coalesce(t.description, k.description), coalesce(t.image_url, k.image_url))
              is not distinct from row(k.name, k.description, k.image_url)
          and (t.price_minor is null or k.price_minor is not null))
      order by t.environment_id, t.sku, t.order_id desc
      on conflict (environment_id, sku) do update set
        name = coalesce(excluded.name, i.name), description = coalesce(excluded.description, i.description),
        image_url = coalesce(excluded.image_url, i.image_url),
        price_minor = coalesce(i.price_minor, excluded.price_minor), currency = coalesce(i.currency, excluded.currency),
        sale = case when i.price_minor is null then excluded.sale else i.sale end, updated_at = excluded.updated_at
    ), observed as (
      insert into events (environment_id, id, type, order_id, data, fan_out, created_at)
      select a.environment_id, 'evt_' || substr(a.id, 5), 'order.created', a.id, '{}', true, app_now() from accepted a
      where exists (select 1 from webhook_subscriptions s
                    where s.environment_id = a.environment_id and s.events && '{order.created,order.*,*}') order by a.id
    )
    insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, email,
                        created_at, expires_at, updated_at)
    select environment_id, id, player_id, 'created', amount_minor, currency, items, details, email, app_now(),
           least(coalesce(to_timestamp(expires_at), 'infinity'), app_now() + interval '24 hours'), app_now()
    from accepted order by id
    returning id, date_part('epoch', created_at) as "createdSeconds", date_part('epoch', expires_at) as "expiresSeconds"`);
  return rows.map(({ id, createdSeconds, expiresSeconds }) => ({
    id,
    createdAt: new Date(createdSeconds * 1000),
    expiresAt: new Date(expiresSeconds * 1000),
  }));
}
