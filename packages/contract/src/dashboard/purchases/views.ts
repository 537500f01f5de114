import { named, nullable, oneLine, oneOf, opaqueId } from '../../shape.ts';
import { type Static, Type } from '../../type.ts';
import { dashboardEndpoint } from '../dashboard-endpoint.ts';

/** Lists whose filters and columns can be saved. */
export const VIEWED_LISTS = ['orders', 'transactions', 'players'] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];
const list = oneOf(VIEWED_LISTS, 'The list.');

export const MOST_VIEWS = 20;

const PINNED = 'Whether it stands as a tab above the member’s list.';
const SHARED = 'Whether all members see it.';
const columns = Type.String({
  maxLength: 500,
  pattern: '^[a-z_]+(?:,[a-z_]+)*$',
  description: 'The columns to show, separated by commas.',
});
const filters = (minLength: number) =>
  Type.String({
    minLength,
    maxLength: 2_000,
    description: 'The filters and the order, as the address has them: `status=paid&range=7d`.',
  });

export const SavedView = named(
  'SavedView',
  {
    id: opaqueId('viw', 'The view.'),
    list,
    name: Type.String({ description: 'What the member calls it.' }),
    filters: filters(0),
    columns: nullable(
      Type.String({
        description:
          'The columns, separated by commas: those that the member chose in this view, else the view’s own; null shows those that the member chose for the list.',
      }),
    ),
    is_pinned: Type.Boolean({ description: PINNED }),
    is_shared: Type.Boolean({ description: SHARED }),
    is_own: Type.Boolean({ description: 'Whether the signed-in member keeps it.' }),
    kept_by: Type.String({ description: 'Who keeps it, by email address.' }),
  },
  'Filters and columns of a list that a member kept under a name.',
);
export type SavedView = Static<typeof SavedView>;

export const SaveView = named(
  'SaveView',
  {
    list,
    name: oneLine(60, 'What to call it.', 1),
    filters: filters(0),
    columns: Type.Optional(columns),
    is_pinned: Type.Optional(Type.Boolean({ description: PINNED })),
    is_shared: Type.Optional(Type.Boolean({ description: SHARED })),
  },
  'A view to keep.',
);
export type SaveView = Static<typeof SaveView>;

export const ListColumns = named(
  'ListColumns',
  { list, columns },
  'The columns that the signed-in member chose for a list.',
);
export type ListColumns = Static<typeof ListColumns>;

export const ChooseColumns = named(
  'ChooseColumns',
  { list, view_id: Type.Optional(opaqueId('viw', 'The view that is open.')), columns },
  'What to show.',
);
export type ChooseColumns = Static<typeof ChooseColumns>;

const PATH = '/dashboard/api/games/{game_id}/{mode}/views';
const params = Type.Object({ view_id: opaqueId('viw', 'The view.') });
const views = {
  status: 200,
  description: 'The views that the member sees.',
  schema: named(
    'SavedViews',
    {
      data: Type.Array(SavedView, { description: 'Pinned ones first, in the order of their tabs.' }),
      columns: Type.Array(ListColumns, { description: 'Of each list for which the member chose columns.' }),
    },
    'Views of lists, and the columns of lists, as the signed-in member has them.',
  ),
};

export const viewEndpoints = {
  listViews: dashboardEndpoint({
    name: 'list_views',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: PATH,
    summary: 'The signed-in member’s saved views, and those that other members share.',
    response: views,
    errors: [],
  }),
  saveView: dashboardEndpoint({
    name: 'save_view',
    scope: 'environment',
    role: 'viewer',
    method: 'POST',
    path: PATH,
    summary: 'Keep filters and columns under a name. The same name again replaces it.',
    body: SaveView,
    response: views,
    errors: ['too_many_views'],
  }),
  changeView: dashboardEndpoint({
    name: 'change_view',
    scope: 'environment',
    role: 'viewer',
    method: 'PATCH',
    path: `${PATH}/{view_id}`,
    summary: 'Pin a view for oneself, or share one’s own with all members.',
    params,
    body: named(
      'ChangeView',
      {
        is_pinned: Type.Optional(Type.Boolean({ description: PINNED })),
        is_shared: Type.Optional(Type.Boolean({ description: SHARED })),
      },
      'What to change.',
    ),
    response: views,
    errors: ['view_not_found'],
  }),
  chooseColumns: dashboardEndpoint({
    name: 'choose_columns',
    scope: 'environment',
    role: 'viewer',
    method: 'PUT',
    path: '/dashboard/api/games/{game_id}/{mode}/columns',
    summary: 'Choose the columns of a list or of a view, for oneself. Those of a list hold in every game.',
    body: ChooseColumns,
    response: views,
    errors: ['view_not_found'],
  }),
  deleteView: dashboardEndpoint({
    name: 'delete_view',
    scope: 'environment',
    role: 'viewer',
    method: 'DELETE',
    path: `${PATH}/{view_id}`,
    summary: 'Remove a view. Owners may remove those that others share.',
    params,
    response: views,
    errors: ['view_not_found'],
  }),
};
