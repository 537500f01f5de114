import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { type Trigger, useFloating } from './use-floating.ts';

interface PopoverProps {
  /** Must be a button. */
  trigger: ReactElement;
  label: string;
  align?: 'start' | 'end';
  wide?: boolean;
  children(close: () => void): ReactNode;
}

export function Popover({ trigger, label, align = 'start', wide = false, children }: PopoverProps) {
  const floating = useFloating(align, 'input, select, button');
  const { id, isOpen, close } = floating;
  return (
    <>
      {cloneElement(trigger as Trigger, {
        ref: floating.trigger,
        popoverTarget: id,
        'aria-haspopup': 'dialog',
        'aria-expanded': isOpen,
      })}
      <div
        ref={floating.panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onBeforeToggle={floating.onBeforeToggle}
        onToggle={floating.onToggle}
        className={`fixed inset-auto m-0 max-w-[calc(100vw-16px)] overflow-y-auto rounded-md bg-raised p-4 text-14 text-ink shadow-float ${wide ? 'w-96' : 'w-72'}`}
      >
        {isOpen && children(close)}
      </div>
    </>
  );
}
