/** One place among those that share a name: so many tabs of a page, of an address, of a member. */
export interface Place {
  name: string;
  most: number;
}

export interface Held {
  /** Takes a place under each name. Where there is none left, the oldest goes: `end` is called once, at most. */
  hold(places: readonly Place[], end: () => void): () => void;
  /** How many are held under a name. */
  count(name: string): number;
}

interface Entry {
  names: readonly string[];
  end: () => void;
}

/** Answers that wait cost little each, and thousands of them much. A page whose wait is ended asks again. */
export function createHeld(): Held {
  const byName = new Map<string, Set<Entry>>();

  function leave(entry: Entry): void {
    for (const name of entry.names) {
      const entries = byName.get(name);
      entries?.delete(entry);
      if (entries?.size === 0) byName.delete(name);
    }
  }

  function makeRoom({ name, most }: Place): void {
    const entries = byName.get(name);
    if (!entries || entries.size < most) return;
    const [oldest] = entries;
    if (!oldest) return;
    leave(oldest);
    oldest.end();
  }

  return {
    hold(places, end) {
      for (const place of places) makeRoom(place);
      const entry = { names: places.map(({ name }) => name), end };
      for (const name of entry.names) {
        const entries = byName.get(name) ?? new Set();
        byName.set(name, entries.add(entry));
      }
      return () => leave(entry);
    },
    count: name => byName.get(name)?.size ?? 0,
  };
}
