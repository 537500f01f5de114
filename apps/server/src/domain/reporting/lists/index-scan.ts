/** One ordered index range, read newest first. */
export interface Scanned<Row extends { id: string }> {
  rows: Row[];
  /** Null: read to its end. Else everything at or above this id was looked at, and nothing below. */
  stoppedAt: string | null;
}

export interface ScannedPage<Row> {
  rows: Row[];
  /** Read on below this id; null at the end. */
  nextBefore: string | null;
  /** The page is not full although there may be more: looking on in one go would take too long. */
  isShort: boolean;
}

const newestFirst = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

/**
 * One page from several ranges that were each read for a bounded time. Only what lies above the place where the first of
 * them stopped is certain to be complete; the rest is left for the next page, so that no row is ever skipped.
 */
export function mergeScans<Row extends { id: string }>(
  scans: readonly Scanned<Row>[],
  limit: number,
): ScannedPage<Row> {
  const frontier = scans.reduce<string | null>(
    (highest, { stoppedAt }) => (stoppedAt !== null && (highest === null || stoppedAt > highest) ? stoppedAt : highest),
    null,
  );
  const certain = new Map<string, Row>();
  for (const { rows } of scans) {
    for (const row of rows) if (frontier === null || row.id >= frontier) certain.set(row.id, row);
  }
  const rows = [...certain.values()].toSorted(newestFirst);
  const shown = rows.slice(0, limit);
  if (rows.length > limit) return { rows: shown, nextBefore: shown.at(-1)!.id, isShort: false };
  return { rows: shown, nextBefore: frontier, isShort: frontier !== null && shown.length < limit };
}
