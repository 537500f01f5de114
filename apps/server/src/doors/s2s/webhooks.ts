import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { listDeliveries } from '../../domain/webhook/delivery/attempt.sql.ts';
import { replayEvents, sendTestEvent } from '../../domain/webhook/delivery/resend.ts';
import { rotateSecret } from '../../domain/webhook/endpoints/manage-secrets.ts';
import {
  createSubscription,
  patchSubscription,
  readSubscription,
  removeSubscription,
} from '../../domain/webhook/endpoints/manage-subscriptions.ts';
import { signingSecret } from '../../domain/webhook/endpoints/secrets.ts';
import { listSubscriptions } from '../../domain/webhook/endpoints/subscription.sql.ts';
import { eventWarnings, type Subscription } from '../../domain/webhook/endpoints/subscription.ts';
import { readDeliveryViews, redactSecret, webhookView } from '../../domain/webhook/endpoints/webhook-views.ts';
import { mount } from '../../http/mount.ts';
import { pageOf } from '../../http/paging.ts';
import type { S2sContext, S2sDeps, S2sDoor } from './s2s-deps.ts';

function mountReading(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  const redactedView = async (context: S2sContext, s: Subscription): Promise<contract.Webhook> =>
    webhookView(context.environment, s, redactSecret(await signingSecret(deps.db, deps.seal, s)));

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
      const found = await readSubscription(deps.db, context.environment.id, params.webhook_id);
      return redactedView(context, found);
    },
    door,
  );

  mount(
    app,
    contract.listDeliveries,
    async ({ params, query, context: { environment } }) => {
      const { id: subscriptionId } = await readSubscription(deps.db, environment.id, params.webhook_id);
      return pageOf(
        query,
        'dlv',
        (beforeId, limit) =>
          listDeliveries(deps.db, environment.id, {
            subscriptionId,
            orderId: null,
            status: query.status ?? null,
            kind: query.event_type ?? null,
            beforeId,
            limit,
          }),
        delivery => delivery.id,
        rows => readDeliveryViews(deps.db, environment.id, rows),
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
      const made = await createSubscription(deps, null, context.environment, body);
      const view = webhookView(context.environment, made, await signingSecret(deps.db, deps.seal, made));
      return { ...view, ...eventWarnings(body.events) };
    },
    door,
  );

  mount(
    app,
    contract.patchWebhook,
    async ({ params, body, context }) => {
      const changed = await patchSubscription(deps, null, context.environment, params.webhook_id, body);
      const secret = redactSecret(await signingSecret(deps.db, deps.seal, changed));
      return { ...webhookView(context.environment, changed, secret), ...eventWarnings(body.events) };
    },
    door,
  );

  mount(
    app,
    contract.deleteWebhook,
    async ({ params, context }) => {
      await removeSubscription(deps, null, context.environment, params.webhook_id);
      return undefined;
    },
    door,
  );

  mount(
    app,
    contract.rotateWebhookSecret,
    async ({ params, context }) => {
      const rotated = await rotateSecret(deps, null, context.environment, params.webhook_id);
      return webhookView(context.environment, rotated.subscription, rotated.secret);
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
      const delivery = await sendTestEvent(deps, null, environment, params.webhook_id);
      const [view] = await readDeliveryViews(deps.db, environment.id, [delivery]);
      return view!;
    },
    door,
  );

  mount(
    app,
    contract.replayWebhook,
    async ({ params, body, context: { environment } }) => ({
      replayed: await replayEvents(deps, null, environment, params.webhook_id, body),
    }),
    door,
  );
}
