import type { Clock } from './clock.ts';

export interface TtlCacheOptions<Value> {
  load: (key: string) => Promise<Value | null>;
  clock: Clock;
  /** How old an answer may be, counted from before it was asked for. */
  freshMs: number;
  /** The same for "there is none", which is the answer that is likely to change soon. */
  absentMs: number;
  /** Of each kind, so that a flood of unknown keys pushes no known one out. */
  maxEntries: number;
}

interface Entry<Value> {
  value: Value;
  askedMs: number;
}

/**
 * Answers that may be a few seconds old. Without a promise when the answer is at hand; callers who miss at the same time
 * share one question. A failure is not remembered.
 */
export function createTtlCache<Value>(options: TtlCacheOptions<Value>) {
  const { load, clock, freshMs, absentMs, maxEntries } = options;
  const present = new Map<string, Entry<Value>>();
  const absent = new Map<string, Entry<null>>();
  const asked = new Map<string, Promise<Value | null>>();

  // What is in use is asked for anew every few seconds and so goes to the end: the first entry is the least used one.
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
