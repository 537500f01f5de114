/** Callers that ask for the same key while a call is in flight share its answer. Nothing is cached after it. */
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

/** At most `places` calls at a time; the others wait in the order in which they came. */
export function semaphore(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async work => {
    if (free > 0) free--;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes from hand to hand, so that no newcomer slips in between.
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
