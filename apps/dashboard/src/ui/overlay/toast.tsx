import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { currentMessages, dropMessage, onMessages } from '../../kit/messages.ts';
import { t } from '../../texts/texts.ts';
import { IconButton } from '../button.tsx';

export function Toasts() {
  const shown = useSyncExternalStore(onMessages, currentMessages);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-50 flex flex-col items-center gap-2 max-md:bottom-20"
    >
      {shown.map(({ id, tone, text, undo }) => (
        <div
          key={id}
          className="rise pointer-events-auto flex max-w-[560px] max-md:not-last:hidden items-center gap-3 rounded-md bg-ink py-2 pr-2 pl-4 text-surface shadow-float"
        >
          {tone === 'good' ? (
            <CircleCheck size={18} aria-hidden className="shrink-0" />
          ) : (
            <CircleAlert size={18} aria-hidden className="shrink-0" />
          )}
          <span className="min-w-0">{text}</span>
          {undo && (
            <button
              type="button"
              className="rounded-sm px-2 py-1 font-semibold underline underline-offset-4"
              onClick={() => {
                dropMessage(id);
                undo();
              }}
            >
              {t('toast.undo')}
            </button>
          )}
          <IconButton
            label={t('dialog.close')}
            icon={<X size={16} />}
            className="text-surface hover:bg-transparent hover:text-surface"
            onClick={() => dropMessage(id)}
          />
        </div>
      ))}
    </div>
  );
}
