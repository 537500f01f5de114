import type { SignatureCheck } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import type { DbClock } from '../../../db/db-clock.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { Environment } from '../../game/environment.ts';
import { readSubscription } from '../endpoints/manage-subscriptions.ts';
import { bodiesOf } from '../sending/delivery-body.ts';
import { checkSignature, eventIdIn, type PastedWebhook } from './check-signature.ts';
import { findDeliveryOfEvent } from './secrets.sql.ts';
import { knownSecrets } from './secrets.ts';

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
