import type { Signals } from '../../../db/signals.ts';
import { queueForget, savedMethodContext } from './forget-method.ts';
import type { SaveMethodDeps } from './save-method.ts';
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

/** Gone here at once, whether or not the provider can be reached; a job removes it there, as often as it takes. */
export async function removeSavedMethod(
  deps: Pick<SaveMethodDeps, 'db'> & { signals: Pick<Signals, 'announce'> },
  { environmentId, playerId, id }: SavedMethodRef,
): Promise<void> {
  await deps.db.transaction(async tx => {
    const saved = await findSavedMethod(tx, environmentId, playerId, id);
    if (!saved) return;
    await deleteSavedMethod(tx, environmentId, playerId, id);
    queueForget(tx, saved);
    tx.afterCommit(() => deps.signals.announce('jobs'));
  });
}
