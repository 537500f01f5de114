import type { DeliveryStatus, ReplayWebhook } from '@coinslot/contract';
import { reasons } from '@coinslot/texts/reasons';
import type { Queryable } from '../../../db/db.ts';
import { AppError, invalidField } from '../../../kit/app-error.ts';
import { ID_SLACK_MS, idBound, newId } from '../../../kit/ids.ts';
import { type Actor, type AuditNote, auditScope, writeAudit } from '../../audit/audit.ts';
import { inCompanyTurn } from '../../game/company-turn.ts';
import type { Environment } from '../../game/environment.ts';
import { lockEnvironment } from '../../game/lock-environment.sql.ts';
import { lockOrder } from '../../order/order.sql.ts';
import { isErased, orderIs } from '../../order/order.ts';
import type { Shop } from '../../shop.ts';
import { readSubscription } from '../endpoints/manage-subscriptions.ts';
import { takesItems } from '../endpoints/subscription.ts';
import { readDelivery } from '../endpoints/webhook-views.ts';
import { findEvent } from '../events/event-rows.sql.ts';
import type { Delivery } from './delivery.sql.ts';
import { updateDeliveriesReplayed, updateDeliveryResent } from './order-queue.sql.ts';
import { findSpanCounts, insertTestDelivery, type SpanCounts } from './resend.sql.ts';

/** One that waits behind another of its order is retried by sending what stands before it now. */
const NOT_RETRYABLE: readonly DeliveryStatus[] = ['held', 'canceled'];

export const isRetryable = ({ status }: Pick<Delivery, 'status'>): boolean => !NOT_RETRYABLE.includes(status);

type Owner = Pick<Environment, 'id' | 'companyId'>;

/** `note` is the entry for a delivery that the member knows by another name. */
export async function retryDelivery(
  { db, signals }: Shop,
  actor: Actor | null,
  environment: Owner,
  id: string,
  note: Pick<AuditNote, 'kind' | 'objectId' | 'after'> = { kind: 'delivery.retried', objectId: id },
): Promise<Delivery> {
  const environmentId = environment.id;
  const delivery = await readDelivery(db, environmentId, id);
  if (!isRetryable(delivery)) {
    throw new AppError('delivery_not_retryable', { detail: `The delivery is ${delivery.status}.` });
  }
  if (delivery.body === null && !(await findEvent(db, environmentId, delivery.eventId))) {
    throw new AppError('delivery_not_retryable', { detail: 'Its event is no longer kept.' });
  }
  await inCompanyTurn(environment.companyId, () =>
    db.transaction(async tx => {
      // An event that a developer made up is about no order.
      if (delivery.kind === 'item.add' && delivery.orderId !== null) {
        const locked = await lockOrder(tx, environmentId, delivery.orderId);
        const { status } = locked!.order;
        // An order that was rejected or refunded must not be granted late, and an erased player gets nothing.
        if (!orderIs(status, 'grantable') || isErased(locked!.order)) {
          const why = isErased(locked!.order) ? 'The player was erased' : `The order is ${status}`;
          throw new AppError('delivery_not_retryable', { detail: `${why}: its items must not be granted now.` });
        }
      }
      const locked = await lockEnvironment(tx, environment.id);
      await updateDeliveryResent(tx, locked, delivery);
      writeAudit(tx, actor, { ...auditScope(environment), ...note });
      tx.afterCommit(() => signals.announce('deliveries'));
    }),
  );
  return readDelivery(db, environmentId, id);
}

export async function replayEvents(
  { db, signals }: Shop,
  actor: Actor | null,
  environment: Owner,
  subscriptionId: string,
  body: ReplayWebhook,
): Promise<number> {
  const { since, until = null, only_failed: onlyFailed = false } = body;
  if (until !== null && until < since)
    throw invalidField('/until', 'time_order', 'The span must not end before it starts.');
  return inCompanyTurn(environment.companyId, () =>
    db.transaction(async tx => {
      const locked = await lockEnvironment(tx, environment.id);
      const { events } = await readSubscription(tx, environment.id, subscriptionId);
      const replayed = await updateDeliveriesReplayed(tx, locked, subscriptionId, {
        since: new Date(since * 1000),
        until: until === null ? null : new Date(until * 1000),
        onlyFailed,
        withItems: takesItems(events),
      });
      const after = { since, until, only_failed: onlyFailed, replayed };
      writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.replayed', objectId: subscriptionId, after });
      tx.afterCommit(() => signals.announce('deliveries'));
      return replayed;
    }),
  );
}

const MOST_COUNTED = 10_000;

export async function readReplayProgress(
  db: Queryable,
  environmentId: string,
  subscriptionId: string,
  { since, until }: { since: Date; until: Date | null },
): Promise<SpanCounts & { isCapped: boolean }> {
  await readSubscription(db, environmentId, subscriptionId);
  const fromId = idBound('dlv', since.getTime() - ID_SLACK_MS);
  const belowId = until ? idBound('dlv', until.getTime() + ID_SLACK_MS) : '~';
  const span = { since, until, fromId, belowId };
  const counts = await findSpanCounts(db, environmentId, subscriptionId, span, MOST_COUNTED);
  return { ...counts, isCapped: counts.total >= MOST_COUNTED };
}

/** Goes to the endpoint whatever kinds it asked for, through the same guard as every other delivery. */
export async function sendTestEvent(
  { db, signals }: Shop,
  actor: Actor | null,
  environment: Owner,
  subscriptionId: string,
): Promise<Delivery> {
  await readSubscription(db, environment.id, subscriptionId);
  const ids = { environmentId: environment.id, eventId: newId('evt'), deliveryId: newId('dlv'), subscriptionId };
  const data = { webhook_id: subscriptionId, message: reasons.text('en', 'webhook_test') };
  await db.transaction(async tx => {
    await insertTestDelivery(tx, ids, data);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.tested', objectId: subscriptionId });
    tx.afterCommit(() => signals.announce('deliveries'));
  });
  return readDelivery(db, environment.id, ids.deliveryId);
}
