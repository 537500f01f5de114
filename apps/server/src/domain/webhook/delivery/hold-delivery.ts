import type { Tx } from '../../../db/db.ts';
import { insertJob } from '../../../jobs/jobs.sql.ts';
import { type LockedEnvironment, lockEnvironmentShared } from '../../game/lock-environment.sql.ts';
import type { DeliveryTarget } from '../endpoints/delivery-target.sql.ts';
import { hasSubscription, updateSubscriptionGone } from '../endpoints/subscription.sql.ts';
import { targetOf } from '../sending/attempt-delivery.ts';
import { LISTEN_URL } from '../tunnel/relay.ts';
import { type Delivery, type DeliveryHold, holdUnder } from './delivery.sql.ts';

type Standing = 'pending' | 'canceled' | DeliveryHold;

/** Under the lock that every change of a subscription takes, so that none is held which could go. */
async function hold(tx: Tx, environment: LockedEnvironment, delivery: Delivery): Promise<Standing> {
  if (await targetOf(tx, delivery)) return 'pending';
  const mayCome = delivery.lane === 'items' || (await hasSubscription(tx, environment.id, delivery.subscriptionId!));
  return mayCome ? holdUnder(environment) : 'canceled';
}

/** What becomes of a delivery that was not sent: it waits until a subscription takes it, and goes at once if one does. */
export const holdDelivery = async (tx: Tx, delivery: Delivery): Promise<Standing> =>
  hold(tx, await lockEnvironmentShared(tx, delivery.environmentId), delivery);

/**
 * The endpoint answered 410 Gone: nothing more is sent to that address until a member enables the subscription again, and
 * the members are notified. An address that was replaced since, or an attempt from before it was enabled, disables nothing.
 */
export async function holdGoneDelivery(
  tx: Tx,
  delivery: Delivery,
  target: Pick<DeliveryTarget, 'subscriptionId' | 'url' | 'enableCount'>,
): Promise<Standing> {
  const { environmentId } = delivery;
  const { subscriptionId, url } = target;
  const environment = await lockEnvironmentShared(tx, environmentId);
  const isDisabled = await updateSubscriptionGone(tx, environment, target);
  // The developer at a listener sees the answer on their screen.
  if (isDisabled && !url.startsWith(LISTEN_URL)) {
    insertJob(tx, { name: 'notice.send', environmentId, payload: { kind: 'webhook_disabled', subscriptionId } });
  }
  return hold(tx, environment, delivery);
}
