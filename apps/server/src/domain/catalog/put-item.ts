import type { Issue, ItemInput } from '@coinslot/contract';
import type { Queryable } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { CURRENCIES, toMinor } from '../../kit/money.ts';
import type { Environment } from '../game/environment.ts';
import { type Item, updateOrInsertItem } from './catalog.sql.ts';

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
  const currency = body.currency ?? environment.defaultPrice?.currency;
  const priceMinor = readPrice(body.price_decimal, currency, '/price_decimal', issues);
  if (body.sale) {
    readPrice(body.sale.price_decimal, currency, '/sale/price_decimal', issues);
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
