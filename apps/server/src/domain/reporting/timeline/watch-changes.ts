import type { ChangeKind } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import { findPosition, type Position } from '../../../db/read-numbered.sql.ts';
import { settle } from '../../../db/read-numbered.ts';
import { createTicker } from '../../../jobs/ticker.ts';
import { FIGURES_READER } from '../roll-ups/roll-up.ts';
import { listKindsIn, listLastAttempts, listNewestMarks } from './timeline.sql.ts';

export interface ChangeWatch {
  /** Calls back when lists of the environment may show something new; returns how to stop. */
  watch(environmentId: string, notify: (lists: ChangeKind[]) => void): () => void;
  /** Looks once now; for tests. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;

/** The lists in which an event of this kind shows. */
function listsOf(kind: string): ChangeKind[] {
  if (kind.startsWith('item.')) return ['grants', 'deliveries', 'orders'];
  if (kind.startsWith('payment.')) return ['payments', 'orders', 'home'];
  if (kind.startsWith('order.')) return ['orders', 'payments', 'grants', 'home'];
  if (kind.startsWith('checkout.')) return ['orders', 'home'];
  return ['deliveries'];
}

interface Watched {
  watchers: Set<(lists: ChangeKind[]) => void>;
  orderId: string | null;
  deliveryId: string | null;
  attemptMs: number;
  /** The first look only learns where things stand. */
  isKnown: boolean;
}

const newlyWatched = (): Watched => ({
  watchers: new Set(),
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

async function lookAtEvents(db: Db, position: Position | null, ids: string[], changed: Changed): Promise<Position> {
  // The figures' reader has left nothing behind, so neither does one that begins there.
  const settled = await settle(db, FIGURES_READER.table, position ?? (await findPosition(db, FIGURES_READER)));
  const { seq: after, nextSeq: upTo, waitsFor } = settled;
  if (upTo === null || waitsFor.length > 0) return settled;
  for (const { environmentId, kinds } of await listKindsIn(db, ids, { after, upTo })) {
    note(environmentId, changed, kinds.flatMap(listsOf));
  }
  return { seq: upTo, nextSeq: null, waitsFor: [] };
}

/**
 * One look a second for all watchers of this process, whichever process made the change: by the number of the events, by the
 * newest keys and by the last attempt. Without a watcher there is no look.
 */
export function createChangeWatch({
  db,
  onError,
  caughtUp = async () => {},
}: {
  db: Db;
  onError: (error: unknown, source: string) => void;
  /** Lists may be read elsewhere: a browser that hears of a change and finds nothing new would not look again. */
  caughtUp?: () => Promise<void>;
}): ChangeWatch {
  const watched = new Map<string, Watched>();
  let position: Position | null = null;
  let ticking: ReturnType<typeof createTicker> | undefined;

  async function look(): Promise<void> {
    const ids = [...watched.keys()];
    if (ids.length === 0) return;
    const changed: Changed = new Map();
    position = await lookAtEvents(db, position, ids, changed);
    // The last watcher may have gone meanwhile, and the program with it.
    if (watched.size === 0) return;
    await lookAtKeys(db, watched, ids, changed);
    if (changed.size > 0) await caughtUp();
    for (const [environmentId, lists] of changed) {
      for (const notify of watched.get(environmentId)?.watchers ?? []) notify([...lists]);
    }
  }

  function startLooking(): void {
    if (ticking) return;
    position = null;
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
    watch(environmentId, notify) {
      const entry = watched.get(environmentId) ?? newlyWatched();
      watched.set(environmentId, entry);
      entry.watchers.add(notify);
      startLooking();
      return () => {
        entry.watchers.delete(notify);
        if (entry.watchers.size === 0) watched.delete(environmentId);
        if (watched.size === 0) void stopLooking();
      };
    },
    stop: stopLooking,
  };
}
