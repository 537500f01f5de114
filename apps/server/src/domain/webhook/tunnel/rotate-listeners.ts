import type { Tx } from '../../../db/db.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { LockedEnvironment } from '../../game/lock-environment.sql.ts';
import { signingSecret } from '../secrets/secrets.ts';
import { findItemEndpoint, lockListeners, updateListenerSecrets } from './listener.sql.ts';

/**
 * Listeners sign as the registered endpoint for items does, so its new secret is theirs with the next attempt. What signed
 * for them so far goes on signing beside it: the receiver on the laptop knows one of the two.
 */
export async function rotateListeners(
  tx: Tx,
  seal: Seal,
  environment: LockedEnvironment<'writer'>,
  endpointId: string,
  secret: string,
): Promise<void> {
  if ((await findItemEndpoint(tx, environment.id))?.id !== endpointId) return;
  for (const listener of await lockListeners(tx, environment)) {
    const { id } = listener;
    const previous = await signingSecret(tx, seal, listener);
    await updateListenerSecrets(tx, environment, id, seal.seal(secret, id), seal.seal(previous, id));
  }
}
