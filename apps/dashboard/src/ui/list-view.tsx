import type { UseQueryResult } from '@tanstack/react-query';
import { ArrowUp, ChevronLeft, ChevronRight, Columns3, SearchX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Problem } from '../kit/api.ts';
import { t } from '../kit/texts.ts';
import { useFilters } from '../kit/use-filters.ts';
import { useHeld } from '../kit/use-held.ts';
import { Button, IconButton } from './button.tsx';
import { Time } from './cells.tsx';
import { type Column, DataTable } from './data-table.tsx';
import { Empty } from './empty.tsx';
import { Menu, MenuChoice, MenuTitle } from './menu.tsx';
import { ReadProblem } from './read-problem.tsx';

interface PageOfRows<Row> {
  data: readonly Row[];
  next_cursor: string | null;
  searched_back_to?: number | null;
}

/** Which columns a reader wants is the reader's own; it stays in this browser. */
export function useColumns<Row>(name: string, all: readonly Column<Row>[]): [readonly Column<Row>[], ReactNode] {
  const kept = `coinslot.columns.${name}`;
  const [hidden, setHidden] = useState<readonly string[]>(() => {
    const text = localStorage.getItem(kept);
    return text === null ? all.filter(({ extra }) => extra).map(({ id }) => id) : text.split(',');
  });
  const toggle = (id: string): void => {
    const next = hidden.includes(id) ? hidden.filter(one => one !== id) : [...hidden, id];
    localStorage.setItem(kept, next.join(','));
    setHidden(next);
  };
  const chooser = (
    <span className="max-md:hidden">
      <Menu trigger={<IconButton label={t('list.columns')} icon={<Columns3 size={16} />} />}>
        <MenuTitle>{t('list.columns')}</MenuTitle>
        {all
          .filter(({ lead }) => !lead)
          .map(({ id, title }) => (
            <MenuChoice key={id} stay chosen={!hidden.includes(id)} onSelect={() => toggle(id)}>
              {title}
            </MenuChoice>
          ))}
      </Menu>
    </span>
  );
  return [all.filter(({ id }) => !hidden.includes(id)), chooser];
}

function Paging({ cursor, next }: { cursor: string | undefined; next: string | null }) {
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

const NothingFound = ({ back, onFurther }: { back: number | null; onFurther: (() => void) | null }) => (
  <Empty
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
  </Empty>
);

interface ListViewProps<Row> {
  label: string;
  /** Without the cursor: what the list is about. */
  page: UseQueryResult<PageOfRows<Row>, Problem>;
  columns: readonly Column<Row>[];
  idOf(row: Row): string;
  linkOf?(row: Row): { to: string; params?: Record<string, string> };
  empty: ReactNode;
  filterKeys: readonly string[];
  skeletonRows?: number;
}

export function ListView<Row>({ page, empty, filterKeys, ...table }: ListViewProps<Row>) {
  const [filters, change] = useFilters();
  // Rows that only keep the place of those to come are of another list.
  const key = `${JSON.stringify(filters)}${page.isPlaceholderData ? ' before' : ''}`;
  const held = useHeld(page.data?.data, key, table.idOf);
  const isFiltered = filterKeys.some(name => filters[name] !== undefined) || filters.cursor !== undefined;
  if (page.isError) return <ReadProblem error={page.error} retry={() => void page.refetch()} />;
  const next = page.data?.next_cursor ?? null;
  const back = page.data?.searched_back_to ?? null;
  const nothing = isFiltered ? (
    <NothingFound back={back} onFurther={next === null ? null : () => change({ cursor: next })} />
  ) : (
    empty
  );
  return (
    <div className={page.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
      {held.waiting > 0 && (
        <div className="sticky top-[calc(var(--bar)+44px)] z-20 flex h-0 justify-center">
          <Button
            look="primary"
            size="small"
            className="rise rounded-full shadow-float"
            icon={<ArrowUp size={14} />}
            onClick={held.show}
          >
            {t('list.new', { count: held.waiting })}
          </Button>
        </div>
      )}
      <DataTable {...table} rows={held.rows} isNew={held.isNew} empty={nothing} />
      {back !== null && (held.rows?.length ?? 0) > 0 && (
        <p className="pt-4 text-end text-soft">
          {t('list.searchedBack')} <Time at={back} />.
        </p>
      )}
      {(held.rows?.length ?? 0) > 0 && <Paging cursor={filters.cursor} next={next} />}
    </div>
  );
}
