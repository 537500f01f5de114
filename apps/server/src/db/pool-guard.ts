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

const refuse = (): never => {
  throw new Error('the pool was asked from inside one of its transactions; use its tx');
};

function isInside(guard: PoolGuard): boolean {
  for (let at = here.getStore(); at; at = at.outer) if (at.guard === guard && !at.isOver) return true;
  return false;
}

/** Follows every call through its promises, and refuses always. */
export function createFollowingGuard(): PoolGuard {
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
      if (isInside(guard)) refuse();
    },
  };
  return guard;
}

const MOST_FRAMES = 200;
let stackGuards = 0;

/**
 * Follows nothing, and reads who awaits whom from V8's own record at the moment of asking. That takes 10 µs, a quarter of
 * creation's speed, so it is done only where the caller would have to wait for a connection. It is enough: when every
 * connection is held by a transaction that asks for another, the last of them to ask found none free and was refused.
 */
export function createStackGuard(hasFreeConnection: () => boolean): PoolGuard {
  // A stack frame holds no more than a name, so the name says which pool it is.
  const mark = `insideTransactionOfPool${++stackGuards}`;
  const marked = { [mark]: async <T>(work: () => Promise<T>): Promise<T> => await work() };
  const isMarked = (_error: Error, frames: NodeJS.CallSite[]): boolean =>
    frames.some(frame => frame.getFunctionName() === mark);
  return {
    runInside: marked[mark]!,
    assertOutside() {
      if (hasFreeConnection()) return;
      const { prepareStackTrace, stackTraceLimit } = Error;
      const asked: { stack?: unknown } = {};
      Error.prepareStackTrace = isMarked;
      Error.stackTraceLimit = MOST_FRAMES;
      Error.captureStackTrace(asked);
      const isAwaitedInside = asked.stack === true;
      Error.prepareStackTrace = prepareStackTrace;
      Error.stackTraceLimit = stackTraceLimit;
      if (isAwaitedInside) refuse();
    },
  };
}
