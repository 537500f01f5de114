import type { CreateOrder, OrderItemInput } from './api-shapes.ts';
import { InputCheck, show } from './input-check.ts';

const EXAMPLE = `{ player_id: 'player_42', items: [{ sku: 'crystals_100' }] }`;
const MOST_ITEMS = 100;
const MOST_PIECES = 1_000_000;
const HIGHEST_PRICE = 1_000_000_000;

const ORDER_FIELDS = [
  'player_id',
  'items',
  'price_decimal',
  'currency',
  'email',
  'back_to_game_url',
  'back_to_store_url',
  'country',
  'locale',
  'metadata',
  'expires_at',
  'player',
  'ui',
] as const satisfies readonly (keyof CreateOrder)[];

const ITEM_FIELDS = [
  'sku',
  'name',
  'description',
  'image_url',
  'quantity',
  'price_decimal',
  'currency',
  'sale',
] as const satisfies readonly (keyof OrderItemInput)[];

/** A price and its currency, of an order or an item. */
export function checkPrice(check: InputCheck, fields: Record<string, unknown>, pointer: string): void {
  const { price_decimal: price, currency } = fields;
  if (price !== undefined && !(typeof price === 'number' && price >= 0 && price <= HIGHEST_PRICE)) {
    const isQuoted = typeof price === 'string' && price !== '' && Number.isFinite(Number(price));
    const hint = isQuoted ? `: ${Number(price)}, not "${price}"` : `; got ${show(price)}`;
    check.refuse(`${pointer}/price_decimal`, 'type', `must be a number in major units, such as 4.99${hint}`);
  }
  if (currency !== undefined && !(typeof currency === 'string' && /^[A-Z]{3}$/.test(currency))) {
    check.refuse(`${pointer}/currency`, 'format_currency', `must be an ISO 4217 code in upper case, such as "USD"`);
  }
  if (price !== undefined && currency === undefined) {
    check.refuse(`${pointer}/currency`, 'currency_required', 'is required with a price, such as "USD"');
  }
}

function checkItem(check: InputCheck, item: unknown, pointer: string): void {
  if (typeof item === 'string') {
    check.refuse(pointer, 'type', `must be an object: { sku: '${item.slice(0, 40)}' }`);
    return;
  }
  if (!check.object(item, pointer, `{ sku: 'crystals_100' }`)) return;
  check.fieldNames(item, pointer, ITEM_FIELDS);
  check.text(item.sku, `${pointer}/sku`, 'crystals_100');
  if (item.quantity !== undefined) check.wholeNumber(item.quantity, `${pointer}/quantity`, 1, MOST_PIECES);
  checkPrice(check, item, pointer);
}

function checkTime(check: InputCheck, value: unknown, pointer: string): void {
  if (value === undefined || (Number.isInteger(value) && Number(value) < 1e11)) return;
  check.refuse(pointer, 'type', 'is in Unix seconds: Math.floor(date.getTime() / 1000)');
}

/** Checks an order before it is sent. The service checks the rest. */
export function checkOrderInput(input: unknown): void {
  const check = new InputCheck('orders.create');
  if (check.object(input, '', EXAMPLE)) {
    check.fieldNames(input, '', ORDER_FIELDS);
    if (!('playerId' in input)) check.text(input.player_id, '/player_id', 'player_42');
    const { items } = input;
    if (!Array.isArray(items) || items.length === 0 || items.length > MOST_ITEMS) {
      check.refuse(
        '/items',
        'too_few',
        `must be a list of 1 to ${MOST_ITEMS} items, such as [{ sku: 'crystals_100' }]`,
      );
    } else for (const [i, item] of items.entries()) checkItem(check, item, `/items/${i}`);
    checkPrice(check, input, '');
    checkTime(check, input.expires_at, '/expires_at');
  }
  check.done();
}
