import type { Tx } from '../../../db/db.ts';
import { semaphore } from '../../../kit/concurrency.ts';
import { newId } from '../../../kit/ids.ts';
import { type LockedEnvironment, lockEnvironmentShared } from '../../game/lock-environment.sql.ts';
import type { Shop } from '../../shop.ts';
import { holdUnder } from '../delivery/delivery.sql.ts';
import { insertObserverDeliveries, type ObserverDelivery } from '../delivery/observer-delivery.sql.ts';
import { listObservers, type Observer } from '../endpoints/subscription.sql.ts';
import { selectorsOf } from '../endpoints/subscription.ts';
import {
  type ClaimedEvent,
  claimEventsToFanOut,
  listEnvironmentsToFanOut,
  listEventsToSend,
  lockFanOut,
} from '../events/event-rows.sql.ts';
import { bodyFor, playerContext } from '../sending/event-body.ts';

/** Events of one environment in a round: other environments go on beside it, so no flood takes more than its share. */
const MOST_EVENTS = 2_000;
const MOST_DELIVERIES = 6_000;
const ENVIRONMENTS_AT_ONCE = 3;

const eventsFor = (observers: readonly Observer[]): number =>
  Math.min(MOST_EVENTS, Math.ceil(MOST_DELIVERIES / Math.max(1, observers.length)));

const wants = (observer: Observer, event: ClaimedEvent): boolean =>
  selectorsOf(event.kind).some(kind => observer.events.includes(kind));

type BodyOf = (event: ClaimedEvent, observer: Observer) => Promise<string | null>;

/** Only bytes with facts of the player are made here; the others follow from the event whenever they are sent. */
async function bodiesFor(
  tx: Tx,
  environmentId: string,
  events: ClaimedEvent[],
  observers: Observer[],
): Promise<BodyOf> {
  if (!observers.some(({ playerContextEnabled }) => playerContextEnabled)) return async () => null;
  const ids = events.map(({ id }) => id);
  const whole = new Map((await listEventsToSend(tx, environmentId, ids)).map(event => [event.id, event]));
  return async (claimed, observer) => {
    const event = whole.get(claimed.id);
    if (!event || !observer.playerContextEnabled) return null;
    const player = await playerContext(tx, event);
    return player && bodyFor(event, observer, event.id, player);
  };
}

async function deliveriesOf(
  tx: Tx,
  environment: LockedEnvironment,
  observers: Observer[],
  events: ClaimedEvent[],
): Promise<ObserverDelivery[]> {
  const bodyOf = await bodiesFor(tx, environment.id, events, observers);
  const deliveries: ObserverDelivery[] = [];
  for (const event of events) {
    for (const observer of observers.filter(one => wants(one, event))) {
      deliveries.push({
        environmentId: environment.id,
        id: newId('dlv'),
        eventId: event.id,
        kind: event.kind,
        orderId: event.orderId,
        subscriptionId: observer.id,
        status: observer.enabled ? 'pending' : holdUnder(environment),
        body: await bodyOf(event, observer),
      });
    }
  }
  return deliveries;
}

const fanOutOf = ({ db, signals }: Pick<Shop, 'db' | 'signals'>, environmentId: string): Promise<number> =>
  db.transaction(async tx => {
    // Sent together. A subscription that is enabled or deleted from here on finds the deliveries that are made below.
    const [isOurs, environment, observers] = await Promise.all([
      lockFanOut(tx, environmentId),
      lockEnvironmentShared(tx, environmentId),
      listObservers(tx, [environmentId]),
    ]);
    if (!isOurs) return 0;
    const events = await claimEventsToFanOut(tx, environmentId, eventsFor(observers));
    if (events.length === 0) return 0;
    insertObserverDeliveries(tx, await deliveriesOf(tx, environment, observers, events));
    tx.afterCommit(() => signals.announce('deliveries'));
    return events.length;
  });

/**
 * From the outbox to one delivery for each observer, in the order of the events. Every environment that waits has one round,
 * whatever becomes of the others' rounds. Returns how many events were taken.
 */
export async function fanOut(shop: Pick<Shop, 'db' | 'signals'>): Promise<number> {
  const environmentIds = await listEnvironmentsToFanOut(shop.db);
  const inTurn = semaphore(ENVIRONMENTS_AT_ONCE);
  const rounds = await Promise.allSettled(environmentIds.map(id => inTurn(() => fanOutOf(shop, id))));
  const failed = rounds.find(round => round.status === 'rejected');
  if (failed) throw failed.reason;
  return rounds.reduce((sum, round) => sum + (round.status === 'fulfilled' ? round.value : 0), 0);
}
