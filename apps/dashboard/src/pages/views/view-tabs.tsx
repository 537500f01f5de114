import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t } from '../../texts/texts.ts';
import { searchOf, type Views } from './use-view.ts';

const TAB =
  'h-9 max-w-60 shrink-0 truncate border-b-2 border-transparent px-3 text-soft hover:text-ink aria-pressed:border-ink aria-pressed:font-semibold aria-pressed:text-ink touch-44';

/** The member's pinned views above the list, and the one that is open. Without any there is nothing to choose from. */
export function ViewTabs({ views: { all, open } }: { views: Views }) {
  const navigate = useNavigate();
  const row = useRef<HTMLDivElement>(null);
  // More tabs than a phone is wide: the one that is open must be among those that are seen.
  useEffect(() => {
    const chosen = row.current?.querySelector('[aria-pressed=true]');
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open?.id]);
  const tabs = all.filter(view => view.is_pinned || view.id === open?.id);
  if (tabs.length === 0) return null;
  const tab = (key: string, name: string, search: Record<string, string>, isOpen: boolean) => (
    <button
      key={key}
      type="button"
      title={name}
      aria-pressed={isOpen}
      className={TAB}
      onClick={() => void navigate({ to: '.', search, resetScroll: false })}
    >
      {name}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of joined buttons in every browser
    <div
      ref={row}
      role="group"
      aria-label={t('views.title')}
      // The line is drawn within the row: what is scrolled sideways is cut below, and with it the mark of the open tab.
      className="-mx-4 mb-4 flex scroll-px-4 overflow-x-auto px-4 shadow-[inset_0_-1px_0_var(--line)] md:mx-0 md:px-0"
    >
      {tab('all', t('views.all'), {}, open === undefined)}
      {tabs.map(view => tab(view.id, view.name, searchOf(view), view.id === open?.id))}
    </div>
  );
}
