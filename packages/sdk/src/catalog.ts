import type { Item, ItemInput, ItemSaved, ListItemsQuery, Player } from './api-shapes.ts';
import { bodyOf, listCall, optionsOf, type Request } from './caller.ts';
import { InputCheck, placeOutsideId } from './input-check.ts';
import type { Listing } from './listing.ts';
import { checkPrice } from './order-input.ts';
import type { CallOptions } from './send-request.ts';

export interface Items {
  get(sku: string, options?: CallOptions): Promise<Item>;
  /** Replaces the whole item; omitted fields are cleared. */
  put(sku: string, input: ItemInput, options?: CallOptions): Promise<ItemSaved>;
  delete(sku: string, options?: CallOptions): Promise<void>;
  /** The catalog, newest first. */
  list(filter?: ListItemsQuery, options?: CallOptions): Listing<Item>;
}

export interface Players {
  get(playerId: string, options?: CallOptions): Promise<Player>;
}

const PATH = '/s2s/v1/items';
const FIELDS = ['name', 'description', 'image_url', 'price_decimal', 'currency', 'sale'];

export function createItems(request: Request): Items {
  const placeOf = (call: string, sku: unknown) => {
    const { segment, query } = placeOutsideId({ call, field: 'sku', name: 'sku', example: 'crystals_100' }, sku);
    return { path: `${PATH}/${segment}`, ...(query && { query }) };
  };
  return {
    get: async (sku, options = {}) =>
      bodyOf(request<Item>({ method: 'GET', ...placeOf('items.get', sku), ...optionsOf(options) })),
    async put(sku, input, options = {}) {
      const place = placeOf('items.put', sku);
      const check = new InputCheck('items.put');
      if (check.object(input, '', `{ name: '100 crystals', price_decimal: 4.99, currency: 'USD' }`)) {
        check.fieldNames(input, '', FIELDS);
        checkPrice(check, input, '');
      }
      check.done();
      return bodyOf(request<ItemSaved>({ method: 'PUT', ...place, body: input, ...optionsOf(options) }));
    },
    async delete(sku, options = {}) {
      await request({ method: 'DELETE', ...placeOf('items.delete', sku), ...optionsOf(options) });
    },
    list: (filter = {}, options = {}) =>
      listCall<Item>(request, { name: 'items.list', path: PATH, filter, options, known: ['limit', 'cursor'] }),
  };
}

export const createPlayers = (request: Request): Players => ({
  get: async (playerId, options = {}) => {
    const what = { call: 'players.get', field: 'playerId', name: 'player_id', example: 'player_42' };
    const { segment, query } = placeOutsideId(what, playerId);
    const path = `/s2s/v1/players/${segment}`;
    return bodyOf(request<Player>({ method: 'GET', path, ...(query && { query }), ...optionsOf(options) }));
  },
});
