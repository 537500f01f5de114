import { t } from '../kit/texts.ts';
import { useFilters } from '../kit/use-filters.ts';
import { Button } from './button.tsx';

/** For lists that are not tables: on to older entries, as long as there are some. */
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
