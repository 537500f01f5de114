import type { SaveMethodDeps } from './save-method.ts';
import { savedMethodContext } from './save-method.ts';
import { deleteSavedMethod, findSavedMethod } from './saved-method.sql.ts';

/** Gone here even if the provider cannot be reached: nobody is shown it, and nothing here can use it again. */
export async function removeSavedMethod(
  { db, seal, gateways }: SaveMethodDeps,
  { environmentId, playerId, id }: { environmentId: string; playerId: string; id: string },
): Promise<void> {
  const saved = await findSavedMethod(db, environmentId, playerId, id);
  if (!saved) return;
  const token = seal.open(saved.tokenSealed, savedMethodContext(saved));
  await deleteSavedMethod(db, environmentId, playerId, id);
  await gateways[saved.gateway]?.forgetMethod?.({ environmentId, playerId, token });
}
