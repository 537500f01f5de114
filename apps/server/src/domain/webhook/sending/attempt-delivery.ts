import type { DeliveryStatus, EventKind } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { steadyMs } from '../../../kit/clock.ts';
import type { Seal } from '../../../kit/seal.ts';
import { type Delivery, updateDeliveryBody } from '../delivery/delivery.sql.ts';
import { type DeliveryTarget, findItemTarget, findTarget } from '../endpoints/delivery-target.sql.ts';
import { findEvent, listEventsToSend } from '../events/event-rows.sql.ts';
import { bodyFor, playerContext } from './event-body.ts';
import type { Exchange } from './exchange.ts';
import { nextAttempt, type RetryKind } from './retry.ts';
import type { WebhookShop } from './send.ts';
import { signHeaders } from './signature.ts';

/**
 * The bytes to send. Without facts of the player they follow from the event, whenever they are made; whether they have such
 * facts is decided once, when the delivery gets its subscription.
 */
async function bodyToSend(db: Queryable, delivery: Delivery, target: DeliveryTarget): Promise<string> {
  if (delivery.body !== null) return delivery.body;
  const event = delivery.event ?? (await findEvent(db, delivery.environmentId, delivery.eventId));
  if (!event) throw new Error(`the event of ${delivery.id} is no longer kept`);
  const { eventId: id, kind, idempotencyKey } = delivery;
  const make = (player: Parameters<typeof bodyFor>[3]): string =>
    bodyFor({ id, kind, createdAt: event.createdAt, data: event.data }, target, idempotencyKey, player);
  if (delivery.subscriptionId !== null) return make(null);
  const { environmentId } = delivery;
  const player = target.playerContextEnabled ? await playerContext(db, { environmentId, data: event.data }) : null;
  const kept = await updateDeliveryBody(db, delivery, player && make(player), target.subscriptionId);
  return kept ?? make(null);
}

/** What was sent, for people. A delivery is missing here when its event is no longer kept. */
export async function bodiesOf(
  db: Queryable,
  environmentId: string,
  deliveries: readonly Pick<Delivery, 'id' | 'body' | 'eventId' | 'idempotencyKey'>[],
): Promise<Map<string, string>> {
  const bodies = new Map(deliveries.flatMap(({ id, body }) => (body === null ? [] : [[id, body]])));
  const toMake = deliveries.filter(({ id }) => !bodies.has(id));
  if (toMake.length === 0) return bodies;
  const events = await listEventsToSend(
    db,
    environmentId,
    toMake.map(({ eventId }) => eventId),
  );
  for (const { id, eventId, idempotencyKey } of toMake) {
    const event = events.find(one => one.id === eventId);
    if (event) bodies.set(id, bodyFor(event, event, idempotencyKey, null));
  }
  return bodies;
}

export interface Attempted {
  exchange: Exchange;
  target: DeliveryTarget;
  headers: Record<string, string>;
}

export const targetOf = (db: Queryable, delivery: Delivery): Promise<DeliveryTarget | null> =>
  delivery.lane === 'items'
    ? findItemTarget(db, delivery.environmentId)
    : findTarget(db, delivery.environmentId, delivery.subscriptionId!);

/**
 * Opened once for all that share a look at the subscription, and gone with it. By its bytes: each of them has a copy of the row, and
 * all of these hold the same.
 */
const opened = new WeakMap<Buffer, string>();

function openOnce(seal: Seal, sealed: Buffer, context: string): string {
  const secret = opened.get(sealed) ?? seal.open(sealed, context);
  opened.set(sealed, secret);
  return secret;
}

function secretsOf(seal: Seal, target: DeliveryTarget): { secret: string; previousSecret: string | null } {
  const { subscriptionId, secretSealed, previousSecretSealed, keySealed, keyId } = target;
  return {
    secret: secretSealed ? openOnce(seal, secretSealed, subscriptionId) : openOnce(seal, keySealed, keyId),
    previousSecret: previousSecretSealed && openOnce(seal, previousSecretSealed, subscriptionId),
  };
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
  target: DeliveryTarget,
): Promise<Attempted | null> {
  const body = await bodyToSend(shop.db, delivery, target);
  return shop.receiverSlots.run(target.url, async () => {
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
  });
}

export interface AttemptFacts {
  kind: EventKind;
  lane: RetryKind;
  attemptsMade: number;
  /** Of these, how many went before their time, this one not counted. */
  earlyAttempts: number;
  /** This one goes before its time, which comes in so many milliseconds; null: it is a regular one. */
  regularInMs: number | null;
  exchange: Pick<Exchange, 'succeeded' | 'declined' | 'status' | 'retryAfterSeconds'>;
  /** False when the order went another way while the attempt was under way. */
  stillWanted: boolean;
  /** The game said yes before; a grant that is sent again cannot undo it. */
  isGranted: boolean;
  random: number;
  /** Until the studio wants the money released; null: as long as there are attempts. */
  releaseInMs?: number | null;
}

export interface AttemptVerdict {
  /** `gone`: whether it is held is decided under the environment's lock, with the subscription that is disabled. */
  status: Exclude<DeliveryStatus, 'held'> | 'gone';
  nextInMs: number | null;
}

const GONE = 410;

/** How long until a delivery is due that was brought forward; null: it is due. */
export const regularIn = ({ regularAt }: Pick<Delivery, 'regularAt'>, nowMs: number): number | null =>
  regularAt && regularAt.getTime() > nowMs ? regularAt.getTime() - nowMs : null;

/** An attempt before its time uses up no step: the regular one comes when it would have come. */
function nextTime({ lane, attemptsMade, earlyAttempts, regularInMs, exchange, random }: AttemptFacts) {
  if (regularInMs !== null) return { delayMs: regularInMs };
  const { retryAfterSeconds } = exchange;
  return nextAttempt({ kind: lane, attemptsMade: attemptsMade - earlyAttempts, retryAfterSeconds, random });
}

/** What an answer means for the delivery. What it means for the order is read off the delivery's status. */
export function judgeAttempt(facts: AttemptFacts): AttemptVerdict {
  const { exchange } = facts;
  const final = (status: AttemptVerdict['status']): AttemptVerdict => ({ status, nextInMs: null });
  if (exchange.succeeded || facts.isGranted) return final('succeeded');
  if (!facts.stillWanted) return final('canceled');
  if (exchange.status === GONE) return final('gone');
  if (exchange.declined && facts.lane === 'items') return final('declined');
  const releaseInMs = facts.releaseInMs ?? Number.POSITIVE_INFINITY;
  const next = nextTime(facts);
  if (next === 'exhausted' || releaseInMs <= 0) return final('exhausted');
  // The last attempt comes when the time is up, not before: the game may be back by then.
  return { status: 'pending', nextInMs: Math.min(next.delayMs, releaseInMs) };
}
