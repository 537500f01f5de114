import type { Db } from '../../db/db.ts';
import { createLoop } from '../../jobs/loop.ts';
import { newId } from '../../kit/ids.ts';
import { claimDeliveries, type Delivery, type Lane } from './delivery.sql.ts';

export interface DeliveryLoopOptions {
  db: Db;
  lane: Lane;
  /** Says when the endpoint has answered: what is left then is ours, and the endpoint may be sent the next one. */
  deliver: (delivery: Delivery, answered: () => void) => Promise<void>;
  leaseSeconds: number;
  onError: (error: unknown, source: string) => void;
}

const MAX_IN_FLIGHT = 512;
/** One slow endpoint may hold this many places, so there is always room for the others. */
const MAX_PER_ENDPOINT = 64;

export function createDeliveryLoop({ db, lane, deliver, leaseSeconds, onError }: DeliveryLoopOptions) {
  const inFlight = new Map<string, number>();

  const count = (key: string, by: number): void => {
    const now = (inFlight.get(key) ?? 0) + by;
    if (now > 0) inFlight.set(key, now);
    else inFlight.delete(key);
  };

  const busy = (): string[] => [...inFlight].flatMap(([key, running]) => (running >= MAX_PER_ENDPOINT ? [key] : []));

  const loop = createLoop<Delivery>({
    name: `${lane} deliveries`,
    maxInFlight: MAX_IN_FLIGHT,
    maxBatch: MAX_PER_ENDPOINT,
    claim: room => claimDeliveries(db, lane, newId('job'), room, leaseSeconds, busy()),
    async run(delivery) {
      const key = delivery.subscriptionId ?? delivery.environmentId;
      count(key, 1);
      let isCounted = true;
      const answered = (): void => {
        if (!isCounted) return;
        isCounted = false;
        count(key, -1);
        // Once on the way down, with room for half a batch: a look after every single one would find nothing.
        if (inFlight.get(key) === MAX_PER_ENDPOINT / 2) loop.wake();
      };
      await deliver(delivery, answered).finally(answered);
    },
    onError,
  });
  return loop;
}
