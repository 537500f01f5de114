import type { ErasedPlayer, Item, ItemInput, ItemSaved, ListItemsQuery, Player, PlayerExport } from './api-shapes.ts';
import { bodyOf, listCall, optionsOf, type Request } from './caller.ts';
import { InputCheck, placeExternalId } from './input-check.ts';
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
  /** Exports everything that is known about one player, to be handed to that player. */
  export(playerId: string, options?: CallOptions): Promise<PlayerExport>;
  /** Removes what is known about a player. Amounts, dates and ids of orders stay. This cannot be undone. */
  erase(playerId: string, options?: CallOptions): Promise<ErasedPlayer>;
}

const PATH = '/s2s/v1/items';
const FIELDS = ['name', 'description', 'image_url', 'price_decimal', 'currency', 'sale'];

export function createItems(request: Request): Items {
  const placeOf = (call: string, sku: unknown) => {
    const { segment, query } = placeExternalId({ call, field: 'sku', name: 'sku', example: 'crystals_100' }, sku);
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

export function createPlayers(request: Request): Players {
  const placeOf = (call: string, playerId: unknown, after = '') => {
    const what = { call: `players.${call}`, field: 'playerId', name: 'player_id', example: 'player_42' };
    const { segment, query } = placeExternalId(what, playerId);
    return { path: `/s2s/v1/players/${segment}${after}`, ...(query && { query }) };
  };
  return {
    get: async (playerId, options = {}) =>
      bodyOf(request<Player>({ method: 'GET', ...placeOf('get', playerId), ...optionsOf(options) })),
    export: async (playerId, options = {}) =>
      bodyOf(
        request<PlayerExport>({ method: 'GET', ...placeOf('export', playerId, '/export'), ...optionsOf(options) }),
      ),
    erase: async (playerId, options = {}) =>
      bodyOf(request<ErasedPlayer>({ method: 'DELETE', ...placeOf('erase', playerId), ...optionsOf(options) })),
  };
}
