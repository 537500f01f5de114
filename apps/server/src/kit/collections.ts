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
