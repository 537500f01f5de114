import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useFilters } from '../../kit/filters.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';

/** For lists that are not tables. */
export function NextPage({ cursor }: { cursor: string | null | undefined }) {
  const [, change] = useFilters();
  if (!cursor) return null;
  return (
    <div className="flex justify-end pt-4">
      <Button size="small" onClick={() => change({ cursor })}>
        {t('list.next')}
      </Button>
    </div>
  );
}

/** A cursor leads only forward, so going back uses the browser's history. */
export function Paging({ cursor, next }: { cursor: string | undefined; next: string | null }) {
  const [, change] = useFilters();
  if (cursor === undefined && next === null) return null;
  return (
    <nav aria-label={t('list.pages')} className="flex items-center justify-end gap-2 pt-4">
      {cursor !== undefined && (
        <>
          <Button size="small" look="quiet" onClick={() => change({ cursor: undefined })}>
            {t('list.newest')}
          </Button>
          <Button size="small" icon={<ChevronLeft size={16} aria-hidden />} onClick={() => history.back()}>
            {t('list.back')}
          </Button>
        </>
      )}
      {next !== null && (
        <Button
          size="small"
          onClick={() => {
            change({ cursor: next });
            window.scrollTo({ top: 0 });
          }}
        >
          {t('list.next')}
          <ChevronRight size={16} aria-hidden />
        </Button>
      )}
    </nav>
  );
}
