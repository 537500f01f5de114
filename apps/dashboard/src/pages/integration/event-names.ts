/** `item.add` as people say it: "Item add". */
export function eventName(kind: string): string {
  if (kind.includes('*')) return kind;
  const words = kind.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Wildcards say the same in fewer words; here every kind stands for itself. */
export function spreadEvents(selected: readonly string[], all: readonly string[]): string[] {
  return all.filter(kind =>
    selected.some(one => one === '*' || one === kind || (one.endsWith('.*') && kind.startsWith(one.slice(0, -1)))),
  );
}
