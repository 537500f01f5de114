import type { Tx } from '../../db/db.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import type { Delivery } from './delivery.sql.ts';
import { LISTEN_URL } from './listen/relay.ts';
import { targetOf } from './sending/attempt-delivery.ts';
import { hasSubscription, lockEnvironmentShared, type Target, updateSubscriptionGone } from './subscription.sql.ts';

/**
 * What becomes of a delivery that was not accepted or not sent: it waits until a subscription takes it, and goes at once if
 * one does. Decided under the lock that every change of a subscription takes, so that none is held which could go.
 */
export async function holdDelivery(tx: Tx, delivery: Delivery): Promise<'pending' | 'held' | 'canceled'> {
  const { environmentId, lane, subscriptionId } = delivery;
  await lockEnvironmentShared(tx, environmentId);
  if (await targetOf(tx, delivery)) return 'pending';
  const mayCome = lane === 'items' || (await hasSubscription(tx, environmentId, subscriptionId!));
  return mayCome ? 'held' : 'canceled';
}

/**
 * The endpoint answered 410 Gone: nothing more is sent to that address until a member enables the subscription again, and
 * the members are told. An address that was replaced since disables nothing.
 */
export async function holdGoneDelivery(
  tx: Tx,
  delivery: Delivery,
  { subscriptionId, url }: Pick<Target, 'subscriptionId' | 'url'>,
): Promise<'pending' | 'held' | 'canceled'> {
  const { environmentId } = delivery;
  await lockEnvironmentShared(tx, environmentId);
  const isDisabled = await updateSubscriptionGone(tx, environmentId, subscriptionId, url);
  // The developer at a listener sees the answer on their screen.
  if (isDisabled && !url.startsWith(LISTEN_URL)) {
    insertJob(tx, { name: 'notice.send', environmentId, payload: { kind: 'webhook_disabled', subscriptionId } });
  }
  return holdDelivery(tx, delivery);
}
