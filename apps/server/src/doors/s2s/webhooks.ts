import * as contract from '@coinslot/contract';
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
import { readDeliveryView, redactSecret, webhookView } from '../../domain/webhook/endpoints/webhook-views.ts';
import { pageOf } from '../../http/paging.ts';
import { deliveryPage } from './deliveries.ts';
import type { S2sContext, S2sMount, S2sShop } from './s2s-shop.ts';

function mountReading(mount: S2sMount, shop: S2sShop): void {
  const redactedView = async (context: S2sContext, s: Subscription): Promise<contract.Webhook> =>
    webhookView(context.environment, s, redactSecret(await signingSecret(shop.db, shop.seal, s)));

  mount(contract.listWebhooks, ({ query, context }) =>
    pageOf(
      query,
      'whk',
      (beforeId, limit) => listSubscriptions(shop.db, context.environment.id, beforeId, limit),
      rows => Promise.all(rows.map(s => redactedView(context, s))),
    ),
  );

  mount(contract.getWebhook, async ({ params, context }) => {
    const found = await readSubscription(shop.db, context.environment.id, params.webhook_id);
    return redactedView(context, found);
  });

  mount(contract.listDeliveries, async ({ params, query, context: { environment } }) => {
    const { id } = await readSubscription(shop.db, environment.id, params.webhook_id);
    return deliveryPage(shop.db, environment.id, { ...query, webhook_id: id });
  });
}

function mountChanges(mount: S2sMount, shop: S2sShop): void {
  mount(contract.createWebhook, async ({ body, context }) => {
    const made = await createSubscription(shop, null, context.environment, body);
    const view = webhookView(context.environment, made, await signingSecret(shop.db, shop.seal, made));
    return { ...view, ...eventWarnings(body.events) };
  });

  mount(contract.patchWebhook, async ({ params, body, context }) => {
    const changed = await patchSubscription(shop, null, context.environment, params.webhook_id, body);
    const secret = redactSecret(await signingSecret(shop.db, shop.seal, changed));
    return { ...webhookView(context.environment, changed, secret), ...eventWarnings(body.events) };
  });

  mount(contract.deleteWebhook, async ({ params, context }) =>
    removeSubscription(shop, null, context.environment, params.webhook_id),
  );

  mount(contract.rotateWebhookSecret, async ({ params, context }) => {
    const rotated = await rotateSecret(shop, null, context.environment, params.webhook_id);
    return webhookView(context.environment, rotated.subscription, rotated.secret);
  });
}

export function mountWebhooks(mount: S2sMount, shop: S2sShop): void {
  mountReading(mount, shop);
  mountChanges(mount, shop);

  mount(contract.testWebhook, async ({ params, context: { environment } }) => {
    const delivery = await sendTestEvent(shop, null, environment, params.webhook_id);
    return readDeliveryView(shop.db, environment.id, delivery);
  });

  mount(contract.replayWebhook, async ({ params, body, context: { environment } }) => ({
    replayed: await replayEvents(shop, null, environment, params.webhook_id, body),
  }));
}
