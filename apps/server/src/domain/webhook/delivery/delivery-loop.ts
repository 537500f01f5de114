import type { Db } from '../../../db/db.ts';
import { createLoop } from '../../../jobs/loop.ts';
import { groupBy } from '../../../kit/collections.ts';
import { newId } from '../../../kit/ids.ts';
import { endpointOf as keyOf } from '../health/endpoint-health.ts';
import { MOST_AT_ONCE } from '../sending/receiver-slots.ts';
import { claimDeliveries } from './claim-deliveries.sql.ts';
import type { Delivery, Lane } from './delivery.sql.ts';

export interface DeliveryLoopOptions {
  db: Db;
  lane: Lane;
  /** Says when the endpoint has answered: what is left then is ours, and the endpoint may be sent the next one. */
  deliver: (delivery: Delivery, answered: () => void) => Promise<void>;
  leaseSeconds: number;
  /** One slow endpoint may take this many slots, so the others always have some. */
  perEndpoint: () => number;
  onError: (error: unknown, source: string) => void;
}

const MAX_IN_FLIGHT = 512;

const FIRST = '';
/** Sorts right behind the delivery's endpoint. */
const behind = (delivery: Delivery): string => `${keyOf(delivery)}!`;

/** A claimed delivery of the endpoint that sorts last. The database gives them in any order. */
const lastOf = (claimed: readonly Delivery[]): Delivery =>
  claimed.reduce((last, one) => (keyOf(one) > keyOf(last) ? one : last));

/** A quick endpoint answers many at once. Waiting this long before the next claim lets one claim replace all of them. */
const MORE_ANSWERS_MS = 1;

export function createDeliveryLoop({ db, lane, deliver, leaseSeconds, perEndpoint, onError }: DeliveryLoopOptions) {
  const inFlight = new Map<string, number>();
  /** Endpoints that were given all they may have: more may wait for them. */
  const full = new Set<string>();
  // Where the last look ended for want of free slots. The next one begins there, so that every endpoint has its round.
  let from = FIRST;

  const count = (key: string, by: number): number => {
    const now = (inFlight.get(key) ?? 0) + by;
    if (now > 0) inFlight.set(key, now);
    else inFlight.delete(key);
    return now;
  };

  async function take(limit: number, first: string, before: readonly Delivery[] = []): Promise<Delivery[]> {
    const had = new Map(inFlight);
    for (const [key, taken] of groupBy(before, keyOf)) had.set(key, (had.get(key) ?? 0) + taken.length);
    const capacity = { limit, perEndpoint: perEndpoint(), inFlight: had, from: first };
    const claimed = await claimDeliveries(db, lane, newId('job'), leaseSeconds, capacity);
    for (const [key, taken] of groupBy(claimed, keyOf)) {
      if ((had.get(key) ?? 0) + taken.length >= capacity.perEndpoint) full.add(key);
    }
    return claimed;
  }

  async function claim(slots: number): Promise<Delivery[]> {
    const claimed = await take(slots, from);
    if (claimed.length < slots && from !== FIRST) claimed.push(...(await take(slots - claimed.length, FIRST, claimed)));
    from = claimed.length >= slots ? behind(lastOf(claimed)) : FIRST;
    return claimed;
  }

  const loop = createLoop<Delivery>({
    name: `${lane} deliveries`,
    maxInFlight: MAX_IN_FLIGHT,
    maxBatch: MOST_AT_ONCE,
    claim,
    async run(delivery) {
      const key = keyOf(delivery);
      count(key, 1);
      let isCounted = true;
      const answered = (): void => {
        if (!isCounted) return;
        isCounted = false;
        const left = count(key, -1);
        // Once on the way down, with slots for half a batch: a look after every single one would find little.
        if (left <= perEndpoint() / 2 && full.delete(key)) setTimeout(loop.wake, MORE_ANSWERS_MS);
      };
      await deliver(delivery, answered).finally(answered);
    },
    onError,
  });
  return loop;
}
