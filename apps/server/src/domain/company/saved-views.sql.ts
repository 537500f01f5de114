import { type Queryable, type RowOf, sql, type Tx, table, typed } from '../../db/statement.ts';

const VIEWS = table('saved_views', {
  environmentId: 'text',
  userId: 'text',
  id: 'text',
  list: typed<'orders'>('text'),
  name: 'text',
  filters: 'text',
});

const OWN = VIEWS.omit('environmentId, userId');

export type ViewOwner = Pick<RowOf<typeof VIEWS>, 'environmentId' | 'userId'>;
export type ViewRow = RowOf<typeof OWN>;

export const listViews = (db: Queryable, { environmentId, userId }: ViewOwner): Promise<ViewRow[]> =>
  db.query(sql('view_list')`
    select ${OWN.columns} from saved_views
    where environment_id = ${environmentId} and user_id = ${userId} order by list, name`);

export const upsertView = (tx: Tx, view: RowOf<typeof VIEWS>): Promise<void> =>
  tx.execute(sql('view_upsert')`
    insert into saved_views (${VIEWS.names}, created_at) values (${VIEWS.values(view)}, app_now())
    on conflict (environment_id, user_id, list, name) do update set filters = excluded.filters`);

export const deleteView = (db: Queryable, { environmentId, userId }: ViewOwner, id: string): Promise<boolean> =>
  db.queryAny(sql('view_delete')`
    delete from saved_views where environment_id = ${environmentId} and user_id = ${userId} and id = ${id} returning id`);
