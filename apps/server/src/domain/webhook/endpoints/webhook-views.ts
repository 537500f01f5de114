import type * as contract from '@coinslot/contract';
import { notices } from '@coinslot/texts/notices';
import type { Queryable } from '../../../db/db.ts';
import { foundOr } from '../../../kit/app-error.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { onWire } from '../../../kit/on-wire.ts';
import { type Environment, isSandbox } from '../../game/environment.ts';
import { findKeptFrom } from '../../retention/retention.sql.ts';
import { type Attempt, listAttempts, sentHeaders } from '../delivery/attempt.sql.ts';
import { type Delivery, findDelivery } from '../delivery/delivery.sql.ts';
import { bodiesOf } from '../sending/attempt-delivery.ts';
import { isTestDelivery } from '../tunnel/trigger-event.ts';
import type { Subscription } from './subscription.ts';

export const deliverySummary = (delivery: Delivery): contract.DeliverySummary => ({
  ...onWire(delivery, 'id, event_id, order_id, idempotency_key, status, attempts_made, next_attempt_at, last_status'),
  ...onWire(delivery, 'last_error, created_at, finished_at'),
  webhook_id: delivery.subscriptionId,
  event_type: delivery.kind,
  test: isTestDelivery(delivery),
});

export interface DeliveryLog {
  attempts: readonly Attempt[];
  bodies: ReadonlyMap<string, string>;
  /** What is older was removed; null while nothing was. */
  keptFrom: Date | null;
}

export const deliveryView = (delivery: Delivery, { attempts, bodies, keptFrom }: DeliveryLog): contract.Delivery => ({
  ...deliverySummary(delivery),
  attempts: attempts
    .filter(({ deliveryId }) => deliveryId === delivery.id)
    .map(attempt => ({
      ...onWire(attempt, 'attempt, duration_ms, status, error'),
      time: toUnixSeconds(attempt.startedAt),
      request: {
        url: attempt.url,
        headers: sentHeaders(attempt, delivery.idempotencyKey),
        body: bodies.get(delivery.id) ?? null,
      },
      response: attempt.responseHeaders && { headers: attempt.responseHeaders, body: attempt.responseBody },
    })),
  log_kept: keptFrom === null || delivery.createdAt >= keptFrom,
});

export async function readDeliveryLog(
  db: Queryable,
  environmentId: string,
  deliveries: readonly Delivery[],
): Promise<DeliveryLog> {
  const ids = deliveries.map(({ id }) => id);
  const [attempts, bodies, keptFrom] = await Promise.all([
    listAttempts(db, environmentId, ids),
    bodiesOf(db, environmentId, deliveries),
    findKeptFrom(db, 'attempts'),
  ]);
  return { attempts, bodies, keptFrom };
}

export const readDelivery = (db: Queryable, environmentId: string, id: string): Promise<Delivery> =>
  foundOr('delivery_not_found', findDelivery(db, environmentId, id));

export async function readDeliveryViews(db: Queryable, environmentId: string, deliveries: readonly Delivery[]) {
  const log = await readDeliveryLog(db, environmentId, deliveries);
  return deliveries.map(delivery => deliveryView(delivery, log));
}

export const readDeliveryView = async (
  db: Queryable,
  environmentId: string,
  delivery: Delivery,
): Promise<contract.Delivery> => (await readDeliveryViews(db, environmentId, [delivery]))[0]!;

const VISIBLE_CHARS = 4;

/** Enough to tell secrets apart, and too little to sign with. */
export const redactSecret = (secret: string): string => `…${secret.slice(-VISIBLE_CHARS)}`;

export const webhookView = (
  environment: Environment,
  webhook: Subscription,
  secret: string,
  language: contract.DashboardLocale = 'en',
): contract.Webhook => ({
  ...onWire(
    webhook,
    'id, events, url, description, enabled, enabled_logs, player_context_enabled, created_at, updated_at',
  ),
  game_id: environment.gameId,
  method: 'POST',
  secret,
  secret_source: webhook.secretSealed ? 'dedicated' : 's2s_key',
  previous_secret_until: unixOrNull(webhook.previousSecretUntil),
  disabled_reason: webhook.disabledReason && notices.text(language, webhook.disabledReason),
  sandbox: isSandbox(environment),
});
