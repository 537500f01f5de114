import { type RefObject, useEffect, useRef } from 'react';

/** A removed dialog does not return the focus by itself, and the element that opened it may be gone. */
function returnFocus(before: HTMLElement | null): void {
  const target = before?.isConnected ? before : document.querySelector<HTMLElement>('main h1');
  target?.focus({ preventScroll: true });
}

/** Opens a modal dialog with the focus on its most useful field, and returns the focus when it closes. */
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
