/** Remembers the last so many names, to tell the first time from the next. It may forget: it only saves work. */
export interface Once {
  /** True for a name that is not remembered; from then on it is. */
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

export interface Slots<Item> extends Iterable<Item> {
  readonly size: number;
  /** Answers with its slot. */
  put(item: Item): number;
  clear(slot: number): void;
}

/**
 * For what comes and goes all the time. A `Set` moves into a new table again and again, and each table it left keeps what
 * was in it alive until the next full collection: for one of requests that was a sixth of the time an order takes.
 */
export function createSlots<Item>(): Slots<Item> {
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
