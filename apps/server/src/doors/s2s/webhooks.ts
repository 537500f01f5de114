import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { isSandbox } from '../../domain/game/environment.ts';
import { listDeliveries } from '../../domain/webhook/attempt.sql.ts';
import {
  createSubscription,
  patchSubscription,
  removeSubscription,
  rotateSecret,
} from '../../domain/webhook/manage-subscriptions.ts';
import { replayEvents, sendTestEvent } from '../../domain/webhook/resend.ts';
import { signingSecret } from '../../domain/webhook/secrets.ts';
import { findSubscription, listSubscriptions } from '../../domain/webhook/subscription.sql.ts';
import { eventWarnings, type Subscription } from '../../domain/webhook/subscription.ts';
import { mount } from '../../http/mount.ts';
import { pageOf } from '../../http/paging.ts';
import { AppError } from '../../kit/app-error.ts';
import { toUnixSeconds } from '../../kit/clock.ts';
import { deliveryViews } from './delivery-view.ts';
import type { S2sContext, S2sDeps, S2sDoor } from './s2s-deps.ts';

const VISIBLE_CHARS = 4;

const redact = (secret: string): string => `…${secret.slice(-VISIBLE_CHARS)}`;

function webhookView(context: S2sContext, s: Subscription, secret: string): contract.Webhook {
  return {
    id: s.id,
    game_id: context.environment.gameId,
    events: s.events,
    url: s.url,
    description: s.description,
    method: 'POST',
    enabled: s.enabled,
    enabled_logs: s.enabledLogs,
    player_context_enabled: s.playerContextEnabled,
    secret,
    secret_source: s.secretSealed ? 'dedicated' : 's2s_key',
    previous_secret_until: s.previousSecretUntil && toUnixSeconds(s.previousSecretUntil),
    disabled_reason: s.disabledReason,
    sandbox: isSandbox(context.environment),
    created_at: toUnixSeconds(s.createdAt),
    updated_at: toUnixSeconds(s.updatedAt),
  };
}

function mountReading(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  const redactedView = async (context: S2sContext, s: Subscription): Promise<contract.Webhook> =>
    webhookView(context, s, redact(await signingSecret(deps.db, deps.seal, s)));

  mount(
    app,
    contract.listWebhooks,
    ({ query, context }) =>
      pageOf(
        query,
        'whk',
        (beforeId, limit) => listSubscriptions(deps.db, context.environment.id, beforeId, limit),
        s => s.id,
        rows => Promise.all(rows.map(s => redactedView(context, s))),
      ),
    door,
  );

  mount(
    app,
    contract.getWebhook,
    async ({ params, context }) => {
      const found = await findSubscription(deps.db, context.environment.id, params.webhook_id);
      if (!found) throw new AppError('webhook_not_found');
      return redactedView(context, found);
    },
    door,
  );

  mount(
    app,
    contract.listDeliveries,
    async ({ params, query, context: { environment } }) => {
      const found = await findSubscription(deps.db, environment.id, params.webhook_id);
      if (!found) throw new AppError('webhook_not_found');
      return pageOf(
        query,
        'dlv',
        (beforeId, limit) =>
          listDeliveries(deps.db, environment.id, params.webhook_id, {
            status: query.status ?? null,
            kind: query.event_type ?? null,
            beforeId,
            limit,
          }),
        delivery => delivery.id,
        rows => deliveryViews(deps.db, environment.id, rows),
      );
    },
    door,
  );
}

function mountChanges(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  mount(
    app,
    contract.createWebhook,
    async ({ body, context }) => {
      const made = await createSubscription(deps, context.environment.id, body);
      const view = webhookView(context, made, await signingSecret(deps.db, deps.seal, made));
      return { ...view, ...eventWarnings(body.events) };
    },
    door,
  );

  mount(
    app,
    contract.patchWebhook,
    async ({ params, body, context }) => {
      const changed = await patchSubscription(deps, context.environment.id, params.webhook_id, body);
      const view = webhookView(context, changed, redact(await signingSecret(deps.db, deps.seal, changed)));
      return { ...view, ...eventWarnings(body.events) };
    },
    door,
  );

  mount(
    app,
    contract.deleteWebhook,
    async ({ params, context }) => {
      await removeSubscription(deps, context.environment.id, params.webhook_id);
      return undefined;
    },
    door,
  );

  mount(
    app,
    contract.rotateWebhookSecret,
    async ({ params, context }) => {
      const rotated = await rotateSecret(deps, context.environment.id, params.webhook_id);
      return webhookView(context, rotated.subscription, rotated.secret);
    },
    door,
  );
}

export function mountWebhooks(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  mountReading(app, deps, door);
  mountChanges(app, deps, door);

  mount(
    app,
    contract.testWebhook,
    async ({ params, context: { environment } }) => {
      const delivery = await sendTestEvent(deps, environment.id, params.webhook_id);
      const [view] = await deliveryViews(deps.db, environment.id, [delivery]);
      return view!;
    },
    door,
  );

  mount(
    app,
    contract.replayWebhook,
    async ({ params, body, context: { environment } }) => ({
      replayed: await replayEvents(deps, environment.id, params.webhook_id, body),
    }),
    door,
  );
}
