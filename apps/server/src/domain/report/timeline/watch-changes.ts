import type { ChangeKind } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import { createTicker } from '../../../jobs/ticker.ts';
import { findNewestSeq, listLastAttempts, listNewestMarks, listToldSince } from './changes.sql.ts';

export interface ChangeWatch {
  /** Calls back when lists of the environment may show something new; returns how to stop. */
  watch(environmentId: string, tell: (lists: ChangeKind[]) => void): () => void;
  /** Looks once now; for tests. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/** Where the lists of an event kind are. */
function listsOf(kind: string): ChangeKind[] {
  if (kind.startsWith('item.')) return ['grants', 'deliveries', 'orders'];
  if (kind.startsWith('payment.')) return ['payments', 'orders', 'home'];
  if (kind.startsWith('order.')) return ['orders', 'payments', 'grants', 'home'];
  if (kind.startsWith('checkout.')) return ['orders', 'home'];
  return ['deliveries'];
}

interface Watched {
  tellers: Set<(lists: ChangeKind[]) => void>;
  orderId: string | null;
  deliveryId: string | null;
  attemptMs: number;
  /** The first look only learns where things stand. */
  isKnown: boolean;
}

const newlyWatched = (): Watched => ({
  tellers: new Set(),
  orderId: null,
  deliveryId: null,
  attemptMs: 0,
  isKnown: false,
});

type Changed = Map<string, Set<ChangeKind>>;

function note(environmentId: string, changed: Changed, lists: ChangeKind[]): void {
  const set = changed.get(environmentId) ?? new Set();
  for (const list of lists) set.add(list);
  changed.set(environmentId, set);
}

async function lookAtKeys(db: Db, watched: Map<string, Watched>, ids: string[], changed: Changed): Promise<void> {
  const [marks, attempts] = await Promise.all([listNewestMarks(db, ids), listLastAttempts(db, ids)]);
  for (const { environmentId, orderId, deliveryId } of marks) {
    const known = watched.get(environmentId);
    if (!known) continue;
    if (known.isKnown && known.orderId !== orderId) note(environmentId, changed, ['orders', 'home']);
    if (known.isKnown && known.deliveryId !== deliveryId) note(environmentId, changed, ['deliveries']);
    Object.assign(known, { orderId, deliveryId });
  }
  for (const { environmentId, endedMs } of attempts) {
    const known = watched.get(environmentId);
    if (!known || known.attemptMs >= endedMs) continue;
    if (known.isKnown) note(environmentId, changed, ['deliveries', 'grants']);
    known.attemptMs = endedMs;
  }
  for (const id of ids) {
    const known = watched.get(id);
    if (known) known.isKnown = true;
  }
}

/**
 * One look a second for everybody who watches, whatever process made the change: by the position of the events, by the
 * newest keys and by the last attempt. Nobody watches: nobody looks.
 */
export function createChangeWatch({
  db,
  onError,
}: {
  db: Db;
  onError: (error: unknown, source: string) => void;
}): ChangeWatch {
  const watched = new Map<string, Watched>();
  let position: number | null = null;
  let earlier: number | null = null;
  let ticking: ReturnType<typeof createTicker> | undefined;

  async function look(): Promise<void> {
    const ids = [...watched.keys()];
    if (ids.length === 0) return;
    const changed: Changed = new Map();
    const newest = await findNewestSeq(db);
    // The last one may have gone meanwhile, and the program with it.
    if (watched.size === 0) return;
    // From the look before the last: a number is drawn before its transaction commits, so one may be seen late.
    if (earlier !== null && newest > earlier) {
      for (const { environmentId, kinds } of await listToldSince(db, ids, earlier)) {
        note(environmentId, changed, kinds.flatMap(listsOf));
      }
    }
    earlier = position ?? newest;
    position = newest;
    await lookAtKeys(db, watched, ids, changed);
    for (const [environmentId, lists] of changed) {
      for (const tell of watched.get(environmentId)?.tellers ?? []) tell([...lists]);
    }
  }

  function startLooking(): void {
    if (ticking) return;
    position = null;
    earlier = null;
    const work = async (): Promise<boolean> => {
      await look();
      return false;
    };
    ticking = createTicker({ name: 'changes', everyMs: LOOK_EVERY_MS, work, onError });
    ticking.start();
  }

  async function stopLooking(): Promise<void> {
    const last = ticking;
    ticking = undefined;
    await last?.stop();
  }

  return {
    look,
    watch(environmentId, tell) {
      const entry = watched.get(environmentId) ?? newlyWatched();
      watched.set(environmentId, entry);
      entry.tellers.add(tell);
      startLooking();
      return () => {
        entry.tellers.delete(tell);
        if (entry.tellers.size === 0) watched.delete(environmentId);
        if (watched.size === 0) void stopLooking();
      };
    },
    stop: stopLooking,
  };
}
