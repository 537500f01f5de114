import type { Db, Tx } from '../../db/db.ts';
import type { Signals } from '../../db/signals.ts';
import { newId } from '../../kit/ids.ts';
import { findOrder } from '../order/order.sql.ts';
import { orderFacts } from '../order/order-facts.ts';
import { insertObserverDelivery } from './delivery.sql.ts';
import { claimEventsToFanOut, type EventRow, lockFanOut, updateEventData } from './event.sql.ts';
import { listObservers, type Observer } from './subscription.sql.ts';
import { selectorsOf } from './subscription.ts';

const BATCH = 200;

const wants = (observer: Observer, event: EventRow): boolean =>
  observer.environmentId === event.environmentId &&
  selectorsOf(event.kind).some(kind => observer.events.includes(kind));

/** Creation writes no facts into its event, to stay quick; they are read from the order, as it was then. */
async function fillIn(tx: Tx, event: EventRow): Promise<void> {
  if (event.kind !== 'order.created') return;
  const found = await findOrder(tx, event.environmentId, event.orderId!);
  const facts = orderFacts({ ...found!.order, status: 'created', problem: null, paidAt: null }, null);
  await updateEventData(tx, event, facts);
}

/** From the outbox to one delivery for each observer, in the order of the events. Returns how many events it took. */
export function fanOut({ db, signals }: { db: Db; signals: Signals }): Promise<number> {
  return db.transaction(async tx => {
    if (!(await lockFanOut(tx))) return 0;
    const events = await claimEventsToFanOut(tx, BATCH);
    if (events.length === 0) return 0;
    const observers = await listObservers(tx, [...new Set(events.map(event => event.environmentId))]);
    for (const event of events) {
      await fillIn(tx, event);
      for (const observer of observers.filter(candidate => wants(candidate, event))) {
        await insertObserverDelivery(tx, {
          environmentId: event.environmentId,
          id: newId('dlv'),
          eventId: event.id,
          kind: event.kind,
          orderId: event.orderId,
          subscriptionId: observer.id,
          status: observer.enabled ? 'pending' : 'held',
        });
      }
    }
    tx.afterCommit(() => signals.announce('deliveries'));
    return events.length;
  });
}
