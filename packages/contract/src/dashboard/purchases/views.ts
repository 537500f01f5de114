import { named, oneLine, oneOf, opaqueId } from '../../shape.ts';
import { type Static, Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';

/** Lists whose filters can be saved. */
export const VIEWED_LISTS = ['orders'] as const;
const list = oneOf(VIEWED_LISTS, 'The list.');

export const MOST_VIEWS = 20;

export const SavedView = named(
  'SavedView',
  {
    id: opaqueId('viw', 'The view.'),
    list,
    name: Type.String({ description: 'What the member calls it.' }),
    filters: Type.String({ description: 'The filters, as the address has them: `status=paid&range=7d`.' }),
  },
  'Filters of a list that a member kept under a name. Only that member sees it.',
);
export type SavedView = Static<typeof SavedView>;

const PATH = '/dashboard/api/games/{game_id}/{mode}/views';
const views = {
  status: 200,
  description: 'The member’s views.',
  schema: named('SavedViews', { data: Type.Array(SavedView) }, 'By name.'),
};

export const viewEndpoints = {
  listViews: dashboardEndpoint({
    name: 'list_views',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: PATH,
    summary: 'The signed-in member’s saved views.',
    response: views,
    errors: [],
  }),
  saveView: dashboardEndpoint({
    name: 'save_view',
    scope: 'environment',
    role: 'viewer',
    method: 'POST',
    path: PATH,
    summary: 'Keep filters under a name. The same name again replaces it.',
    body: named(
      'SaveView',
      {
        list,
        name: oneLine(60, 'What to call it.', 1),
        filters: Type.String({ minLength: 1, maxLength: 2_000, description: 'The filters, as the address has them.' }),
      },
      'A view to keep.',
    ),
    response: views,
    errors: ['too_many_views'],
  }),
  deleteView: dashboardEndpoint({
    name: 'delete_view',
    scope: 'environment',
    role: 'viewer',
    method: 'DELETE',
    path: `${PATH}/{view_id}`,
    summary: 'Remove a view.',
    params: Type.Object({ view_id: opaqueId('viw', 'The view.') }),
    response: views,
    errors: ['view_not_found'],
  }),
};
