import { type RefObject, useEffect } from 'react';

const ROW = '[data-row]';

/** Which row the key leads to. Without one that has the focus it is the first. */
export const rowAfter = (at: number, key: 'j' | 'k', count: number): number =>
  at === -1 ? 0 : Math.min(Math.max(at + (key === 'j' ? 1 : -1), 0), count - 1);

/** In the focused row, Enter opens what it is about, `e` does its first and most useful act, and `s` snoozes it. */
const TARGET_OF: Readonly<Record<string, string>> = {
  Enter: '[data-open]',
  e: '[data-acts] :is(a, button)',
  s: '[data-snooze]',
};

/** j and k go through the rows of a list. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const element = target as HTMLElement;
      if (ctrlKey || metaKey || altKey || element.closest('input, textarea, select, [contenteditable], dialog')) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
      const row = element.closest<HTMLElement>(ROW);
      if ((key === 'j' || key === 'k') && rows.length > 0) {
        event.preventDefault();
        rows[rowAfter(row ? rows.indexOf(row) : -1, key, rows.length)]?.focus();
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
