import type { Tx, Work } from './transaction.ts';

/**
 * A work that first goes without a lock: `unlocked` writes over the versions that it knows, so that the whole transaction is
 * one trip. Where it answers null it has written nothing and `locked` goes on; where a version is no longer that one, the
 * transaction fails, and the repetition of the work is `locked` from the start.
 */
export function unlockedFirst<T>(unlocked: (tx: Tx) => Promise<T | null> | T | null, locked: Work<T>): Work<T> {
  let isFirst = true;
  return async tx => {
    if (isFirst) {
      isFirst = false;
      const done = await unlocked(tx);
      if (done !== null) return done;
    }
    return locked(tx);
  };
}
