import { MOST_VIEWS } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { deleteView, listViews, upsertView, type ViewOwner, type ViewRow } from './saved-views.sql.ts';

/** Keeps the filters of a list for one member. No entry in the log: it changes what one person sees. */
export async function saveView(db: Db, owner: ViewOwner, view: Omit<ViewRow, 'id'>): Promise<void> {
  await db.transaction(async tx => {
    const kept = await listViews(tx, owner);
    const isNew = !kept.some(({ list, name }) => list === view.list && name === view.name);
    if (isNew && kept.length >= MOST_VIEWS) throw new AppError('too_many_views');
    await upsertView(tx, { ...owner, id: newId('viw'), ...view });
  });
}

export async function removeView(db: Db, owner: ViewOwner, id: string): Promise<void> {
  if (!(await deleteView(db, owner, id))) throw new AppError('view_not_found');
}
