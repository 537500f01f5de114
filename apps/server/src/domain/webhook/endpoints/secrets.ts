import type { Queryable } from '../../../db/db.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { Environment } from '../../game/environment.ts';
import type { KnownSecret } from './check-signature.ts';
import { findEnvironmentKey, listSealedKeys, listSealedSecrets } from './secrets.sql.ts';
import type { Subscription } from './subscription.ts';

/** What signs for a subscription now: its own secret, or the environment's S2S key. */
export async function signingSecret(
  db: Queryable,
  seal: Seal,
  subscription: Pick<Subscription, 'environmentId' | 'id' | 'secretSealed'>,
): Promise<string> {
  if (subscription.secretSealed) return seal.open(subscription.secretSealed, subscription.id);
  const key = await findEnvironmentKey(db, subscription.environmentId);
  return seal.open(key!.sealed, key!.id);
}

/** Everything of a game that may have made a signature: what signs for the webhook first, then what it is mistaken for. */
export async function knownSecrets(
  { db, seal }: { db: Queryable; seal: Seal },
  environment: Environment,
  subscription: Subscription,
): Promise<KnownSecret[]> {
  const [keys, others] = await Promise.all([
    listSealedKeys(db, environment.gameId),
    listSealedSecrets(db, environment.gameId),
  ]);
  const own = keys.filter(({ environmentId }) => environmentId === environment.id);
  const isDedicated = subscription.secretSealed !== null;
  const found: KnownSecret[] = [];
  const add = (name: KnownSecret['name'], sealed: Buffer | null, id: string): void => {
    if (sealed) found.push({ name, secret: seal.open(sealed, id) });
  };
  add('current', subscription.secretSealed, subscription.id);
  for (const [index, { id, sealed }] of own.entries()) {
    if (index === 0) add(isDedicated ? 's2s_key' : 'current', sealed, id);
    else add('other_key', sealed, id);
  }
  add('previous', subscription.previousSecretSealed, subscription.id);
  for (const { environmentId, id, secretSealed, previousSecretSealed } of others) {
    if (id === subscription.id) continue;
    const name = environmentId === environment.id ? 'other_webhook' : 'other_mode';
    add(name, secretSealed, id);
    add(name, previousSecretSealed, id);
  }
  for (const { environmentId, id, sealed } of keys) {
    if (environmentId !== environment.id) add('other_mode', sealed, id);
  }
  return found;
}
