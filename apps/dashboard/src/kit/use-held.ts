import { useCallback, useEffect, useRef, useState } from 'react';
import { mergeHeld } from './live.ts';

const AT_TOP_PX = 120;
const MARKED_MS = 2_000;

interface Held<Row> {
  rows: readonly Row[] | undefined;
  /** How many came meanwhile. */
  waiting: number;
  show(): void;
  isNew(id: string): boolean;
}

const NOBODY: ReadonlySet<string> = new Set();

/** A list that grows at its top does not move under the reader's eyes: who has scrolled, is told how many are new. */
export function useHeld<Row>(rows: readonly Row[] | undefined, key: string, idOf: (row: Row) => string): Held<Row> {
  const [held, setHeld] = useState<{ key: string; rows: readonly Row[] } | null>(null);
  const [fresh, setFresh] = useState(NOBODY);
  const idRef = useRef(idOf);
  const seen = useRef<{ key: string; ids: ReadonlySet<string> } | null>(null);
  useEffect(() => {
    if (!rows) return;
    const ids = new Set(rows.map(idRef.current));
    const before = seen.current;
    seen.current = { key, ids };
    if (window.scrollY > AT_TOP_PX) return;
    setHeld({ key, rows });
    if (before?.key !== key) return;
    setFresh(new Set([...ids].filter(id => !before.ids.has(id))));
    const timer = setTimeout(() => setFresh(NOBODY), MARKED_MS);
    return () => clearTimeout(timer);
  }, [rows, key]);
  const show = useCallback(() => {
    if (rows) setHeld({ key, rows });
    window.scrollTo({ top: 0 });
  }, [rows, key]);
  const isNew = (id: string): boolean => fresh.has(id);
  if (!rows || held?.key !== key) return { rows, waiting: 0, show, isNew };
  return { ...mergeHeld(held.rows, rows, idOf), show, isNew };
}
