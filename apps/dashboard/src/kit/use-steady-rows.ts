import { useCallback, useEffect, useRef, useState } from 'react';

const AT_TOP_PX = 120;
const MARKED_MS = 2_000;

interface SteadyRows<Row> {
  rows: readonly Row[] | undefined;
  waiting: number;
  show(): void;
  isNew(id: string): boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Rows on the screen stay where they are and show their latest state. New rows at the top are only counted. */
export function mergeRows<Row>(
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

/** Keeps a growing list from moving under a member who has scrolled down, and counts the new rows instead. */
export function useSteadyRows<Row>(
  rows: readonly Row[] | undefined,
  key: string,
  idOf: (row: Row) => string,
): SteadyRows<Row> {
  const [shownRows, setShownRows] = useState<{ key: string; rows: readonly Row[] } | null>(null);
  const [fresh, setFresh] = useState(NONE);
  const idRef = useRef(idOf);
  const seen = useRef<{ key: string; ids: ReadonlySet<string> } | null>(null);
  useEffect(() => {
    if (!rows) return;
    const ids = new Set(rows.map(idRef.current));
    const before = seen.current;
    seen.current = { key, ids };
    if (window.scrollY > AT_TOP_PX) return;
    setShownRows({ key, rows });
    if (before?.key !== key) return;
    setFresh(new Set([...ids].filter(id => !before.ids.has(id))));
    const timer = setTimeout(() => setFresh(NONE), MARKED_MS);
    return () => clearTimeout(timer);
  }, [rows, key]);
  const show = useCallback(() => {
    if (rows) setShownRows({ key, rows });
    window.scrollTo({ top: 0 });
  }, [rows, key]);
  const isNew = (id: string): boolean => fresh.has(id);
  if (!rows || shownRows?.key !== key) return { rows, waiting: 0, show, isNew };
  return { ...mergeRows(shownRows.rows, rows, idOf), show, isNew };
}
