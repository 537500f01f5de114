import { useNavigate } from '@tanstack/react-router';
import { t } from '../../texts/texts.ts';
import { searchOf, type Views } from './use-view.ts';

const TAB =
  '-mb-px h-9 max-w-60 shrink-0 truncate border-b-2 border-transparent px-3 text-soft hover:text-ink aria-pressed:border-ink aria-pressed:font-semibold aria-pressed:text-ink touch-44';

/** The member's pinned views above the list, and the one that is open. Without any there is nothing to choose from. */
export function ViewTabs({ views: { all, open } }: { views: Views }) {
  const navigate = useNavigate();
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
      role="group"
      aria-label={t('views.title')}
      className="-mx-4 mb-4 flex overflow-x-auto overflow-y-hidden border-b border-line px-4 md:mx-0 md:px-0"
    >
      {tab('all', t('views.all'), {}, open === undefined)}
      {tabs.map(view => tab(view.id, view.name, searchOf(view), view.id === open?.id))}
    </div>
  );
}
