import { type CreateWebhook, LIMITS, type PatchWebhook } from '@coinslot/contract';
import { orConflict, type Queryable, type Tx } from '../../../db/db.ts';
import { AppError, assertNoIssues, foundOr } from '../../../kit/app-error.ts';
import { newId } from '../../../kit/ids.ts';
import { onWire } from '../../../kit/on-wire.ts';
import { type Actor, auditScope, writeAudit } from '../../audit/audit.ts';
import { inCompanyTurn } from '../../game/company-turn.ts';
import type { Environment } from '../../game/environment.ts';
import { type LockedEnvironment, lockEnvironment } from '../../game/lock-environment.sql.ts';
import { updateHeldReleased } from '../delivery/order-queue.sql.ts';
import { deleteHealthOfObserver, updateHealthToProbe } from '../health/endpoint-health.sql.ts';
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

const settingsOf = (webhook: Subscription) =>
  onWire(webhook, 'url, events, enabled, description, enabled_logs, player_context_enabled');

const oneItemEndpoint = orConflict('webhook_one_item_endpoint', 'item_endpoint_exists');

export function vetUrl(url: string, policy: TargetPolicy, pointer = '/url'): void {
  const refusal = checkUrl(url, policy);
  assertNoIssues(refusal && { pointer, code: 'url_refused', message: refusal.message });
}

export const readSubscription = (db: Queryable, environmentId: string, id: string): Promise<Subscription> =>
  foundOr('webhook_not_found', findSubscription(db, environmentId, id));

/** With every other subscription of its environment, so that no event is held which could go. */
export async function lockOwn(tx: Tx, environmentId: string, id: string) {
  const locked = await lockEnvironment(tx, environmentId);
  return { locked, ...(await foundOr('webhook_not_found', lockSubscription(tx, locked, id))) };
}

/** What was held for want of an endpoint goes. What waits for its next attempt goes with the first answer of a new address. */
async function releaseWaiting(
  tx: Tx,
  locked: LockedEnvironment<'writer'>,
  { id, events, url }: Subscription,
  before?: Subscription,
): Promise<void> {
  await updateHeldReleased(tx, locked, id, takesItems(events));
  if (before?.enabled && before.url === url && takesItems(before.events) === takesItems(events)) return;
  await updateHealthToProbe(tx, locked.id, takesItems(events) ? [locked.id, id] : [id]);
}

export async function createSubscription(
  { db, seal, signals, targetPolicy }: WebhookShop,
  actor: Actor | null,
  environment: Owner,
  body: CreateWebhook,
): Promise<Subscription> {
  const environmentId = environment.id;
  vetUrl(body.url, targetPolicy);
  const create = async (tx: Tx): Promise<Subscription> => {
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
    if (subscription.enabled) await releaseWaiting(tx, locked, subscription);
    const after = settingsOf(subscription);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.created', objectId: id, after });
    tx.afterCommit(() => signals.announce('deliveries'));
    return subscription;
  };
  return inCompanyTurn(environment.companyId, () => db.transaction(create)).catch(oneItemEndpoint);
}

export async function patchSubscription(
  { db, signals, targetPolicy }: WebhookShop,
  actor: Actor | null,
  environment: Owner,
  id: string,
  body: PatchWebhook,
): Promise<Subscription> {
  if (body.url !== undefined) vetUrl(body.url, targetPolicy);
  const patch = async (tx: Tx): Promise<Subscription> => {
    const { locked, subscription: before, now } = await lockOwn(tx, environment.id, id);
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
    if (enabled) await releaseWaiting(tx, locked, after, before);
    const changed = { before: settingsOf(before), after: settingsOf(after) };
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.changed', objectId: id, ...changed });
    tx.afterCommit(() => signals.announce('deliveries'));
    return after;
  };
  return inCompanyTurn(environment.companyId, () => db.transaction(patch)).catch(oneItemEndpoint);
}

export function removeSubscription(
  { db }: WebhookShop,
  actor: Actor | null,
  environment: Owner,
  id: string,
): Promise<void> {
  const remove = async (tx: Tx): Promise<void> => {
    const { locked, subscription } = await lockOwn(tx, environment.id, id);
    await deleteSubscription(tx, locked, id);
    await updateObserverDeliveriesCanceled(tx, locked, id);
    await deleteHealthOfObserver(tx, locked.id, id);
    const before = settingsOf(subscription);
    writeAudit(tx, actor, { ...auditScope(environment), kind: 'webhook.deleted', objectId: id, before });
  };
  return inCompanyTurn(environment.companyId, () => db.transaction(remove));
}
