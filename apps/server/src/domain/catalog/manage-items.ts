import type { Issue, ItemInput } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { AppError, foundOr } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { CURRENCIES, toMinor } from '../../kit/money.ts';
import { type Actor, auditScope, writeAudit } from '../audit/audit.ts';
import type { Environment } from '../game/environment.ts';
import type { Shop } from '../shop.ts';
import { deleteItem, findItem, findPlayer, type Item, type Player, updateOrInsertItem } from './catalog.sql.ts';

export const readItem = (db: Queryable, environmentId: string, sku: string): Promise<Item> =>
  foundOr('item_not_found', findItem(db, environmentId, sku));

export const readPlayer = (db: Queryable, environmentId: string, playerId: string): Promise<Player> =>
  foundOr('player_not_found', findPlayer(db, environmentId, playerId));

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
      const message = 'The sale costs more than the full price.';
      issues.push({ pointer: '/sale/price_decimal', code: 'too_big', message });
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
  isNew: boolean;
}

/** Creates the item, unless its sku is taken, or changes the one that is there. */
export const saveItem = (
  { db }: Shop,
  actor: Actor,
  environment: Environment,
  { sku, content, isNew }: ItemChange,
): Promise<Item> =>
  db.transaction(async tx => {
    if (isNew && (await findItem(tx, environment.id, sku))) throw new AppError('item_exists');
    const before = isNew ? null : factsOf(await readItem(tx, environment.id, sku));
    const item = await putItem(tx, environment, sku, content);
    const kind = isNew ? 'item.created' : 'item.changed';
    writeAudit(tx, actor, { ...auditScope(environment), kind, objectId: sku, before, after: factsOf(item) });
    return item;
  });

export const removeItem = ({ db }: Shop, actor: Actor | null, environment: Environment, sku: string): Promise<void> =>
  db.transaction(async tx => {
    if (!(await deleteItem(tx, environment.id, sku))) throw new AppError('item_not_found');
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'item.deleted', objectId: sku });
  });
