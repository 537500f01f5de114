import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

export interface ViewRow {
  id: string;
  list: 'orders';
  name: string;
  filters: string;
}

interface Owner {
  environmentId: string;
  userId: string;
}

export const listViews = (db: Queryable, { environmentId, userId }: Owner): Promise<ViewRow[]> =>
  db.query(sql('view_list')`
    select id, list, name, filters from saved_views
    where environment_id = ${environmentId} and user_id = ${userId} order by list, name`);

export const upsertView = (tx: Tx, { environmentId, userId }: Owner, view: ViewRow): Promise<void> =>
  tx.execute(sql('view_upsert')`
    insert into saved_views (environment_id, user_id, id, list, name, filters, created_at)
    values (${environmentId}, ${userId}, ${view.id}, ${view.list}, ${view.name}, ${view.filters}, app_now())
    on conflict (environment_id, user_id, list, name) do update set filters = excluded.filters`);

export const deleteView = (db: Queryable, { environmentId, userId }: Owner, id: string): Promise<boolean> =>
  db.queryAny(sql('view_delete')`
    delete from saved_views where environment_id = ${environmentId} and user_id = ${userId} and id = ${id} returning id`);
