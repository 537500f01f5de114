/** Turns `item.add` into "Item add". A wildcard stays as it is. */
export function eventName(kind: string): string {
  if (kind.includes('*')) return kind;
  const words = kind.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lists every event type that a selection with wildcards covers. */
export function expandEvents(selected: readonly string[], all: readonly string[]): string[] {
  return all.filter(kind =>
    selected.some(one => one === '*' || one === kind || (one.endsWith('.*') && kind.startsWith(one.slice(0, -1)))),
  );
}

export const headerText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
