import type { ReplayWebhook } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import type { Signals } from '../../db/signals.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { lockOrder } from '../order/order.sql.ts';
import { type Delivery, findDelivery, insertTestDelivery } from './delivery.sql.ts';
import { updateDeliveriesReplayed, updateDeliveryResent } from './line.sql.ts';
import { findSubscription, lockEnvironment } from './subscription.sql.ts';

interface ResendDeps {
  db: Db;
  signals: Signals;
}

/** An order that was rejected or refunded must not be granted late. */
const GRANTABLE: readonly string[] = ['authorized', 'paid'];

export async function retryDelivery({ db, signals }: ResendDeps, environmentId: string, id: string): Promise<Delivery> {
  const delivery = await findDelivery(db, environmentId, id);
  if (!delivery) throw new AppError('delivery_not_found');
  if (['blocked', 'held', 'canceled'].includes(delivery.status)) {
    throw new AppError('delivery_not_retryable', { detail: `The delivery is ${delivery.status}.` });
  }
  await db.transaction(async tx => {
    // An event that a developer made up is about no order.
    if (delivery.kind === 'item.add' && delivery.orderId !== null) {
      const locked = await lockOrder(tx, environmentId, delivery.orderId);
      const { status } = locked!.order;
      if (!GRANTABLE.includes(status)) {
        throw new AppError('delivery_not_retryable', {
          detail: `The order is ${status}: its items must not be granted now.`,
        });
      }
    }
    await lockEnvironment(tx, environmentId);
    await updateDeliveryResent(tx, delivery);
    tx.afterCommit(() => signals.announce('deliveries'));
  });
  return (await findDelivery(db, environmentId, id))!;
}

export async function replayEvents(
  { db, signals }: ResendDeps,
  environmentId: string,
  subscriptionId: string,
  body: ReplayWebhook,
): Promise<number> {
  if (body.until !== undefined && body.until < body.since) {
    const message = 'The span must not end before it starts.';
    throw new AppError('validation_failed', { issues: [{ pointer: '/until', code: 'time_order', message }] });
  }
  return db.transaction(async tx => {
    await lockEnvironment(tx, environmentId);
    if (!(await findSubscription(tx, environmentId, subscriptionId))) throw new AppError('webhook_not_found');
    tx.afterCommit(() => signals.announce('deliveries'));
    return updateDeliveriesReplayed(tx, environmentId, subscriptionId, {
      since: new Date(body.since * 1000),
      until: body.until === undefined ? null : new Date(body.until * 1000),
      onlyFailed: body.only_failed ?? false,
    });
  });
}

/** Goes to the endpoint whatever kinds it asked for, through the same guard as every other delivery. */
export async function sendTestEvent(
  { db, signals }: ResendDeps,
  environmentId: string,
  subscriptionId: string,
): Promise<Delivery> {
  if (!(await findSubscription(db, environmentId, subscriptionId))) throw new AppError('webhook_not_found');
  const ids = { environmentId, eventId: newId('evt'), deliveryId: newId('dlv'), subscriptionId };
  const data = { webhook_id: subscriptionId, message: 'This is a test. Nothing was bought.' };
  await db.transaction(async tx => {
    await insertTestDelivery(tx, ids, data);
    tx.afterCommit(() => signals.announce('deliveries'));
  });
  return (await findDelivery(db, environmentId, ids.deliveryId))!;
}
