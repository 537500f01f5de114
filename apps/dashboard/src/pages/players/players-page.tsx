import type { Player } from '@coinslot/contract';
import { UserRound } from 'lucide-react';
import { t } from '../../kit/texts.ts';
import { useFilters } from '../../kit/use-filters.ts';
import { useRead } from '../../kit/use-read.ts';
import { Dash, Time } from '../../ui/cells.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { useEnv } from '../../ui/env-link.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';

export const Avatar = ({ player, className = 'size-7' }: { player: Player; className?: string }) =>
  player.avatar_url ? (
    <img
      src={player.avatar_url}
      alt=""
      loading="lazy"
      className={`${className} shrink-0 rounded-full bg-sunk object-cover`}
    />
  ) : (
    <span aria-hidden className={`${className} grid shrink-0 place-items-center rounded-full bg-sunk text-faint`}>
      <UserRound size={16} />
    </span>
  );

const columns = (): Column<Player>[] => [
  {
    id: 'player',
    title: t('column.player'),
    lead: true,
    grow: true,
    place: 'title',
    cell: player => (
      <span className="flex items-center gap-3">
        <Avatar player={player} />
        <span className="min-w-0 truncate">{player.player_id}</span>
      </span>
    ),
  },
  { id: 'name', title: t('column.name'), place: 'below', cell: ({ name }) => name ?? <Dash /> },
  {
    id: 'email',
    title: t('column.email'),
    place: 'below',
    cell: ({ email }) => email ?? <Dash />,
  },
  {
    id: 'seen',
    title: t('column.firstSeen'),
    align: 'end',
    place: 'corner',
    cell: ({ created_at }) => <Time at={created_at} className="text-soft" />,
  },
];

export function PlayersPage() {
  const params = useEnv();
  const [{ q, cursor }] = useFilters();
  const query = { limit: 50, ...(q && { q }), ...(cursor && { cursor }) };
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
          <Empty picture={<UserRound size={24} />} title={t('players.empty')}>
            {t('players.emptyAbout')}
          </Empty>
        }
      />
    </Page>
  );
}
