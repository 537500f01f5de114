import { type ChooseColumns, MOST_VIEWS, type Role, type SaveView } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import type { Tx } from '../../db/statement.ts';
import { AppError, assertNoIssues } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { nameIssue } from '../user/field-issues.ts';
import { hasRole } from './manage-members.ts';
import {
  deletePin,
  deletePinsOfOthers,
  deleteView,
  deleteViewColumns,
  insertPin,
  listViews,
  type SeenView,
  updateViewShared,
  upsertListColumns,
  upsertView,
  upsertViewColumns,
  type ViewOwner,
} from './saved-views.sql.ts';

/** Keeps filters and columns of a list. No entry in the log: it changes what people see, and nothing else. */
export async function saveView(db: Db, owner: ViewOwner, wanted: SaveView): Promise<void> {
  const { list, name, filters, columns = null, is_shared: isShared = false, is_pinned: isPinned = false } = wanted;
  // Others read it once it is shared.
  assertNoIssues(nameIssue(name, '/name'));
  await db.transaction(async tx => {
    const own = (await listViews(tx, owner)).filter(({ userId }) => userId === owner.userId);
    const isNew = !own.some(view => view.list === list && view.name === name);
    if (isNew && own.length >= MOST_VIEWS) throw new AppError('too_many_views');
    const kept = await upsertView(tx, { ...owner, id: newId('viw'), list, name, filters, columns, isShared });
    const id = kept!.id;
    if (isPinned) await insertPin(tx, owner, id);
    if (!isShared) await deletePinsOfOthers(tx, owner, id);
    if (columns !== null) await deleteViewColumns(tx, owner, id);
  });
}

async function findView(tx: Tx, owner: ViewOwner, id: string): Promise<SeenView> {
  const found = (await listViews(tx, owner)).find(view => view.id === id);
  if (!found) throw new AppError('view_not_found');
  return found;
}

/** Each member pins for themselves; only who keeps a view shares it. */
export async function changeView(
  db: Db,
  owner: ViewOwner,
  id: string,
  { isPinned, isShared }: { isPinned: boolean | undefined; isShared: boolean | undefined },
): Promise<void> {
  await db.transaction(async tx => {
    const { userId } = await findView(tx, owner, id);
    if (isPinned !== undefined) await (isPinned ? insertPin : deletePin)(tx, owner, id);
    if (isShared === undefined) return;
    if (userId !== owner.userId) throw new AppError('view_not_found');
    await updateViewShared(tx, owner, id, isShared);
    if (!isShared) await deletePinsOfOthers(tx, owner, id);
  });
}

/** The columns of a list, or of a view that the member sees: each member chooses for themselves. */
export async function chooseColumns(db: Db, owner: ViewOwner, chosen: ChooseColumns): Promise<void> {
  const { list, view_id: viewId, columns } = chosen;
  await db.transaction(async tx => {
    if (viewId === undefined) return upsertListColumns(tx, { userId: owner.userId, list, columns });
    const { id } = await findView(tx, owner, viewId);
    await upsertViewColumns(tx, { ...owner, viewId: id, columns });
  });
}

/** Who keeps it, or an owner of the company: a member who left may have shared it. */
export async function removeView(db: Db, owner: ViewOwner, role: Role, id: string): Promise<void> {
  await db.transaction(async tx => {
    const { userId } = await findView(tx, owner, id);
    if (userId !== owner.userId && !hasRole(role, 'owner')) throw new AppError('view_not_found');
    await deleteView(tx, owner.environmentId, id);
  });
}
