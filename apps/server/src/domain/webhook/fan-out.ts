import type { Db, Tx } from '../../db/db.ts';
import type { Signals } from '../../db/signals.ts';
import { newId } from '../../kit/ids.ts';
import { type LockedEnvironment, lockEnvironmentsShared } from '../game/lock-environment.sql.ts';
import { heldUnder, insertObserverDelivery } from './delivery.sql.ts';
import { claimEventsToFanOut, type EventRow, lockFanOut } from './event.sql.ts';
import { bodyFor, playerContext } from './event-body.ts';
import { listObservers, type Observer } from './subscription.sql.ts';
import { selectorsOf } from './subscription.ts';

const BATCH = 200;

const wants = (observer: Observer, event: EventRow): boolean =>
  observer.environmentId === event.environmentId &&
  selectorsOf(event.kind).some(kind => observer.events.includes(kind));

async function deliverTo(tx: Tx, environment: LockedEnvironment, event: EventRow, observer: Observer): Promise<void> {
  const { id: eventId, kind, orderId } = event;
  const player = observer.playerContextEnabled ? await playerContext(tx, event) : null;
  insertObserverDelivery(tx, {
    environmentId: environment.id,
    id: newId('dlv'),
    eventId,
    kind,
    orderId,
    subscriptionId: observer.id,
    status: observer.enabled ? 'pending' : heldUnder(environment),
    body: player && bodyFor(event, observer, eventId, player),
  });
}

/** From the outbox to one delivery for each observer, in the order of the events. Returns how many events it took. */
export function fanOut({ db, signals }: { db: Db; signals: Signals }): Promise<number> {
  return db.transaction(async tx => {
    if (!(await lockFanOut(tx))) return 0;
    const events = await claimEventsToFanOut(tx, BATCH);
    if (events.length === 0) return 0;
    const environmentIds = [...new Set(events.map(event => event.environmentId))];
    // A subscription that is enabled or deleted from here on finds the deliveries that are made below.
    const environments = await lockEnvironmentsShared(tx, environmentIds);
    const observers = await listObservers(tx, environmentIds);
    for (const event of events) {
      const environment = environments.get(event.environmentId)!;
      for (const observer of observers) if (wants(observer, event)) await deliverTo(tx, environment, event, observer);
    }
    tx.afterCommit(() => signals.announce('deliveries'));
    return events.length;
  });
}
