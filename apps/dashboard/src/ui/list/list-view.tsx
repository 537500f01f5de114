import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowUp, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { isFiltered, useFilters } from '../../kit/filters.ts';
import type { Problem } from '../../kit/problems.ts';
import { useSteadyRows } from '../../kit/use-steady-rows.ts';
import { t } from '../../texts/texts.ts';
import { Button } from '../button.tsx';
import { Time } from '../cells.tsx';
import { EmptyState } from '../empty-state.tsx';
import { ReadProblem } from '../loading.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Paging } from './paging.tsx';
import { type Selection, SelectionBar } from './selection.tsx';

interface PageOfRows<Row> {
  data: readonly Row[];
  next_cursor: string | null;
  searched_back_to?: number | null;
}

const NothingFound = ({ back, onFurther }: { back: number | null; onFurther: (() => void) | null }) => (
  <EmptyState
    picture={<SearchX size={24} />}
    title={t('list.nothingFound')}
    {...(onFurther && { action: <Button onClick={onFurther}>{t('list.further')}</Button> })}
  >
    {back === null ? (
      t('list.nothingFoundAbout')
    ) : (
      <>
        {t('list.searchedBack')} <Time at={back} />.
      </>
    )}
  </EmptyState>
);

interface ListViewProps<Row> {
  label: string;
  page: UseQueryResult<PageOfRows<Row>, Problem>;
  columns: readonly Column<Row>[];
  idOf(row: Row): string;
  linkOf?(row: Row): { to: string; params?: Record<string, string> };
  nameOf?(row: Row): string;
  empty: ReactNode;
  filterKeys: readonly string[];
  skeletonRows?: number;
  selection?: Selection;
  /** What can be done with the rows that are chosen. */
  acts?: ReactNode;
}

export function ListView<Row>({ page, empty, filterKeys, acts, ...table }: ListViewProps<Row>) {
  const [filters, change] = useFilters();
  // While a new filter loads, the placeholder rows still belong to the old one.
  const key = `${JSON.stringify(filters)}${page.isPlaceholderData ? ' before' : ''}`;
  const steady = useSteadyRows(page.data?.data, key, table.idOf);
  if (page.isError) return <ReadProblem error={page.error} retry={() => void page.refetch()} />;
  const next = page.data?.next_cursor ?? null;
  const back = page.data?.searched_back_to ?? null;
  const nothing = isFiltered(filters, filterKeys) ? (
    <NothingFound back={back} onFurther={next === null ? null : () => change({ cursor: next })} />
  ) : (
    empty
  );
  return (
    <div className={page.isPlaceholderData ? 'opacity-60 transition-opacity' : ''} aria-busy={page.isPlaceholderData}>
      {steady.waiting > 0 && (
        <div className="sticky top-[calc(var(--bar)+44px)] z-20 flex h-0 justify-center">
          <Button
            look="primary"
            size="small"
            className="rise rounded-full shadow-float"
            icon={<ArrowUp size={14} />}
            onClick={steady.show}
          >
            {t('list.new', { count: steady.waiting })}
          </Button>
        </div>
      )}
      {table.selection && <SelectionBar selection={table.selection}>{acts}</SelectionBar>}
      <DataTable {...table} rows={steady.rows} isNew={steady.isNew} empty={nothing} />
      {back !== null && (steady.rows?.length ?? 0) > 0 && (
        <p className="pt-4 text-end text-soft">
          {t('list.searchedBack')} <Time at={back} />.
        </p>
      )}
      {(steady.rows?.length ?? 0) > 0 && <Paging cursor={filters.cursor} next={next} />}
    </div>
  );
}
