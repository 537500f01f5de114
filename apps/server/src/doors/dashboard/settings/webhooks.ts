import { dashboardEndpoints as calls, type DashboardWebhook, EVENT_CLASSES, EVENTS, LIMITS } from '@coinslot/contract';
import { isSandbox } from '../../../domain/game/environment.ts';
import {
  type DeliveryFigureRow,
  listDeliveryFigures,
  listFreshAttempts,
} from '../../../domain/report/figures/delivery-figures.sql.ts';
import { figureOf, spanStart } from '../../../domain/report/figures/delivery-figures.ts';
import { findDeliveryOfEvent, findSpanCounts } from '../../../domain/report/lists/webhooks.sql.ts';
import { confirmPassword } from '../../../domain/user/confirm-password.ts';
import { checkSignature, eventIdIn } from '../../../domain/webhook/check-signature.ts';
import { deliverySummary } from '../../../domain/webhook/delivery-view.ts';
import {
  createSubscription,
  patchSubscription,
  removeSubscription,
  rotateSecret,
} from '../../../domain/webhook/manage-subscriptions.ts';
import { replayEvents, sendTestEvent } from '../../../domain/webhook/resend.ts';
import { knownSecrets, signingSecret } from '../../../domain/webhook/secrets.ts';
import { findSubscription, listSubscriptions } from '../../../domain/webhook/subscription.sql.ts';
import { eventWarnings, type Subscription } from '../../../domain/webhook/subscription.ts';
import { createRateLimiter, tooManyRequests } from '../../../http/rate-limit.ts';
import { AppError } from '../../../kit/app-error.ts';
import { systemClock, toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { idBound } from '../../../kit/ids.ts';
import { audited, writeEnvironmentAudit } from '../audited.ts';
import type { EnvironmentContext } from '../dashboard-context.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import type { DashboardMount } from '../define-route.ts';

const VISIBLE_CHARS = 4;
/** Enough for people; too few for who would look for open doors with it. */
const TESTS_PER_MINUTE = 30;
const MOST_COUNTED = 10_000;
/** An id is made by the clock of a process, a time by that of the database. */
const SLACK_MS = 3_600_000;

const redact = (secret: string): string => `…${secret.slice(-VISIBLE_CHARS)}`;

/** How each webhook did in the last 24 hours. */
export async function recentFigures({ db, clock }: DashboardDeps, environmentId: string): Promise<DeliveryFigureRow[]> {
  const from = spanStart('24h', new Date(clock.nowMs()));
  const [rolledUp, fresh] = await Promise.all([
    listDeliveryFigures(db, environmentId, from),
    listFreshAttempts(db, environmentId),
  ]);
  return [...rolledUp, ...fresh];
}

function webhookView(
  { environment }: EnvironmentContext,
  s: Subscription,
  secret: string,
  figures: DeliveryFigureRow[],
): DashboardWebhook {
  const { attempts, succeeded, p95_ms } = figureOf(figures.filter(({ subscriptionId }) => subscriptionId === s.id));
  return {
    id: s.id,
    game_id: environment.gameId,
    events: s.events,
    url: s.url,
    description: s.description,
    method: 'POST',
    enabled: s.enabled,
    enabled_logs: s.enabledLogs,
    player_context_enabled: s.playerContextEnabled,
    secret: redact(secret),
    secret_source: s.secretSealed ? 'dedicated' : 's2s_key',
    previous_secret_until: unixOrNull(s.previousSecretUntil),
    disabled_reason: s.disabledReason,
    sandbox: isSandbox(environment),
    created_at: toUnixSeconds(s.createdAt),
    updated_at: toUnixSeconds(s.updatedAt),
    health: { attempts, succeeded, p95_ms },
  };
}

async function viewOf(
  deps: DashboardDeps,
  context: EnvironmentContext,
  subscriptions: Subscription[],
): Promise<DashboardWebhook[]> {
  const figures = await recentFigures(deps, context.environment.id);
  const secrets = await Promise.all(subscriptions.map(one => signingSecret(deps.db, deps.seal, one)));
  return subscriptions.map((one, index) => webhookView(context, one, secrets[index]!, figures));
}

async function readWebhook(
  { db }: DashboardDeps,
  { environment }: EnvironmentContext,
  id: string,
): Promise<Subscription> {
  const found = await findSubscription(db, environment.id, id);
  if (!found) throw new AppError('webhook_not_found');
  return found;
}

const settingsOf = ({ url, events, enabled, description, enabledLogs, playerContextEnabled }: Subscription) => ({
  url,
  events,
  enabled,
  description,
  enabled_logs: enabledLogs,
  player_context_enabled: playerContextEnabled,
});

function mountReading(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listDashboardWebhooks, async context => ({
    data: await viewOf(deps, context, await listSubscriptions(deps.db, context.environment.id, null, LIMITS.webhooks)),
    event_classes: EVENT_CLASSES.map(({ name, description, kinds }) => ({
      name,
      description,
      kinds: kinds.map(kind => ({ kind, description: EVENTS[kind].description })),
    })),
  }));

  mount(calls.getDashboardWebhook, async (context, { params }) => {
    const [view] = await viewOf(deps, context, [await readWebhook(deps, context, params.webhook_id)]);
    return view!;
  });

  mount(calls.checkSignature, async (context, { params, body }) => {
    const subscription = await readWebhook(deps, context, params.webhook_id);
    const eventId = eventIdIn(body.body);
    const [secrets, delivery] = await Promise.all([
      knownSecrets(deps, context.environment, subscription),
      eventId ? findDeliveryOfEvent(deps.db, context.environment.id, eventId, subscription.id) : null,
    ]);
    return checkSignature({ pasted: body, secrets, nowSeconds: deps.clock.nowSeconds(), delivery });
  });

  mount(calls.getReplayProgress, async (context, { params, query }) => {
    await readWebhook(deps, context, params.webhook_id);
    const since = new Date(query.since * 1000);
    const until = query.until === undefined ? null : new Date(query.until * 1000);
    const fromId = idBound('dlv', since.getTime() - SLACK_MS);
    const belowId = until ? idBound('dlv', until.getTime() + SLACK_MS) : '~';
    const span = { since, until, fromId, belowId };
    const counts = await findSpanCounts(deps.db, context.environment.id, params.webhook_id, span, MOST_COUNTED);
    return { ...counts, is_capped: counts.total >= MOST_COUNTED };
  });
}

function mountChanges(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.createDashboardWebhook, async (context, { body }) => {
    const db = audited(deps.db, context, made => {
      const after = made as Subscription;
      return { kind: 'webhook.created', objectId: after.id, after: settingsOf(after) };
    });
    const made = await createSubscription({ ...deps, db }, context.environment.id, body);
    const [view] = await viewOf(deps, context, [made]);
    return { ...view!, ...eventWarnings(body.events) };
  });

  mount(calls.patchDashboardWebhook, async (context, { params, body }) => {
    const before = await readWebhook(deps, context, params.webhook_id);
    const db = audited(deps.db, context, after => ({
      kind: 'webhook.changed',
      objectId: before.id,
      before: settingsOf(before),
      after: settingsOf(after as Subscription),
    }));
    const changed = await patchSubscription({ ...deps, db }, context.environment.id, params.webhook_id, body);
    const [view] = await viewOf(deps, context, [changed]);
    return { ...view!, ...eventWarnings(body.events) };
  });

  mount(calls.deleteDashboardWebhook, async (context, { params }) => {
    const before = await readWebhook(deps, context, params.webhook_id);
    const note = { kind: 'webhook.deleted', objectId: before.id, before: settingsOf(before) } as const;
    const db = audited(deps.db, context, () => note);
    await removeSubscription({ ...deps, db }, context.environment.id, params.webhook_id);
    return undefined;
  });
}

function mountSecrets(mount: DashboardMount, deps: DashboardDeps): void {
  const { db, seal } = deps;

  mount(calls.rotateDashboardSecret, async (context, { params }) => {
    const note = { kind: 'webhook.secret_rotated', objectId: params.webhook_id } as const;
    const rotating = { ...deps, db: audited(db, context, () => note) };
    const { subscription, secret } = await rotateSecret(rotating, context.environment.id, params.webhook_id);
    return {
      secret,
      secret_source: 'dedicated' as const,
      previous_secret: null,
      previous_secret_until: unixOrNull(subscription.previousSecretUntil),
    };
  });

  mount(calls.revealDashboardSecret, async (context, { params, body }) => {
    const subscription = await readWebhook(deps, context, params.webhook_id);
    await confirmPassword({ db }, context.signedIn.userId, body.password);
    const { secretSealed, previousSecretSealed, previousSecretUntil } = subscription;
    const overlaps =
      previousSecretSealed !== null &&
      previousSecretUntil !== null &&
      previousSecretUntil.getTime() > deps.clock.nowMs();
    return db.transaction(async tx => {
      writeEnvironmentAudit(tx, context, { kind: 'webhook.secret_revealed', objectId: subscription.id });
      return {
        secret: await signingSecret(tx, seal, subscription),
        secret_source: secretSealed ? ('dedicated' as const) : ('s2s_key' as const),
        previous_secret: overlaps ? seal.open(previousSecretSealed, subscription.id) : null,
        previous_secret_until: overlaps ? unixOrNull(previousSecretUntil) : null,
      };
    });
  });
}

export function mountWebhooks(mount: DashboardMount, deps: DashboardDeps): void {
  mountReading(mount, deps);
  mountChanges(mount, deps);
  mountSecrets(mount, deps);

  const tests = createRateLimiter({ limit: TESTS_PER_MINUTE, windowMs: 60_000, maxKeys: 10_000, clock: systemClock });

  mount(calls.testDashboardWebhook, async (context, { params }) => {
    const allowance = tests.take(context.environment.id);
    if (!allowance.allowed) throw tooManyRequests(allowance);
    const note = { kind: 'webhook.tested', objectId: params.webhook_id } as const;
    const testing = { ...deps, db: audited(deps.db, context, () => note) };
    return deliverySummary(await sendTestEvent(testing, context.environment.id, params.webhook_id));
  });

  mount(calls.replayDashboardWebhook, async (context, { params, body }) => {
    const { since, until = null, only_failed = false } = body;
    const db = audited(deps.db, context, replayed => ({
      kind: 'webhook.replayed',
      objectId: params.webhook_id,
      after: { since, until, only_failed, replayed: replayed as number },
    }));
    const replayed = await replayEvents({ ...deps, db }, context.environment.id, params.webhook_id, body);
    return { replayed };
  });
}
