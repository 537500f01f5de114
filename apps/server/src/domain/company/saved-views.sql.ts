import type { ViewedList } from '@coinslot/contract';
import { type Queryable, type RowOf, sql, type Tx, table, typed } from '../../db/statement.ts';

const VIEWS = table('saved_views', {
  environmentId: 'text',
  userId: 'text',
  id: 'text',
  list: typed<ViewedList>('text'),
  name: 'text',
  filters: 'text',
  columns: 'text?',
  isShared: 'boolean',
});

const OWN = VIEWS.omit('environmentId');

export type ViewOwner = Pick<RowOf<typeof VIEWS>, 'environmentId' | 'userId'>;
export type ViewRow = RowOf<typeof VIEWS>;

const LIST_COLUMNS = table('list_columns', { userId: 'text', list: typed<ViewedList>('text'), columns: 'text' });

const VIEW_COLUMNS = table('saved_view_columns', {
  environmentId: 'text',
  userId: 'text',
  viewId: 'text',
  columns: 'text',
});

type ListColumnsRow = RowOf<typeof LIST_COLUMNS>;

/** As a member sees it. */
export interface SeenView extends RowOf<typeof OWN> {
  /** The e-mail address of the member who keeps it. */
  keptBy: string;
  isPinned: boolean;
  /** Those that the member chose while it was open. */
  chosenColumns: string | null;
}

/** Their own views, and those that others share; tabs in the order in which they were pinned. */
export const listViews = (db: Queryable, { environmentId, userId }: ViewOwner): Promise<SeenView[]> =>
  db.query(sql('view_list')`
    select ${OWN.of('v')}, u.email as "keptBy", p.view_id is not null as "isPinned", c.columns as "chosenColumns"
    from saved_views v
    join users u on u.id = v.user_id
    left join saved_view_pins p on p.environment_id = v.environment_id and p.user_id = ${userId} and p.view_id = v.id
    left join saved_view_columns c on c.environment_id = v.environment_id and c.user_id = ${userId} and c.view_id = v.id
    where v.environment_id = ${environmentId} and (v.user_id = ${userId} or v.is_shared)
    order by p.created_at, v.list, v.name, v.id`);

export const upsertView = (tx: Tx, view: ViewRow): Promise<{ id: string } | null> =>
  tx.queryOne(sql('view_upsert')`
    insert into saved_views (${VIEWS.names}, created_at) values (${VIEWS.values(view)}, app_now())
    on conflict (environment_id, user_id, list, name)
    do update set filters = excluded.filters, columns = excluded.columns, is_shared = excluded.is_shared
    returning id`);

export const updateViewShared = (tx: Tx, { environmentId, userId }: ViewOwner, id: string, isShared: boolean) =>
  tx.execute(sql('view_update_shared')`
    update saved_views set is_shared = ${isShared}
    where environment_id = ${environmentId} and user_id = ${userId} and id = ${id}`);

export const insertPin = (tx: Tx, { environmentId, userId }: ViewOwner, id: string): Promise<void> =>
  tx.execute(sql('view_pin_insert')`
    insert into saved_view_pins (environment_id, user_id, view_id, created_at)
    values (${environmentId}, ${userId}, ${id}, app_now()) on conflict do nothing`);

export const deletePin = (tx: Tx, { environmentId, userId }: ViewOwner, id: string): Promise<void> =>
  tx.execute(sql('view_pin_delete')`
    delete from saved_view_pins where environment_id = ${environmentId} and user_id = ${userId} and view_id = ${id}`);

/** Unpins a view for the other members, once it is no longer shared with them. */
export const deletePinsOfOthers = (tx: Tx, { environmentId, userId }: ViewOwner, id: string): Promise<void> =>
  tx.execute(sql('view_pins_delete_of_others')`
    delete from saved_view_pins where environment_id = ${environmentId} and view_id = ${id} and user_id <> ${userId}`);

export const deleteView = (tx: Tx, environmentId: string, id: string): Promise<void> =>
  tx.execute(sql('view_delete')`delete from saved_views where environment_id = ${environmentId} and id = ${id}`);

/** A view that is saved again shows what it was saved with. */
export const deleteViewColumns = (tx: Tx, { environmentId, userId }: ViewOwner, id: string): Promise<void> =>
  tx.execute(sql('view_columns_delete')`
    delete from saved_view_columns
    where environment_id = ${environmentId} and user_id = ${userId} and view_id = ${id}`);

export const upsertViewColumns = (tx: Tx, chosen: RowOf<typeof VIEW_COLUMNS>): Promise<void> =>
  tx.execute(sql('view_columns_upsert')`
    insert into saved_view_columns (${VIEW_COLUMNS.names}) values (${VIEW_COLUMNS.values(chosen)})
    on conflict (environment_id, user_id, view_id) do update set columns = excluded.columns`);

/** A member's choice for a list holds in all of their games. */
export const upsertListColumns = (tx: Tx, chosen: ListColumnsRow): Promise<void> =>
  tx.execute(sql('list_columns_upsert')`
    insert into list_columns (${LIST_COLUMNS.names}) values (${LIST_COLUMNS.values(chosen)})
    on conflict (user_id, list) do update set columns = excluded.columns`);

export const listColumnsOf = (db: Queryable, userId: string): Promise<ListColumnsRow[]> =>
  db.query(sql('list_columns_list')`
    select ${LIST_COLUMNS.columns} from list_columns where user_id = ${userId} order by list`);
