import type { ChangeKind } from '@coinslot/contract';

/** Which calls show what a change is about, by a part of their route. */
const SHOWN_BY: Readonly<Record<ChangeKind, readonly string[]>> = {
  orders: ['/orders', '/checklist'],
  payments: ['/transactions', '/players'],
  deliveries: ['/deliveries', '/webhooks'],
  grants: ['/grants'],
  home: ['/home', '/checklist'],
};

export const isTouched = (route: string, lists: readonly ChangeKind[]): boolean =>
  lists.some(list => SHOWN_BY[list]?.some(part => route.includes(`{mode}${part}`)));

/** Rows that are on the screen stay where they are; what is new at the top waits until the reader wants it. */
export function mergeHeld<Row>(
  shown: readonly Row[],
  fresh: readonly Row[],
  idOf: (row: Row) => string,
): { rows: Row[]; waiting: number } {
  const latest = new Map(fresh.map(row => [idOf(row), row]));
  const known = new Set(shown.map(idOf));
  const rows = shown.map(row => latest.get(idOf(row)) ?? row);
  const firstKnown = fresh.findIndex(row => known.has(idOf(row)));
  return { rows, waiting: firstKnown === -1 ? fresh.length : firstKnown };
}
