import type { Issue } from '@coinslot/contract';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Problem } from '../kit/api.ts';
import { t, tryText } from '../kit/texts.ts';
import { IconButton } from './button.tsx';

interface Toast {
  id: number;
  tone: 'good' | 'bad';
  text: string;
  undo?: () => void;
}

const SHOWN_MS = { good: 6_000, bad: 12_000 } as const;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]): void {
  toasts = next;
  for (const heard of listeners) heard();
}

const drop = (id: number): void => replace(toasts.filter(one => one.id !== id));

function add(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId;
  replace([...toasts.slice(-2), { ...toast, id }]);
  setTimeout(() => drop(id), SHOWN_MS[toast.tone]);
}

/** What was done, in the past tense; with a way back where there is one. */
export const tellDone = (text: string, undo?: () => void): void => add({ tone: 'good', text, ...(undo && { undo }) });

/** Who signs out leaves the messages behind. */
export const forgetToasts = (): void => replace([]);

/** An error that is not about a field. */
export function tellProblem(error: unknown): void {
  add({ tone: 'bad', text: problemText(error) });
}

/** In the reader's language where we have the words; the server's own say more where they can. */
export const issueText = ({ code, message }: Issue): string => tryText(`issue.${code}`) ?? message;

export function problemText(error: unknown): string {
  if (!(error instanceof Problem)) return t('problem.unknown');
  if (error.code === 'network') return t('problem.network');
  if (error.code === 'rate_limited') return t('problem.rate', { seconds: error.retryAfterSeconds ?? 60 });
  if (error.issues.length > 0) return error.issues.map(issueText).join(' ');
  const known = tryText(`problem.code.${error.code}`);
  if (known !== undefined) return known;
  return error.status >= 500 ? t('problem.server', { id: error.requestId ?? '–' }) : error.message;
}

export function Toasts() {
  const shown = useSyncExternalStore(
    heard => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    () => toasts,
  );
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
          {tone === 'good' ? <CircleCheck size={18} aria-hidden /> : <CircleAlert size={18} aria-hidden />}
          <span className="min-w-0">{text}</span>
          {undo && (
            <button
              type="button"
              className="rounded-sm px-2 py-1 font-semibold underline underline-offset-4"
              onClick={() => {
                drop(id);
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
            onClick={() => drop(id)}
          />
        </div>
      ))}
    </div>
  );
}
