/** Recognizes names that it saw lately. It forgets the oldest ones, so it can only save work, never decide. */
export interface Once {
  /** Returns true for an unknown name and remembers it. */
  isFirst(name: string): boolean;
  has(name: string): boolean;
  forget(name: string): void;
}

export function createOnce(maxNames: number): Once {
  const names = new Set<string>();
  return {
    isFirst(name) {
      if (names.has(name)) return false;
      names.add(name);
      if (names.size > maxNames) {
        const [oldest] = names;
        if (oldest !== undefined) names.delete(oldest);
      }
      return true;
    },
    has: name => names.has(name),
    forget: name => void names.delete(name),
  };
}

export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export interface ItemSlots<Item> extends Iterable<Item> {
  readonly size: number;
  put(item: Item): number;
  clear(slot: number): void;
}

/**
 * Holds items that come and go all the time. A `Set` would move into a new table again and again, and each old table keeps
 * its items alive until the next full garbage collection: for a set of requests that was a sixth of an order's time.
 */
export function createSlots<Item>(): ItemSlots<Item> {
  const items: (Item | undefined)[] = [];
  const free: number[] = [];
  return {
    get size() {
      return items.length - free.length;
    },
    put(item) {
      const slot = free.pop() ?? items.length;
      items[slot] = item;
      return slot;
    },
    clear(slot) {
      if (items[slot] === undefined) return;
      items[slot] = undefined;
      free.push(slot);
    },
    *[Symbol.iterator]() {
      for (const item of items) if (item !== undefined) yield item;
    },
  };
}
