import { AppError } from '../../../kit/app-error.ts';
import { randomToken } from '../../../kit/seal.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Owner, SubscriptionDeps } from '../endpoints/manage-subscriptions.ts';
import { lockEnvironmentSubscriptions, lockSubscription, updateSubscription } from '../endpoints/subscription.sql.ts';
import type { Subscription } from '../endpoints/subscription.ts';
import { rotateListeners } from '../tunnel/rotate-listeners.ts';
import { signingSecret } from './secrets.ts';

/** A secret of its own; the former one, or the S2S key if that signed before, goes on signing beside it for a while. */
export function rotateSecret(
  { db, seal }: SubscriptionDeps,
  actor: Actor | null,
  environment: Owner,
  id: string,
): Promise<{ subscription: Subscription; secret: string }> {
  const environmentId = environment.id;
  return db.transaction(async tx => {
    const { environment: locked } = await lockEnvironmentSubscriptions(tx, environmentId);
    const found = await lockSubscription(tx, locked, id);
    if (!found) throw new AppError('webhook_not_found');
    const { subscription: before, now, overlapSeconds } = found;
    const secret = `whsec_${Buffer.from(randomToken(32), 'base64url').toString('base64')}`;
    const subscription: Subscription = {
      ...before,
      secretSealed: seal.seal(secret, id),
      previousSecretSealed: seal.seal(await signingSecret(tx, seal, before), id),
      previousSecretUntil: new Date(now.getTime() + overlapSeconds * 1000),
      updatedAt: now,
    };
    await updateSubscription(tx, locked, subscription);
    await rotateListeners(tx, seal, locked, id, secret);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.secret_rotated', objectId: id });
    return { subscription, secret };
  });
}
