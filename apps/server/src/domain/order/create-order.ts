import type { CreateOrder, Issue } from '@coinslot/contract';
import type { Db, Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { toMinor } from '../../kit/money.ts';
import { sameBytes } from '../../kit/seal.ts';
import { type Actor, auditScope, writeAudit } from '../audit/audit.ts';
import { listItemFacts } from '../catalog/catalog.sql.ts';
import { assertSandbox, type Environment } from '../game/environment.ts';
import type { Shop } from '../shop.ts';
import { deleteIdempotencyKey, findIdempotencyKey } from './idempotency-key.sql.ts';
import { type InsertedOrder, insertOrders, type NewCatalogItem, type NewOrder } from './new-order.sql.ts';
import { findOrder } from './order.sql.ts';
import type { OrderItem } from './order.ts';
import { type CatalogPrice, needsCatalog, type Pricing, priceOrder } from './pricing.ts';

export interface CreateOrderInput {
  environment: Environment;
  body: CreateOrder;
  warnings: string[];
  idempotency: { key: string; bodyHash: Buffer } | null;
  /** The studio member who tries the checkout with it; absent for the game's backend. */
  triedBy?: Actor;
}

export interface CreatedOrder {
  id: string;
  amountMinor: number;
  currency: string;
  items: readonly OrderItem[];
  createdAt: Date;
  expiresAt: Date;
  warnings: string[];
  replayed: boolean;
}

export type CreateOrderCase = (input: CreateOrderInput) => Promise<CreatedOrder>;

function refuse(pricing: Exclude<Pricing, { kind: 'priced' }>): never {
  if (pricing.kind === 'invalid') throw new AppError('validation_failed', { issues: pricing.issues });
  throw new AppError('price_unknown', {
    detail: `No price is known for ${pricing.skus.map(sku => JSON.stringify(sku)).join(', ')}. Give the order or its items a price_decimal and currency, or set one with PUT /s2s/v1/items/{sku}.`,
  });
}

function expiryIssues(expiresAt: number | undefined, nowSeconds: number): Issue[] {
  if (expiresAt === undefined || expiresAt > nowSeconds) return [];
  return [{ pointer: '/expires_at', code: 'time_past', message: 'The time is over already.' }];
}

const toCatalogItem = (item: CreateOrder['items'][number], priced: OrderItem): NewCatalogItem => {
  const ownPrice = item.price_decimal !== undefined && priced.currency !== null;
  return {
    sku: item.sku,
    name: item.name ?? null,
    description: item.description ?? null,
    imageUrl: item.image_url ?? null,
    priceMinor: ownPrice ? (toMinor(item.price_decimal!, priced.currency!) as number) : null,
    currency: ownPrice ? priced.currency : null,
    sale: ownPrice ? (item.sale ?? null) : null,
  };
};

const fillIn = (url: string | undefined, orderId: string): string | null =>
  url?.replaceAll('{order_id}', orderId) ?? null;

function toNewOrder(input: CreateOrderInput, pricing: Extract<Pricing, { kind: 'priced' }>, id: string): NewOrder {
  const { body, environment } = input;
  return {
    environmentId: environment.id,
    id,
    playerId: body.player_id,
    amountMinor: pricing.total.amountMinor,
    currency: pricing.total.currency,
    items: pricing.items,
    details: {
      country: body.country ?? null,
      locale: body.locale ?? null,
      theme: body.ui?.theme ?? 'auto',
      backToGameUrl: fillIn(body.back_to_game_url, id),
      backToStoreUrl: fillIn(body.back_to_store_url, id),
      metadata: body.metadata ?? {},
    },
    email: body.email ?? null,
    expiresAt: body.expires_at ?? null,
    player: {
      name: body.player?.name ?? null,
      avatarUrl: body.player?.avatar_url ?? null,
      attributes: body.player?.attributes ?? null,
    },
    catalog: body.items.map((item, i) => toCatalogItem(item, pricing.items[i]!)),
    idempotency: input.idempotency && { ...input.idempotency, warnings: input.warnings },
  };
}

const NOTHING_KNOWN: ReadonlyMap<string, CatalogPrice> = new Map();

type Catalog = ReadonlyMap<string, CatalogPrice>;

const keysOf = ({ environment, body }: CreateOrderInput) =>
  body.items.map(({ sku }) => ({ environmentId: environment.id, sku }));

/** Each asks for what it needs; in a rush most need the same few items. Answers what is known of each one's environment. */
async function readCatalogs(tx: Tx, asked: CreateOrderInput[]): Promise<Catalog[]> {
  const keys = new Map(asked.flatMap(keysOf).map(key => [`${key.environmentId} ${key.sku}`, key]));
  const known = await listItemFacts(tx.last, [...keys.values()]);
  const catalogs = new Map<string, Map<string, CatalogPrice>>();
  for (const { environmentId, ...item } of known) {
    catalogs.set(environmentId, (catalogs.get(environmentId) ?? new Map()).set(item.sku, item));
  }
  return asked.map(({ environment }) => catalogs.get(environment.id) ?? NOTHING_KNOWN);
}

function price(
  { environment, body }: CreateOrderInput,
  catalog: ReadonlyMap<string, CatalogPrice>,
  nowSeconds: number,
): Extract<Pricing, { kind: 'priced' }> {
  const issues = expiryIssues(body.expires_at, nowSeconds);
  if (issues.length > 0) throw new AppError('validation_failed', { issues });
  const pricing = priceOrder(body, { catalog, fallback: environment.defaultPrice, nowSeconds });
  return pricing.kind === 'priced' ? pricing : refuse(pricing);
}

/** The key is taken: the same body gets the first answer again, another body is refused. */
async function replay(db: Db, { environment, idempotency }: CreateOrderInput): Promise<CreatedOrder | 'key_is_free'> {
  const { key, bodyHash } = idempotency!;
  const taken = await findIdempotencyKey(db, environment.id, key);
  if (!taken) return 'key_is_free';
  if (taken.isOver) {
    await deleteIdempotencyKey(db, environment.id, key, taken.orderId);
    return 'key_is_free';
  }
  if (!sameBytes(taken.bodyHash, bodyHash)) throw new AppError('idempotency_key_reused');
  const found = await findOrder(db, environment.id, taken.orderId);
  return { ...found!.order, warnings: taken.warnings ?? [], replayed: true };
}

const answerOf = (order: NewOrder, { createdAt, expiresAt }: InsertedOrder, warnings: string[]): CreatedOrder => ({
  id: order.id,
  amountMinor: order.amountMinor,
  currency: order.currency,
  items: order.items,
  createdAt,
  expiresAt,
  warnings,
  replayed: false,
});

const auditTry = (tx: Tx, actor: Actor, environment: Environment, objectId: string): void =>
  writeAudit(tx, actor, { ...auditScope(environment), kind: 'order.test_created', objectId });

export function createOrderCase(shop: Pick<Shop, 'db' | 'clock'>): CreateOrderCase {
  const insert = shop.db.coalesce<{ order: NewOrder; input: CreateOrderInput }, InsertedOrder | null>({
    runMany: async (tx, asked) => {
      const tried = asked.filter(({ input }) => input.triedBy);
      const rows = await insertOrders(
        tried.length === 0 ? tx.last : tx,
        asked.map(({ order }) => order),
      );
      const inserted = new Map(rows.map(row => [row.id, row]));
      for (const { order, input } of tried) {
        if (inserted.has(order.id)) auditTry(tx, input.triedBy!, input.environment, order.id);
      }
      return asked.map(({ order }) => inserted.get(order.id) ?? null);
    },
  });

  // What comes while a read is under way is read by a later one, which begins after it came and so knows every price set before.
  const readCatalog = shop.db.coalesce<CreateOrderInput, Catalog>({ runMany: readCatalogs });

  return async function createOrder(input) {
    let pricing: ReturnType<typeof price>;
    try {
      const catalog = needsCatalog(input.body) ? await readCatalog(input) : NOTHING_KNOWN;
      pricing = price(input, catalog, shop.clock.nowSeconds());
    } catch (refusal) {
      // The catalog may have changed since: a repeated request still gets its first answer.
      const answer = input.idempotency ? await replay(shop.db, input) : 'key_is_free';
      if (answer === 'key_is_free') throw refusal;
      return answer;
    }
    for (;;) {
      const order = toNewOrder(input, pricing, newId('ord', shop.clock.nowMs()));
      const inserted = await insert({ order, input });
      if (inserted) return answerOf(order, inserted, input.warnings);
      const answer = await replay(shop.db, input);
      if (answer !== 'key_is_free') return answer;
    }
  };
}

const TEST_ORDER: CreateOrder = { player_id: 'test-player', items: [{ sku: 'test_sword', name: 'Test sword' }] };

/** An order for a studio member to try the checkout with. */
export async function createTestOrder(
  { createOrder }: { createOrder: CreateOrderCase },
  actor: Actor,
  environment: Environment,
): Promise<string> {
  assertSandbox(environment);
  const { id } = await createOrder({ environment, body: TEST_ORDER, warnings: [], idempotency: null, triedBy: actor });
  return id;
}
