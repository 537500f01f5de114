import { type SaveMethodDeps, savedMethodContext } from './save-method.ts';
import { deleteSavedMethod, findSavedMethod, type SavedMethodRecord } from './saved-method.sql.ts';

export interface SavedMethodRef {
  environmentId: string;
  playerId: string;
  id: string;
}

/** A saved method with the provider's token in the clear; null if this player has no such method. */
export async function openSavedMethod(
  { db, seal }: Pick<SaveMethodDeps, 'db' | 'seal'>,
  { environmentId, playerId, id }: SavedMethodRef,
): Promise<{ saved: SavedMethodRecord; token: string } | null> {
  const saved = await findSavedMethod(db, environmentId, playerId, id);
  return saved && { saved, token: seal.open(saved.tokenSealed, savedMethodContext(saved)) };
}

/** Gone here even if the provider cannot be reached: no player is shown it, and nothing here can use it again. */
export async function removeSavedMethod(deps: SaveMethodDeps, ref: SavedMethodRef): Promise<void> {
  const { environmentId, playerId, id } = ref;
  const found = await openSavedMethod(deps, ref);
  if (!found) return;
  await deleteSavedMethod(deps.db, environmentId, playerId, id);
  await deps.gateways[found.saved.gateway]?.forgetMethod?.({ environmentId, playerId, token: found.token });
}
