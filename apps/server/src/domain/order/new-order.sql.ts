import type { Sale } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { OrderDetails, OrderItem } from './order.ts';

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

/** What the request says of a sku. An order teaches the catalogue names and, where it knows none, prices. */
export interface NewCatalogItem {
  id: string;
  sku: string;
  name: string | null;
  description: string | null;
  imageUrl: string | null;
  priceMinor: number | null;
  currency: string | null;
  sale: Sale | null;
}

export interface InsertedOrder {
  id: string;
  createdAt: Date;
  expiresAt: Date;
}

const jsonOf = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

/**
 * Many orders in one statement and one commit, with their players, their items, their idempotency keys and the event
 * for whoever observes. Answers only those it inserted; an order whose key is taken is not among them.
 *
 * Players and items that would not change are not touched, so hot rows are not locked by every order. What is written
 * is written in key order, so that two batches cannot wait for each other.
 */
export const insertOrders = (db: Queryable, orders: NewOrder[], eventIds: string[]): Promise<InsertedOrder[]> => {
  const items = orders.flatMap(o =>
    o.catalog.map(item => ({ environmentId: o.environmentId, orderId: o.id, ...item })),
  );
  const column = <K extends keyof NewOrder>(name: K) => orders.map(order => order[name]);
  const itemColumn = <K extends keyof (typeof items)[number]>(name: K) => items.map(item => item[name]);
  return db.query(sql('order_insert_many')`
    with input as (
      select * from unnest(
        ${column('environmentId')}::text[], ${column('id')}::text[], ${column('playerId')}::text[], ${column('amountMinor')}::bigint[],
        ${column('currency')}::text[], ${column('items').map(jsonOf)}::text[], ${column('details').map(jsonOf)}::text[],
        ${column('email')}::text[], ${column('expiresAt')}::bigint[], ${column('player').map(p => p.name)}::text[],
        ${column('player').map(p => p.avatarUrl)}::text[], ${column('player').map(p => jsonOf(p.attributes))}::text[],
        ${column('idempotency').map(i => i?.key ?? null)}::text[], ${column('idempotency').map(i => i?.bodyHash ?? null)}::bytea[],
        ${column('idempotency').map(i => jsonOf(i?.warnings))}::text[], ${eventIds}::text[]
      ) as t (environment_id, id, player_id, amount_minor, currency, items, details, email, expires_at,
              player_name, player_avatar_url, player_attributes, key, body_hash, warnings, event_id)
    ), keys as (
      insert into idempotency_keys (environment_id, key, body_hash, order_id, warnings, created_at)
      select environment_id, key, body_hash, id, warnings::json, app_now() from input where key is not null
      order by environment_id, key on conflict do nothing returning order_id
    ), accepted as (
      select * from input where key is null or id in (select order_id from keys)
    ), taught_players as (
      insert into players as p (environment_id, player_id, name, avatar_url, email, attributes, created_at, updated_at)
      select distinct on (a.environment_id, a.player_id)
             a.environment_id, a.player_id, a.player_name, a.player_avatar_url, a.email, a.player_attributes::json, app_now(), app_now()
      from accepted a
      where not exists (
        select 1 from players k where k.environment_id = a.environment_id and k.player_id = a.player_id
          and row(coalesce(a.player_name, k.name), coalesce(a.player_avatar_url, k.avatar_url), coalesce(a.email, k.email),
                  coalesce(a.player_attributes, k.attributes::text))
              is not distinct from row(k.name, k.avatar_url, k.email, k.attributes::text))
      order by a.environment_id, a.player_id, a.id desc
      on conflict (environment_id, player_id) do update set
        name = coalesce(excluded.name, p.name), avatar_url = coalesce(excluded.avatar_url, p.avatar_url),
        email = coalesce(excluded.email, p.email), attributes = coalesce(excluded.attributes, p.attributes),
        updated_at = excluded.updated_at
    ), taught_items as (
      insert into items as i (environment_id, sku, id, name, description, image_url, price_minor, currency, sale, created_at, updated_at)
      select distinct on (t.environment_id, t.sku) t.environment_id, t.sku, t.id, t.name, t.description, t.image_url,
             t.price_minor, t.currency, t.sale::json, app_now(), app_now()
      from unnest(
        ${itemColumn('environmentId')}::text[], ${itemColumn('orderId')}::text[], ${itemColumn('id')}::text[],
        ${itemColumn('sku')}::text[], ${itemColumn('name')}::text[], ${itemColumn('description')}::text[],
        ${itemColumn('imageUrl')}::text[], ${itemColumn('priceMinor')}::bigint[], ${itemColumn('currency')}::text[],
        ${itemColumn('sale').map(jsonOf)}::text[]
      ) as t (environment_id, order_id, id, sku, name, description, image_url, price_minor, currency, sale)
      where t.order_id in (select id from accepted) and not exists (
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
      select a.environment_id, a.event_id, 'order.created', a.id, '{}', true, app_now() from accepted a
      where exists (select 1 from webhook_subscriptions s
                    where s.environment_id = a.environment_id and s.events && '{order.created,order.*,*}') order by a.id
    )
    insert into orders (environment_id, id, player_id, status, amount_minor, currency, items, details, email,
                        created_at, expires_at, updated_at)
    select environment_id, id, player_id, 'created', amount_minor, currency, items::json, details::json, email, app_now(),
           least(coalesce(to_timestamp(expires_at), 'infinity'), app_now() + interval '24 hours'), app_now()
    from accepted order by id returning id, created_at as "createdAt", expires_at as "expiresAt"`);
};

export interface KeyedOrder {
  orderId: string;
  bodyHash: Buffer;
  warnings: string[] | null;
  isOver: boolean;
}

export async function findIdempotencyKey(
  db: Queryable,
  environmentId: string,
  key: string,
): Promise<KeyedOrder | null> {
  const [row] = await db.query<KeyedOrder>(sql('idempotency_key_find')`
    select order_id as "orderId", body_hash as "bodyHash", warnings, created_at <= app_now() - interval '24 hours' as "isOver"
    from idempotency_keys where environment_id = ${environmentId} and key = ${key}`);
  return row ?? null;
}

export async function deleteIdempotencyKey(
  db: Queryable,
  environmentId: string,
  key: string,
  orderId: string,
): Promise<void> {
  await db.query(sql('idempotency_key_delete')`
    delete from idempotency_keys where environment_id = ${environmentId} and key = ${key} and order_id = ${orderId}`);
}
