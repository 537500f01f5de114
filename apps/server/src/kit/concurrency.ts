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

/** Runs at most `slots` calls at a time; the others wait in the order in which they came. */
export function semaphore(slots: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = slots;
  return async work => {
    if (free > 0) free--;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The slot passes straight to the next waiter, so that no newcomer overtakes it.
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
