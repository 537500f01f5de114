import type { DashboardWebhook } from '@coinslot/contract';
import { figureOf, readRecentAttempts } from '../../../domain/reporting/figures/delivery-figures.ts';
import { signingSecret } from '../../../domain/webhook/endpoints/secrets.ts';
import { type Subscription, takesItems } from '../../../domain/webhook/endpoints/subscription.ts';
import { redactSecret, webhookView } from '../../../domain/webhook/endpoints/webhook-views.ts';
import { listHealth } from '../../../domain/webhook/health/endpoint-health.sql.ts';
import type { EndpointHealth } from '../../../domain/webhook/health/endpoint-health.ts';
import { MOST_AT_ONCE } from '../../../domain/webhook/sending/receiver-slots.ts';
import { unixOrNull } from '../../../kit/clock.ts';
import type { DashboardShop, EnvironmentContext } from '../define-route.ts';

const STATES = { suspect: 'ok', down: 'failing', back: 'recovering' } as const;

const WORST_FIRST = ['down', 'back', 'suspect'];

/** A webhook that takes items and other events has a row for each; the worse one says how its receiver does. */
const worstOf = (rows: readonly EndpointHealth[]): EndpointHealth | undefined =>
  rows.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state))[0];

const endpointView = (health?: EndpointHealth) => ({
  state: health ? STATES[health.state] : ('ok' as const),
  failing_since: health && health.state !== 'suspect' ? unixOrNull(health.failingSince) : null,
  at_once: health?.slots ?? MOST_AT_ONCE,
});

type Asking = Pick<EnvironmentContext, 'environment' | 'language'>;

export async function dashboardWebhooks(
  { db, seal, clock }: DashboardShop,
  { environment, language }: Asking,
  webhooks: Subscription[],
): Promise<DashboardWebhook[]> {
  const [rows, failed, secrets] = await Promise.all([
    readRecentAttempts(db, environment.id, new Date(clock.nowMs())),
    listHealth(db, environment.id),
    Promise.all(webhooks.map(webhook => signingSecret(db, seal, webhook))),
  ]);
  return webhooks.map((webhook, index) => {
    const { attempts, succeeded, p95_ms } = figureOf(
      rows.filter(({ subscriptionId }) => subscriptionId === webhook.id),
    );
    const health = { attempts, succeeded, p95_ms };
    const names = takesItems(webhook.events) ? [environment.id, webhook.id] : [webhook.id];
    const endpoint = endpointView(worstOf(failed.filter(row => names.includes(row.endpoint))));
    return { ...webhookView(environment, webhook, redactSecret(secrets[index]!), language), health, endpoint };
  });
}

export async function dashboardWebhook(
  shop: DashboardShop,
  asking: Asking,
  webhook: Subscription,
): Promise<DashboardWebhook> {
  const [view] = await dashboardWebhooks(shop, asking, [webhook]);
  return view!;
}
