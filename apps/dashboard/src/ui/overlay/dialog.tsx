import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { t } from '../../texts/texts.ts';
import { IconButton } from '../button.tsx';
import { useModal } from './use-modal.ts';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Buttons at the end, the main one last. */
  actions?: ReactNode;
  wide?: boolean;
  /** Runs on Enter in a field. */
  onSubmit?(): void;
}

/** Uses the browser's own dialog, which traps focus, closes on Escape and makes the rest of the page inert. */
export function Dialog({ title, onClose, children, actions, wide = false, onSubmit }: DialogProps) {
  // The browser would focus the close button, but the first field is more useful.
  const box = useModal('[data-body] :is(input, select, textarea)');
  const titleId = useId();
  return (
    <dialog
      ref={box}
      aria-labelledby={titleId}
      onCancel={event => {
        if (event.target !== box.current) return;
        event.preventDefault();
        onClose();
      }}
      onPointerDown={event => {
        if (event.target === box.current) onClose();
      }}
      onKeyDown={event => event.stopPropagation()}
      // Sets its own text size, so that it does not inherit that of the button that opened it.
      className={`rise m-auto max-h-[calc(100dvh-32px)] w-[calc(100%-32px)] rounded-lg bg-raised p-0 text-14 shadow-float max-sm:mb-4 ${wide ? 'max-w-[760px]' : 'max-w-[480px]'}`}
    >
      <form
        noValidate
        onSubmit={event => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <div className="flex items-start gap-4 px-6 pt-5 pb-2">
          <h2 id={titleId} tabIndex={-1} className="flex-1 text-20 font-semibold">
            {title}
          </h2>
          <IconButton label={t('dialog.close')} icon={<X size={18} />} onClick={onClose} className="-mr-2" />
        </div>
        <div data-body="" className="px-6 pt-1 pb-6">
          {children}
        </div>
        {actions && (
          <div className="sticky bottom-0 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-6 py-4">
            {actions}
          </div>
        )}
      </form>
    </dialog>
  );
}
