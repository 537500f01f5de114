/** Lets callers with the same key share one call that is in flight. Nothing is cached after it. */
export function singleFlight<Key extends string[], Answer>(
  ask: (...key: Key) => Promise<Answer>,
): (...key: Key) => Promise<Answer> {
  const pending = new Map<string, Promise<Answer>>();
  return (...parts) => {
    const key = parts.join(' ');
    const known = pending.get(key);
    if (known) return known;
    const asked = ask(...parts).finally(() => pending.delete(key));
    pending.set(key, asked);
    return asked;
  };
}

/** A semaphore for each key, for as long as a call uses it. */
export function semaphores(slots: () => number): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const byKey = new Map<string, { run: ReturnType<typeof semaphore>; users: number }>();
  return async (key, work) => {
    const own = byKey.get(key) ?? { run: semaphore(slots), users: 0 };
    own.users++;
    byKey.set(key, own);
    try {
      return await own.run(work);
    } finally {
      if (--own.users === 0) byKey.delete(key);
    }
  };
}

/** Runs at most `slots` calls at a time, a number that may change; the others wait in the order in which they came. */
export function semaphore(slots: number | (() => number)): <T>(work: () => Promise<T>) => Promise<T> {
  const most = typeof slots === 'number' ? () => slots : slots;
  const waiting: (() => void)[] = [];
  let running = 0;
  return async work => {
    if (waiting.length === 0 && running < most()) running++;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      running--;
      // A waiter counts as running before it goes on, so that no newcomer overtakes it.
      while (waiting.length > 0 && running < most()) {
        running++;
        waiting.shift()!();
      }
    }
  };
}
