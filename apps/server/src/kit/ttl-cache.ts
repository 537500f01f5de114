import type { Clock } from './clock.ts';

export interface TtlCacheOptions<Value> {
  load: (key: string) => Promise<Value | null>;
  clock: Clock;
  /** How old an answer may be, counted from the moment before it is loaded. */
  freshMs: number;
  /** The same for a key without a value, because that answer is likely to change soon. */
  absentMs: number;
  /** Applies to known and unknown keys separately, so that a flood of unknown ones evicts no known one. */
  maxEntries: number;
}

interface Entry<Value> {
  value: Value;
  askedMs: number;
}

/**
 * Caches answers for a few seconds. A cached answer comes without a promise; callers that miss at the same time share one
 * load. Failures are not cached.
 */
export function createTtlCache<Value>(options: TtlCacheOptions<Value>) {
  const { load, clock, freshMs, absentMs, maxEntries } = options;
  const present = new Map<string, Entry<Value>>();
  const absent = new Map<string, Entry<null>>();
  const asked = new Map<string, Promise<Value | null>>();

  // An entry in use is loaded again every few seconds and moves to the end, so the first entry is the least used one.
  function remember<V>(entries: Map<string, Entry<V>>, key: string, entry: Entry<V>): void {
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
  }

  // A clock that was set back must not make an answer live longer.
  const isFresh = (entry: Entry<unknown> | undefined, forMs: number, nowMs: number): boolean =>
    entry !== undefined && nowMs >= entry.askedMs && nowMs < entry.askedMs + forMs;

  async function ask(key: string, askedMs: number): Promise<Value | null> {
    try {
      const value = await load(key);
      (value === null ? present : absent).delete(key);
      if (value === null) remember(absent, key, { value, askedMs });
      else remember(present, key, { value, askedMs });
      return value;
    } finally {
      asked.delete(key);
    }
  }

  return (key: string): Value | null | Promise<Value | null> => {
    const nowMs = clock.nowMs();
    const entry = present.get(key);
    if (isFresh(entry, freshMs, nowMs)) return entry!.value;
    if (isFresh(absent.get(key), absentMs, nowMs)) return null;
    const underWay = asked.get(key);
    if (underWay) return underWay;
    const answer = ask(key, nowMs);
    asked.set(key, answer);
    return answer;
  };
}
