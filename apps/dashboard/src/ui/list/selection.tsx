import { Copy, X } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { notifyDone } from '../../kit/messages.ts';
import { t } from '../../texts/texts.ts';
import { Button, IconButton } from '../button.tsx';

/** As many as one call can name. */
const MOST = 200;

/** Which rows are chosen. They stay chosen while the member pages and filters, until the page is left. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  change(ids: readonly string[], isOn: boolean): void;
  clear(): void;
}

export const changedSelection = (before: ReadonlySet<string>, ids: readonly string[], isOn: boolean): Set<string> => {
  const next = new Set(before);
  for (const id of ids) {
    if (!isOn) next.delete(id);
    else if (next.size < MOST) next.add(id);
  }
  return next;
};

/** From the row that was chosen last to this one, whichever comes first. */
export function idsBetween(ids: readonly string[], last: string | undefined, id: string): readonly string[] {
  const [a, b] = [last === undefined ? -1 : ids.indexOf(last), ids.indexOf(id)];
  return a === -1 ? [id] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const change = useCallback(
    (changed: readonly string[], isOn: boolean) => setIds(before => changedSelection(before, changed, isOn)),
    [],
  );
  return { ids, change, clear: () => setIds(new Set()) };
}

/** A browser that forbids it says so by itself. */
const copyIds = (ids: ReadonlySet<string>): Promise<void> =>
  navigator.clipboard.writeText([...ids].join('\n')).then(
    () => notifyDone(t('list.copied', { count: ids.size })),
    () => undefined,
  );

const BOX = 'size-4 accent-ring';

interface ChoiceProps {
  selection: Selection;
  /** Of all rows on the screen, in their order. */
  ids: readonly string[];
}

/** All rows on the screen, or none. */
export function ChooseAll({ selection, ids }: ChoiceProps) {
  const count = ids.filter(id => selection.ids.has(id)).length;
  return (
    <input
      type="checkbox"
      aria-label={t('list.chooseAll')}
      className={`${BOX} align-middle`}
      checked={count > 0 && count === ids.length}
      ref={box => {
        if (box) box.indeterminate = count > 0 && count < ids.length;
      }}
      onChange={({ target }) => selection.change(ids, target.checked)}
    />
  );
}

/** The box of one row. With Shift it takes all rows from the last one. */
export function useChoose({ selection, ids }: ChoiceProps): (id: string, name: string) => ReactNode {
  const last = useRef<string>(undefined);
  return (id, name) => (
    // Above the row's own link, and as large as a finger.
    <label className="relative z-[1] grid min-h-8 min-w-8 cursor-pointer place-items-center touch-44">
      <input
        type="checkbox"
        data-choose=""
        aria-label={t('list.choose', { name })}
        className={BOX}
        checked={selection.ids.has(id)}
        onChange={() => undefined}
        onClick={({ shiftKey, currentTarget }: MouseEvent<HTMLInputElement>) => {
          selection.change(shiftKey ? idsBetween(ids, last.current, id) : [id], currentTarget.checked);
          last.current = id;
        }}
      />
    </label>
  );
}

/** `x` chooses the row whose link has the focus. */
export function chooseByKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'x' || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = (event.target as HTMLElement).closest('[data-row]')?.closest('tr, li');
  row?.querySelector<HTMLElement>('[data-choose]')?.click();
}

interface BarProps {
  selection: Selection;
  /** What can be done with them. */
  children?: ReactNode;
}

/** Takes the place of the table's head while rows are chosen. */
export function SelectionBar({ selection, children }: BarProps) {
  const { ids, clear } = selection;
  if (ids.size === 0) return null;
  return (
    <div className="sticky top-(--bar) z-20 h-0 max-md:h-auto">
      <section
        aria-label={t('list.chosenLabel')}
        className="flex flex-wrap items-center gap-2 border-b border-line bg-surface max-md:py-1 md:h-9"
      >
        <IconButton label={t('list.clearChosen')} icon={<X size={16} />} onClick={clear} />
        <span role="status" className="pe-2 font-semibold">
          {t('list.chosen', { count: ids.size })}
        </span>
        {children}
        <Button size="small" icon={<Copy size={14} aria-hidden />} onClick={() => void copyIds(ids)}>
          {t('list.copyIds')}
        </Button>
      </section>
    </div>
  );
}
