import type { Player } from '@coinslot/contract';
import { UserRound } from 'lucide-react';
import { pageQuery, useFilters } from '../../kit/filters.ts';
import { useEnv } from '../../kit/use-env.ts';
import { useRead } from '../../kit/use-read.ts';
import { t } from '../../texts/texts.ts';
import { Dash, Time } from '../../ui/cells.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Avatar } from '../../ui/images.tsx';
import type { Column } from '../../ui/list/data-table.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { ListView } from '../../ui/list/list-view.tsx';
import { Page } from '../../ui/page.tsx';

const columns = (): Column<Player>[] => [
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
    id: 'seen',
    title: t('column.firstSeen'),
    align: 'end',
    card: 'corner',
    cell: ({ created_at }) => <Time at={created_at} className="text-soft" />,
  },
];

export function PlayersPage() {
  const params = useEnv();
  const [filters] = useFilters();
  const query = pageQuery(filters, 'q');
  const page = useRead('GET /dashboard/api/games/{game_id}/{mode}/players', { params, query }, { keep: true });
  return (
    <Page title={t('nav.players')}>
      <FilterBar search={t('players.search')} filters={[]} />
      <ListView
        label={t('nav.players')}
        page={page}
        columns={columns()}
        idOf={row => row.player_id}
        linkOf={row => ({ to: 'players/$playerId', params: { playerId: row.player_id } })}
        filterKeys={['q']}
        empty={
          <EmptyState picture={<UserRound size={24} />} title={t('players.empty')}>
            {t('players.emptyAbout')}
          </EmptyState>
        }
      />
    </Page>
  );
}
