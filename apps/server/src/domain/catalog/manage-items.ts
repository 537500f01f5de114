import type { Issue, ItemInput } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { CURRENCIES, toMinor } from '../../kit/money.ts';
import { type Actor, auditScope, writeAudit } from '../audit/audit.ts';
import type { Environment } from '../game/environment.ts';
import type { Shop } from '../shop.ts';
import { deleteItem, findItem, findPlayer, type Item, type Player, updateOrInsertItem } from './catalog.sql.ts';

export async function readItem(db: Queryable, environmentId: string, sku: string): Promise<Item> {
  const item = await findItem(db, environmentId, sku);
  if (!item) throw new AppError('item_not_found');
  return item;
}

export async function readPlayer(db: Queryable, environmentId: string, playerId: string): Promise<Player> {
  const player = await findPlayer(db, environmentId, playerId);
  if (!player) throw new AppError('player_not_found');
  return player;
}

/** The price in minor units, or null without one; what cannot be read exactly is added to the issues. */
function readPrice(
  amount: number | undefined,
  currency: string | undefined,
  pointer: string,
  issues: Issue[],
): number | null {
  if (amount === undefined) return null;
  if (currency === undefined) {
    issues.push({ pointer: '/currency', code: 'currency_required', message: 'A price needs a currency.' });
    return null;
  }
  const minor = toMinor(amount, currency);
  if (typeof minor === 'number') return minor;
  const message = `${currency} has ${CURRENCIES.get(currency)} decimals; the amount has more.`;
  issues.push({ pointer, code: 'too_many_decimals', message });
  return null;
}

/** Sets the item to exactly what is given; what is left out is emptied. */
export function putItem(db: Queryable, environment: Environment, sku: string, body: ItemInput): Promise<Item> {
  const issues: Issue[] = [];
  const { currency } = body;
  const priceMinor = readPrice(body.price_decimal, currency, '/price_decimal', issues);
  if (body.sale) {
    const saleMinor = readPrice(body.sale.price_decimal, currency, '/sale/price_decimal', issues);
    if (saleMinor !== null && priceMinor !== null && saleMinor > priceMinor) {
      issues.push({
        pointer: '/sale/price_decimal',
        code: 'too_big',
        message: 'The sale costs more than the full price.',
      });
    }
    const { starts_at: startsAt, ends_at: endsAt } = body.sale;
    if (startsAt !== undefined && endsAt !== undefined && endsAt <= startsAt) {
      issues.push({ pointer: '/sale/ends_at', code: 'time_order', message: 'The sale must end after it starts.' });
    }
  }
  if (issues.length > 0) throw new AppError('validation_failed', { issues });
  return updateOrInsertItem(db, environment.id, {
    id: newId('itm'),
    sku,
    name: body.name ?? null,
    description: body.description ?? null,
    imageUrl: body.image_url ?? null,
    priceMinor,
    currency: priceMinor === null ? null : currency!,
    sale: body.sale ?? null,
  });
}

const factsOf = ({ name, priceMinor, currency, imageUrl, sale }: Item) => ({
  name,
  price_minor: priceMinor,
  currency,
  image_url: imageUrl,
  sale: sale && JSON.stringify(sale),
});

export interface ItemChange {
  sku: string;
  content: ItemInput;
}

/** Refused for a sku that is taken. */
export const createItem = (
  { db }: Shop,
  actor: Actor,
  environment: Environment,
  { sku, content }: ItemChange,
): Promise<Item> =>
  db.transaction(async tx => {
    if (await findItem(tx, environment.id, sku)) throw new AppError('item_exists');
    const item = await putItem(tx, environment, sku, content);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'item.created', objectId: sku, after: factsOf(item) });
    return item;
  });

/** Refused for a sku that is unknown. */
export const changeItem = (
  { db }: Shop,
  actor: Actor,
  environment: Environment,
  { sku, content }: ItemChange,
): Promise<Item> =>
  db.transaction(async tx => {
    const before = factsOf(await readItem(tx, environment.id, sku));
    const item = await putItem(tx, environment, sku, content);
    const after = factsOf(item);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'item.changed', objectId: sku, before, after });
    return item;
  });

export const removeItem = ({ db }: Shop, actor: Actor | null, environment: Environment, sku: string): Promise<void> =>
  db.transaction(async tx => {
    if (!(await deleteItem(tx, environment.id, sku))) throw new AppError('item_not_found');
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'item.deleted', objectId: sku });
  });
