import { Item, ItemInput, sku } from '../items.ts';
import { page, paging } from '../shape.ts';
import { Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { search } from './listing.ts';

const params = Type.Object({ sku: sku() });

export const itemEndpoints = {
  listDashboardItems: dashboardEndpoint({
    name: 'list_items',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/items',
    summary: 'The catalog, newest first.',
    query: Type.Object({ ...paging, q: search('Searches in sku and name.') }),
    response: { status: 200, description: 'One page.', schema: page('DashboardItemPage', Item) },
    errors: [],
  }),
  getDashboardItem: dashboardEndpoint({
    name: 'get_item',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: '/dashboard/api/games/{game_id}/{mode}/items/{sku}',
    summary: 'One item.',
    params,
    response: { status: 200, description: 'The item.', schema: Item },
    errors: ['item_not_found'],
  }),
  createDashboardItem: dashboardEndpoint({
    name: 'create_item',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: '/dashboard/api/games/{game_id}/{mode}/items',
    summary: 'Create an item. Fails if the sku exists.',
    body: Type.Object({ sku: sku(), ...ItemInput.properties }, { title: 'NewItem', description: 'An item.' }),
    response: { status: 201, description: 'The item.', schema: Item },
    errors: ['item_exists'],
  }),
  putDashboardItem: dashboardEndpoint({
    name: 'put_item',
    scope: 'environment',
    role: 'developer',
    method: 'PUT',
    path: '/dashboard/api/games/{game_id}/{mode}/items/{sku}',
    summary: 'Replace the whole item; omitted fields are cleared.',
    params,
    body: ItemInput,
    response: { status: 200, description: 'The item as it is now.', schema: Item },
    errors: ['item_not_found'],
  }),
  deleteDashboardItem: dashboardEndpoint({
    name: 'delete_item',
    scope: 'environment',
    role: 'developer',
    method: 'DELETE',
    path: '/dashboard/api/games/{game_id}/{mode}/items/{sku}',
    summary: 'Remove the item from the catalog. Existing orders keep it.',
    params,
    response: { status: 204, description: 'Deleted.' },
    errors: ['item_not_found'],
  }),
};
