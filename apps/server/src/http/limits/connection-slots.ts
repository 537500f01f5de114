/** At most so many connections share a name: tabs of a page, of an address, of a member. */
export interface SlotLimit {
  name: string;
  most: number;
}

export interface ConnectionSlots {
  /**
   * Takes a slot under each name and returns a function that frees them. Where a name has no slot left, its oldest holder
   * loses all of its own, and the `end` of that holder is called, once at most.
   */
  hold(limits: readonly SlotLimit[], end: () => void): () => void;
  count(name: string): number;
}

interface Holder {
  names: readonly string[];
  end: () => void;
}

/** One waiting answer costs little, thousands of them cost much. A page whose wait was ended asks again. */
export function createConnectionSlots(): ConnectionSlots {
  const byName = new Map<string, Set<Holder>>();

  function free(holder: Holder): void {
    for (const name of holder.names) {
      const holders = byName.get(name);
      holders?.delete(holder);
      if (holders?.size === 0) byName.delete(name);
    }
  }

  function evictOldest({ name, most }: SlotLimit): void {
    const holders = byName.get(name);
    if (!holders || holders.size < most) return;
    const [oldest] = holders;
    if (!oldest) return;
    free(oldest);
    oldest.end();
  }

  return {
    hold(limits, end) {
      for (const limit of limits) evictOldest(limit);
      const holder = { names: limits.map(({ name }) => name), end };
      for (const name of holder.names) {
        const holders = byName.get(name) ?? new Set();
        byName.set(name, holders.add(holder));
      }
      return () => free(holder);
    },
    count: name => byName.get(name)?.size ?? 0,
  };
}
