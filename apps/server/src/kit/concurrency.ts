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

export interface Semaphore {
  <T>(work: () => Promise<T>): Promise<T>;
  /** There may be more slots than before. */
  wake(): void;
}

export interface Semaphores {
  <T>(key: string, work: () => Promise<T>): Promise<T>;
  wake(): void;
  /** The most slots that are in use for one key. */
  inUse(): number;
}

/** A semaphore for each key, for as long as a call uses it. */
export function semaphores(slots: () => number): Semaphores {
  const byKey = new Map<string, { run: Semaphore; users: number; running: number }>();
  const run = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const own = byKey.get(key) ?? { run: semaphore(slots), users: 0, running: 0 };
    own.users++;
    byKey.set(key, own);
    try {
      return await own.run(() => {
        own.running++;
        return work().finally(() => own.running--);
      });
    } finally {
      if (--own.users === 0) byKey.delete(key);
    }
  };
  return Object.assign(run, {
    wake() {
      for (const own of byKey.values()) own.run.wake();
    },
    inUse: () => Math.max(0, ...Array.from(byKey.values(), own => own.running)),
  });
}

/** Runs at most `slots` calls at a time, a number that may change; the others wait in the order in which they came. */
export function semaphore(slots: number | (() => number)): Semaphore {
  const most = typeof slots === 'number' ? () => slots : slots;
  const waiting: (() => void)[] = [];
  let running = 0;
  /** A waiter counts as running before it goes on, so that no newcomer overtakes it. */
  const wake = (): void => {
    while (waiting.length > 0 && running < most()) {
      running++;
      waiting.shift()!();
    }
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    // There may be more slots by now, and nothing that said so.
    wake();
    if (waiting.length === 0 && running < most()) running++;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      running--;
      wake();
    }
  };
  return Object.assign(run, { wake });
}
