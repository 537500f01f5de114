import type { SignatureCheck } from '@coinslot/contract';
import type { Queryable, Tx } from '../../../db/db.ts';
import type { DbClock } from '../../../db/db-clock.ts';
import { randomToken, type Seal } from '../../../kit/seal.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import { inCompanyTurn } from '../../game/company-turn.ts';
import type { Environment } from '../../game/environment.ts';
import type { LockedEnvironment } from '../../game/lock-environment.sql.ts';
import type { Shop } from '../../shop.ts';
import { bodiesOf } from '../sending/attempt-delivery.ts';
import type { WebhookShop } from '../sending/send.ts';
import { findItemEndpoint, lockListeners, updateListenerSecrets } from '../tunnel/listener.sql.ts';
import { checkSignature } from './check-signature.ts';
import { lockOwn, type Owner, readSubscription } from './manage-subscriptions.ts';
import { eventIdIn, type PastedWebhook } from './pasted-webhook.ts';
import { findDeliveryOfEvent } from './secrets.sql.ts';
import { knownSecrets, signingSecret } from './secrets.ts';
import { updateSubscription } from './subscription.sql.ts';
import type { Subscription } from './subscription.ts';

export interface RevealedSecret {
  secret: string;
  isDedicated: boolean;
  /** While it still signs beside the new one. */
  previous: { secret: string; until: Date } | null;
}

/** Shows what signs. The door has asked the member to prove to be more than an open session. */
export async function revealSecret(
  { db, seal, clock }: Shop,
  actor: Actor,
  environment: Environment,
  webhookId: string,
): Promise<RevealedSecret> {
  const webhook = await readSubscription(db, environment.id, webhookId);
  const { secretSealed, previousSecretSealed: sealed, previousSecretUntil: until } = webhook;
  const overlaps = sealed !== null && until !== null && until.getTime() > clock.nowMs();
  return db.transaction(async tx => {
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.secret_revealed', objectId: webhook.id });
    return {
      secret: await signingSecret(tx, seal, webhook),
      isDedicated: secretSealed !== null,
      previous: overlaps ? { secret: seal.open(sealed, webhook.id), until } : null,
    };
  });
}

/**
 * Listeners sign as the registered endpoint for items does, so its new secret is theirs with the next attempt. What signed
 * for them so far goes on signing beside it: the receiver on the laptop knows one of the two.
 */
async function rotateListeners(
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

/** A secret of its own; the former one, or the S2S key if that signed before, goes on signing beside it for a while. */
export function rotateSecret(
  { db, seal }: WebhookShop,
  actor: Actor | null,
  environment: Owner,
  id: string,
): Promise<{ subscription: Subscription; secret: string }> {
  return inCompanyTurn(environment.companyId, () =>
    db.transaction(async tx => {
      const { locked, subscription: before, now, overlapSeconds } = await lockOwn(tx, environment.id, id);
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
    }),
  );
}

/** Says why the receiver refused what a member pasted, or that it should not have. */
export async function checkPasted(
  { db, seal, clock }: { db: Queryable; seal: Seal; clock: DbClock },
  environment: Environment,
  webhookId: string,
  pasted: PastedWebhook,
): Promise<SignatureCheck> {
  const subscription = await readSubscription(db, environment.id, webhookId);
  const eventId = eventIdIn(pasted.body);
  const [secrets, delivery] = await Promise.all([
    knownSecrets({ db, seal }, environment, subscription),
    eventId ? findDeliveryOfEvent(db, environment.id, eventId, subscription.id) : null,
  ]);
  const bodies = await bodiesOf(db, environment.id, delivery ? [delivery] : []);
  const sent = delivery && { id: delivery.id, body: bodies.get(delivery.id) ?? null };
  return checkSignature({ pasted, secrets, nowSeconds: clock.nowSeconds(), delivery: sent });
}
