import type { Queryable } from '../../db/db.ts';
import type { Seal } from '../../kit/seal.ts';
import { findEnvironmentKey } from './subscription.sql.ts';
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
