import { type CreateWebhook, LIMITS, type PatchWebhook } from '@coinslot/contract';
import { constraintOf, type Db, type Queryable } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import type { Environment } from '../../game/environment.ts';
import { updateHeldReleased } from '../delivery/order-queue.sql.ts';
import type { WebhookShop } from '../sending/send.ts';
import { checkUrl, type TargetPolicy } from '../sending/target.ts';
import {
  deleteSubscription,
  findSubscription,
  insertSubscription,
  lockEnvironmentSubscriptions,
  lockSubscription,
  updateObserverDeliveriesCanceled,
  updateSubscription,
} from './subscription.sql.ts';
import { type Subscription, takesItems, wholeEvents } from './subscription.ts';

export type Owner = Pick<Environment, 'id' | 'companyId'>;

/** What the audit log says of a webhook. */
const settingsOf = ({ url, events, enabled, description, enabledLogs, playerContextEnabled }: Subscription) => ({
  url,
  events,
  enabled,
  description,
  enabled_logs: enabledLogs,
  player_context_enabled: playerContextEnabled,
});

const ITEM_ENDPOINT = 'webhook_one_item_endpoint';

function vetUrl(url: string, policy: TargetPolicy): void {
  const refusal = checkUrl(url, policy);
  if (!refusal) return;
  throw new AppError('validation_failed', {
    issues: [{ pointer: '/url', code: 'url_refused', message: refusal.message }],
  });
}

const asConflict = (error: unknown): unknown =>
  constraintOf(error) === ITEM_ENDPOINT ? new AppError('item_endpoint_exists') : error;

async function inEnvironment<T>(db: Db, work: Parameters<typeof db.transaction<T>>[0]): Promise<T> {
  try {
    return await db.transaction(work);
  } catch (error) {
    throw asConflict(error);
  }
}

export async function readSubscription(db: Queryable, environmentId: string, id: string): Promise<Subscription> {
  const found = await findSubscription(db, environmentId, id);
  if (!found) throw new AppError('webhook_not_found');
  return found;
}

export async function createSubscription(
  { db, seal, signals, targetPolicy }: WebhookShop,
  actor: Actor | null,
  environment: Owner,
  body: CreateWebhook,
): Promise<Subscription> {
  const environmentId = environment.id;
  vetUrl(body.url, targetPolicy);
  return inEnvironment(db, async tx => {
    const { environment: locked, count, now } = await lockEnvironmentSubscriptions(tx, environmentId);
    if (count >= LIMITS.webhooks) throw new AppError('too_many_webhooks');
    const id = newId('whk', now.getTime());
    const subscription: Subscription = {
      environmentId,
      id,
      url: body.url,
      description: body.description ?? '',
      events: wholeEvents(body.events),
      enabled: body.enabled ?? true,
      enableCount: 1,
      enabledLogs: body.enabled_logs ?? true,
      playerContextEnabled: body.player_context_enabled ?? false,
      secretSealed: body.secret === undefined ? null : seal.seal(body.secret, id),
      previousSecretSealed: null,
      previousSecretUntil: null,
      disabledReason: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertSubscription(tx, locked, subscription);
    if (subscription.enabled) await updateHeldReleased(tx, locked, id, takesItems(subscription.events));
    const after = settingsOf(subscription);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.created', objectId: id, after });
    tx.afterCommit(() => signals.announce('deliveries'));
    return subscription;
  });
}

export async function patchSubscription(
  { db, signals, targetPolicy }: WebhookShop,
  actor: Actor | null,
  environment: Owner,
  id: string,
  body: PatchWebhook,
): Promise<Subscription> {
  const environmentId = environment.id;
  if (body.url !== undefined) vetUrl(body.url, targetPolicy);
  return inEnvironment(db, async tx => {
    const { environment: locked } = await lockEnvironmentSubscriptions(tx, environmentId);
    const found = await lockSubscription(tx, locked, id);
    if (!found) throw new AppError('webhook_not_found');
    const { subscription: before, now } = found;
    const enabled = body.enabled ?? before.enabled;
    const after: Subscription = {
      ...before,
      url: body.url ?? before.url,
      description: body.description ?? before.description,
      events: body.events ? wholeEvents(body.events) : before.events,
      enabled,
      enableCount: before.enableCount + (body.enabled ? 1 : 0),
      enabledLogs: body.enabled_logs ?? before.enabledLogs,
      playerContextEnabled: body.player_context_enabled ?? before.playerContextEnabled,
      disabledReason: enabled ? null : before.disabledReason,
      updatedAt: now,
    };
    await updateSubscription(tx, locked, after);
    if (enabled) await updateHeldReleased(tx, locked, id, takesItems(after.events));
    writeAudit(tx, actor, {
      ...auditScope(environment),
      kind: 'webhook.changed',
      objectId: id,
      before: settingsOf(before),
      after: settingsOf(after),
    });
    tx.afterCommit(() => signals.announce('deliveries'));
    return after;
  });
}

export function removeSubscription(
  { db }: WebhookShop,
  actor: Actor | null,
  environment: Owner,
  id: string,
): Promise<void> {
  return db.transaction(async tx => {
    const { environment: locked } = await lockEnvironmentSubscriptions(tx, environment.id);
    const found = await lockSubscription(tx, locked, id);
    if (!found) throw new AppError('webhook_not_found');
    await deleteSubscription(tx, locked, id);
    await updateObserverDeliveriesCanceled(tx, locked, id);
    const before = settingsOf(found.subscription);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.deleted', objectId: id, before });
  });
}
