import { AsyncLocalStorage } from 'node:async_hooks';

interface Inside {
  guard: PoolGuard;
  /** The transaction came to its end; what it began may go on and may ask the pool. */
  isOver: boolean;
  outer: Inside | undefined;
}

/**
 * A transaction that asks its own pool for a second connection waits for others who may do the same: with as many of
 * them as there are connections, all wait until the limit and fail. So the pool refuses them at the first.
 */
export interface PoolGuard {
  runInside<T>(work: () => Promise<T>): Promise<T>;
  /** Throws when it is called from inside. */
  assertOutside(): void;
}

const here = new AsyncLocalStorage<Inside>();

/** Before Node 24, to follow calls through their promises makes every promise of the program slower: a sixth of creation's speed. */
export const isFollowingCheap = Number.parseInt(process.versions.node, 10) >= 24;

/** For a program whose tests ran with the guard. */
export const NO_GUARD: PoolGuard = { runInside: work => work(), assertOutside: () => {} };

function isInside(guard: PoolGuard): boolean {
  for (let at = here.getStore(); at; at = at.outer) if (at.guard === guard && !at.isOver) return true;
  return false;
}

export function createPoolGuard(): PoolGuard {
  const guard: PoolGuard = {
    async runInside(work) {
      const place: Inside = { guard, isOver: false, outer: here.getStore() };
      try {
        return await here.run(place, work);
      } finally {
        place.isOver = true;
      }
    },
    assertOutside() {
      if (isInside(guard)) throw new Error('the pool was asked from inside one of its transactions; use its tx');
    },
  };
  return guard;
}
