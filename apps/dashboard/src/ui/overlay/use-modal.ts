import { type RefObject, useEffect, useRef } from 'react';

/** A dialog that is taken away gives no focus back by itself. What opened it may be gone with the act it asked about. */
function returnFocus(before: HTMLElement | null): void {
  const target = before?.isConnected ? before : document.querySelector<HTMLElement>('main h1');
  target?.focus({ preventScroll: true });
}

/** Opens a dialog over the page with the focus where it is useful, and puts it back where it was at the end. */
export function useModal(firstFocus: string): RefObject<HTMLDialogElement | null> {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = box.current;
    if (!dialog || dialog.open) return;
    const before = document.activeElement as HTMLElement | null;
    dialog.showModal();
    (dialog.querySelector<HTMLElement>(firstFocus) ?? dialog.querySelector('h2'))?.focus();
    return () => returnFocus(before);
  }, [firstFocus]);
  return box;
}
