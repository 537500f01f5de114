import type { PlayerLine, PlayerSort } from '@coinslot/contract';
import { UserRound } from 'lucide-react';
import { useMemo } from 'react';
import { type Filters, pageQuery, useFilters } from '../../kit/filters.ts';
import { formatNumber, monthText } from '../../kit/format.ts';
import { formatMoney } from '../../kit/money.ts';
import { monthAfter } from '../../kit/times.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { language, t } from '../../texts/texts.ts';
import { Dash, Time } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Avatar } from '../../ui/images.tsx';
import type { Column } from '../../ui/list/data-table.tsx';
import { FilterBar, type FilterDescription } from '../../ui/list/filter-bar.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { useSelection } from '../../ui/list/selection.tsx';
import { Page } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { SavedViews } from '../views/saved-views.tsx';
import { useColumns } from '../views/use-columns.tsx';
import { useViews } from '../views/use-view.ts';
import { ViewTabs } from '../views/view-tabs.tsx';

const spentText = ({ spent }: PlayerLine): string =>
  spent.map(({ amount, currency }) => formatMoney(language, amount, currency)).join(' · ');

const playerColumns = (): Column<PlayerLine>[] => [
  {
    id: 'player',
    title: t('column.player'),
    lead: true,
    grow: true,
    card: 'title',
    cell: player => (
      <span className="flex items-center gap-3">
        <Avatar player={player} />
        <span className="min-w-0 truncate" title={player.player_id}>
          {player.player_id}
        </span>
      </span>
    ),
  },
  { id: 'name', title: t('column.name'), card: 'below', cell: ({ name }) => name ?? <Dash /> },
  {
    id: 'email',
    title: t('column.email'),
    card: 'below',
    cell: ({ email }) => email ?? <Dash />,
  },
  {
    id: 'spent',
    title: t('players.spent'),
    align: 'end',
    card: 'side',
    cell: player => (player.spent.length === 0 ? <Dash /> : spentText(player)),
  },
  {
    id: 'orders',
    title: t('nav.orders'),
    align: 'end',
    card: 'below',
    cell: ({ orders }) => formatNumber(language, orders),
    cardCell: ({ orders }) => t('players.orders', { count: orders }),
  },
  {
    id: 'last',
    title: t('players.last'),
    align: 'end',
    card: 'corner',
    cell: ({ last_purchase_at: at }) => (at === null ? <Dash /> : <Time at={at} className="text-soft" />),
  },
  {
    id: 'seen',
    title: t('column.firstSeen'),
    align: 'end',
    cell: ({ created_at }) => <Time at={created_at} className="text-soft" />,
  },
];

const KEYS = ['q', 'sort', 'currency', 'first_month', 'bought_month'] as const;

const MONTHS_OFFERED = 13;

/** The last months, the newest first. */
const monthChoices = (now: Date): { value: string; label: string }[] =>
  Array.from({ length: MONTHS_OFFERED }, (_, ago) => monthAfter(now.toISOString().slice(0, 7), -ago)).map(value => ({
    value,
    label: monthText(language, value),
  }));

/** Filters by the month of the first purchase and by the month of a later one. */
function cohortFilters({ first_month: first }: Filters): FilterDescription[] {
  const choices = monthChoices(new Date());
  const show = (month: string): string => (/^\d{4}-\d{2}$/.test(month) ? monthText(language, month) : month);
  return [
    { key: 'first_month', label: t('players.firstMonth'), choices, show },
    ...(first === undefined ? [] : [{ key: 'bought_month', label: t('players.boughtMonth'), choices, show }]),
  ];
}

const SORTS: readonly PlayerSort[] = ['id', 'spent', 'orders', 'last_purchase'];

/** The currencies that players have paid in: sorting by spending compares within one of them. */
function useCurrencies(): string[] {
  const params = useEnv();
  const values = useRead('GET /dashboard/api/games/{game_id}/{mode}/transactions/filters', { params });
  return values.data?.currencies.map(({ value }) => value) ?? [];
}

/** Not shown for a cohort, whose players are always sorted by their ids. */
const SortChoice = ({ sort, onChange }: { sort: PlayerSort; onChange(sort: PlayerSort): void }) => (
  <div className="flex flex-wrap items-center gap-3 pb-4">
    <span className="text-soft">{t('players.sort')}</span>
    <Segments
      label={t('players.sort')}
      value={sort}
      choices={SORTS.map(one => [one, t(`players.sort.${one}`)] as const)}
      onChange={onChange}
    />
  </div>
);

export function PlayersPage() {
  const params = useEnv();
  const [filters, change] = useFilters();
  const sort = SORTS.find(one => one === filters.sort) ?? 'id';
  const currencies = useCurrencies();
  const query = {
    ...pageQuery(filters, 'q', 'first_month', 'bought_month'),
    // Must equal the query of the bootstrap script, or the list would be requested twice.
    ...(sort !== 'id' && { sort }),
    ...(sort === 'spent' && filters.currency !== undefined && { currency: filters.currency }),
  };
  const page = useRead('GET /dashboard/api/games/{game_id}/{mode}/players', { params, query }, { keep: true });
  const isCohort = filters.first_month !== undefined;
  const hasCurrency = sort === 'spent' && currencies.length > 1 && !isCohort;
  const views = useViews('players', KEYS);
  const selection = useSelection();
  const all = useMemo(playerColumns, []);
  const [columns, chooser] = useColumns(all, views);
  return (
    <Page
      title={t('nav.players')}
      actions={
        <>
          {chooser}
          <SavedViews views={views} columns={columns.map(({ id }) => id)} />
        </>
      }
    >
      <ViewTabs views={views} />
      <FilterBar
        {...(!isCohort && { search: t('players.search') })}
        filters={[
          ...cohortFilters(filters),
          ...(hasCurrency
            ? [
                {
                  key: 'currency',
                  label: t('column.currency'),
                  choices: currencies.map(value => ({ value, label: value })),
                },
              ]
            : []),
        ]}
      />
      {!isCohort && (
        <SortChoice
          sort={sort}
          onChange={chosen => change({ sort: chosen === 'id' ? undefined : chosen, q: undefined })}
        />
      )}
      <ListView
        label={t('nav.players')}
        page={page}
        columns={columns}
        idOf={row => row.player_id}
        linkOf={row => ({ to: 'players/$playerId', params: { playerId: row.player_id } })}
        filterKeys={['q', 'first_month']}
        selection={selection}
        empty={
          <EmptyState picture={<UserRound size={24} />} title={t('players.empty')}>
            {t('players.emptyAbout')}
          </EmptyState>
        }
      />
    </Page>
  );
}
