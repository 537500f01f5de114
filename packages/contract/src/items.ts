import { endpoint } from './endpoint.ts';
import {
  currency,
  givenTime,
  idInQuery,
  LIMITS,
  named,
  nullable,
  oneLine,
  opaqueId,
  outsideId,
  page,
  paging,
  priceDecimal,
  time,
  warnings,
  webUrl,
} from './shape.ts';
import { type Static, Type } from './type.ts';

export const sku = () => outsideId('Identifier of the item, unique within the game backend.', 'sword_of_dawn');

export const itemText = {
  name: Type.Optional(oneLine(LIMITS.nameChars, 'Display name, in one line.', 1)),
  description: Type.Optional(
    Type.String({
      maxLength: LIMITS.descriptionChars,
      pattern: '^[^\\r]*$',
      description: 'Description. May have line feeds.',
    }),
  ),
  image_url: Type.Optional(webUrl('Picture of the item.')),
};

const saleFields = {
  discount_percent: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'Percent off the price, with at most two decimals.',
      examples: [20],
    }),
  ),
  price_decimal: Type.Optional(priceDecimal('The price during the sale, in the currency of the item.')),
  starts_at: Type.Optional(givenTime('When the sale starts; immediately when omitted.')),
  ends_at: Type.Optional(givenTime('When the sale ends; never when omitted.')),
};

/** A lower price, permanently or for a time span. */
export const SaleInput = named(
  'SaleInput',
  saleFields,
  'A sale: either a discount or a price, with an optional time span.',
  {
    oneOf: [{ required: ['discount_percent'] }, { required: ['price_decimal'] }],
  },
);
export type SaleInput = Static<typeof SaleInput>;

export const Sale = named('Sale', saleFields, 'A sale: either a discount or a price, with an optional time span.');
export type Sale = Static<typeof Sale>;

export const itemPrice = {
  price_decimal: Type.Optional(priceDecimal('Unit price, in major units.')),
  currency: Type.Optional(currency('Currency of the price, ISO 4217 in upper case.')),
  sale: Type.Optional(SaleInput),
};

export const ItemInput = named(
  'ItemInput',
  { ...itemText, ...itemPrice },
  'The catalog’s data about an item. Omitted fields are cleared.',
);
export type ItemInput = Static<typeof ItemInput>;

const itemFields = {
  id: opaqueId('itm', 'Identifier within Coinslot.'),
  sku: sku(),
  name: nullable(Type.String({ description: 'Display name.' })),
  description: nullable(Type.String({ description: 'Description.' })),
  image_url: nullable(Type.String({ description: 'Picture of the item.' })),
  price_decimal: nullable(Type.Number({ description: 'Unit price, in major units.' })),
  currency: nullable(Type.String({ description: 'ISO 4217.' })),
  sale: nullable(Sale),
  sandbox: Type.Boolean({ description: 'True in the sandbox environment.' }),
  created_at: time('When the item was first seen.'),
  updated_at: time('When it last changed.'),
};

export const Item = named('Item', itemFields, 'A catalog item.');
export type Item = Static<typeof Item>;

const params = Type.Object({ sku: sku() });
const query = Type.Object({ sku: idInQuery('sku') });

export const getItem = endpoint({
  name: 'get_item',
  tag: 'Items',
  method: 'GET',
  path: '/s2s/v1/items/{sku}',
  summary: 'Read an item',
  description: 'Reads a catalog item.',
  params,
  query,
  response: { status: 200, description: 'The item.', schema: Item },
  errors: ['item_not_found'],
});

export const putItem = endpoint({
  name: 'put_item',
  tag: 'Items',
  method: 'PUT',
  path: '/s2s/v1/items/{sku}',
  summary: 'Create or replace an item',
  description: 'Replaces the whole item. Existing orders keep the data they were created with.',
  params,
  query,
  body: ItemInput,
  response: {
    status: 200,
    description: 'The item as it is now.',
    schema: named('ItemSaved', { ...itemFields, warnings: warnings() }, 'A catalog item that was just saved.'),
  },
  errors: [],
});

export const deleteItem = endpoint({
  name: 'delete_item',
  tag: 'Items',
  method: 'DELETE',
  path: '/s2s/v1/items/{sku}',
  summary: 'Delete an item',
  description: 'Removes the item from the catalog. Existing orders keep it. A later order with the sku adds it again.',
  params,
  query,
  response: { status: 204, description: 'Deleted.' },
  errors: ['item_not_found'],
});

export const listItems = endpoint({
  name: 'list_items',
  tag: 'Items',
  method: 'GET',
  path: '/s2s/v1/items',
  summary: 'List items',
  description: 'Lists the catalog, newest first.',
  query: Type.Object(paging),
  response: { status: 200, description: 'One page of items.', schema: page('ItemPage', Item) },
  errors: [],
});
