import type { Queryable } from '../../../db/db.ts';
import { steadyMs } from '../../../kit/clock.ts';
import type { Seal } from '../../../kit/seal.ts';
import type { Delivery } from '../delivery/delivery.sql.ts';
import { findItemTarget, findTarget, type Target } from '../endpoints/subscription.sql.ts';
import { bodyToSend } from './delivery-body.ts';
import type { Exchange } from './exchange.ts';
import type { WebhookShop } from './send.ts';
import { signHeaders } from './signature.ts';

export interface Attempted {
  exchange: Exchange;
  target: Target;
  headers: Record<string, string>;
}

export const targetOf = (db: Queryable, delivery: Delivery): Promise<Target | null> =>
  delivery.lane === 'items'
    ? findItemTarget(db, delivery.environmentId)
    : findTarget(db, delivery.environmentId, delivery.subscriptionId!);

interface Secrets {
  secret: string;
  previousSecret: string | null;
}

/** Opened once for all that share a look at the subscription, and gone with it. */
const opened = new WeakMap<Target, Secrets>();

export function secretsOf(seal: Seal, target: Target): Secrets {
  const known = opened.get(target);
  if (known) return known;
  const { secretSealed, previousSecretSealed } = target;
  const secrets = {
    secret: secretSealed ? seal.open(secretSealed, target.subscriptionId) : seal.open(target.keySealed, target.keyId),
    previousSecret: previousSecretSealed ? seal.open(previousSecretSealed, target.subscriptionId) : null,
  };
  opened.set(target, secrets);
  return secrets;
}

/**
 * A database that was away may have taken the process's whole lease. Then another worker has the delivery, and what is sent
 * now could arrive behind the order's next event.
 */
const isLate = ({ sendUntilMs }: Delivery): boolean => sendUntilMs !== undefined && steadyMs() > sendUntilMs;

/** One attempt over the wire. What came of it is for the caller to record. Null: too late, the delivery is another worker's. */
export async function attemptDelivery(
  shop: WebhookShop,
  delivery: Delivery,
  target: Target,
): Promise<Attempted | null> {
  const body = await bodyToSend(shop.db, delivery, target);
  if (isLate(delivery)) return null;
  const headers = signHeaders({
    body,
    timestampSeconds: shop.clock.nowSeconds(),
    idempotencyKey: delivery.idempotencyKey,
    attempt: delivery.attemptsMade,
    ...secretsOf(shop.seal, target),
  });
  const exchange = await shop.sender.send({ url: target.url, body, headers, environmentId: delivery.environmentId });
  return { exchange, target, headers };
}
