import type { Queryable } from '../../../db/db.ts';
import { type Delivery, updateDeliveryBody } from '../delivery/delivery.sql.ts';
import type { Target } from '../endpoints/subscription.sql.ts';
import { findEvent, listEventsToSend } from '../events/event-rows.sql.ts';
import { bodyFor, playerContext } from './event-body.ts';

/**
 * The bytes to send. Without facts of the player they follow from the event, whenever they are made; whether they have such
 * facts is decided once, when the delivery gets its subscription.
 */
export async function bodyToSend(db: Queryable, delivery: Delivery, target: Target): Promise<string> {
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
