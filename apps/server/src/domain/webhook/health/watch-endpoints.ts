import type { Db, Tx } from '../../../db/db.ts';
import { findNow } from '../../../db/db-clock.ts';
import type { Signals } from '../../../db/signals.ts';
import { groupBy } from '../../../kit/collections.ts';
import type { Delivery } from '../delivery/delivery.sql.ts';
import type { DeliveryTarget } from '../endpoints/delivery-target.sql.ts';
import type { Exchange } from '../sending/exchange.ts';
import { MOST_AT_ONCE } from '../sending/receiver-slots.ts';
import { findHasDue, updateBroughtForward } from './bring-forward.sql.ts';
import {
  claimProbe,
  deleteHealth,
  insertHealth,
  listHealthDue,
  lockHealth,
  lockRelease,
  updateHealth,
  updateHealthReleased,
} from './endpoint-health.sql.ts';
import { type EndpointAnswer, type EndpointHealth, endpointOf, healthAfter, suspectAfter } from './endpoint-health.ts';

export interface EndpointWatch {
  /** Says what an attempt showed of its endpoint. Of one that is well, a good answer costs nothing. */
  note(delivery: Delivery, target: DeliveryTarget, exchange: Exchange): Promise<void>;
}

const GONE = 410;

/** Null: the endpoint is well. */
async function noteAnswers(
  tx: Tx,
  endpoint: string,
  answers: readonly EndpointAnswer[],
): Promise<EndpointHealth | null> {
  const { environmentId } = answers[0]!;
  const known = await lockHealth(tx, { environmentId, endpoint });
  const firstFailed = answers.findIndex(({ isWell }) => !isWell);
  if (!known && firstFailed === -1) return null;
  const now = known?.now ?? (await findNow(tx));
  const first = known ?? suspectAfter(answers[firstFailed]!, now);
  const rest = known ? answers : answers.slice(firstFailed + 1);
  const after = rest.reduce<EndpointHealth>((health, answer) => healthAfter(health, answer, now), first);
  if (known) await updateHealth(tx, after);
  else await insertHealth(tx, after);
  return after;
}

interface WatchParts {
  db: Db;
  signals: Signals;
  onError: (error: unknown, source: string) => void;
}

/** Health is no part of what an attempt records: a row that many attempts write must not be locked together with orders. */
export function createEndpointWatch({ db, signals, onError }: WatchParts): EndpointWatch {
  const record = db.coalesce<EndpointAnswer, EndpointHealth | null>({
    maxInFlight: 1,
    runMany: async (tx, answers) => {
      const byEndpoint = [...groupBy(answers, ({ endpoint }) => endpoint)].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const after = new Map<string, EndpointHealth | null>();
      for (const [endpoint, own] of byEndpoint) after.set(endpoint, await noteAnswers(tx, endpoint, own));
      return answers.map(({ endpoint }) => after.get(endpoint)!);
    },
  });
  async function noted(answer: EndpointAnswer): Promise<void> {
    const health = await record(answer);
    if (health?.state !== 'back') return;
    if (!health.isReleased) await checkEndpoint(db, health);
    signals.announce('deliveries');
  }
  return {
    async note(delivery, target, exchange) {
      const isWell = exchange.succeeded || exchange.declined;
      if ((isWell && !target.isWatched) || exchange.status === GONE) return;
      const { environmentId, lane, id, orderId } = delivery;
      const { retryAfterSeconds } = exchange;
      const answer = { environmentId, lane, about: orderId ?? id, isWell, retryAfterSeconds };
      // The attempt is recorded, and what follows from it must go on: the next attempt says the same of the endpoint.
      await noted({ endpoint: endpointOf(delivery), ...answer }).catch((error: unknown) =>
        onError(error, 'endpoint health'),
      );
    },
  };
}

const RELEASED_AT_ONCE = 10_000;

const releaseWaiting = (db: Db, health: EndpointHealth): Promise<number> =>
  db.transaction(async tx => {
    if (!(await lockRelease(tx, health))) return 0;
    const count = await updateBroughtForward(tx, health, RELEASED_AT_ONCE, true);
    if (count < RELEASED_AT_ONCE) await updateHealthReleased(tx, health);
    return count;
  });

async function checkEndpoint(db: Db, health: EndpointHealth): Promise<number> {
  const { state, isReleased, slots } = health;
  if (state === 'back' && !isReleased) return releaseWaiting(db, health);
  if (state === 'down' && !(await claimProbe(db, health))) return 0;
  const isBusy = await findHasDue(db, health);
  if (state === 'down') return isBusy ? 0 : updateBroughtForward(db, health, 1, false);
  if (slots >= MOST_AT_ONCE || !isBusy) await deleteHealth(db, health);
  return 0;
}

/** Brings forward what waits for endpoints that are back, and one delivery of those that are to be tried. */
export async function checkEndpoints({ db, signals }: { db: Db; signals: Signals }): Promise<boolean> {
  let broughtForward = 0;
  for (const health of await listHealthDue(db)) broughtForward += await checkEndpoint(db, health);
  if (broughtForward > 0) signals.announce('deliveries');
  return broughtForward >= RELEASED_AT_ONCE;
}
