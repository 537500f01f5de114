import { type RefObject, useEffect, useRef } from 'react';

const ROW = '[data-row]';

/**
 * Which row the key leads to. Where none has the focus, `left` is the place of the one that had it last: what was done
 * with it took it from the list, and the next one stands there now.
 */
export function rowAfter(at: number, key: 'j' | 'k', count: number, left = 0): number {
  const next = at === -1 ? left : at + 1;
  const wanted = key === 'j' ? next : (at === -1 ? left : at) - 1;
  return Math.min(Math.max(wanted, 0), count - 1);
}

/** In the focused row, Enter opens what it is about, `e` does its first and most useful act, and `s` snoozes it. */
const TARGET_OF: Readonly<Record<string, string>> = {
  Enter: '[data-open]',
  e: '[data-acts] :is(a, button)',
  s: '[data-snooze]',
};

/** j and k go through the rows of a list. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const left = useRef(0);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const element = target as HTMLElement;
      if (ctrlKey || metaKey || altKey || element.closest('input, textarea, select, [contenteditable], dialog')) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
      const row = element.closest<HTMLElement>(ROW);
      const at = row ? rows.indexOf(row) : -1;
      if (at !== -1) left.current = at;
      if ((key === 'j' || key === 'k') && rows.length > 0) {
        event.preventDefault();
        rows[rowAfter(at, key, rows.length, left.current)]?.focus();
        return;
      }
      const wanted = TARGET_OF[key];
      // On a link or a button inside the row, Enter is its own.
      if (!wanted || !row || (key === 'Enter' && element !== row)) return;
      const found = row.querySelector<HTMLElement>(wanted);
      if (!found) return;
      event.preventDefault();
      found.click();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [list]);
}
