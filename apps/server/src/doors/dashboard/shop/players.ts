import { dashboardEndpoints as calls } from '@coinslot/contract';
import { playerView } from '../../../domain/catalog/catalog-views.ts';
import { erasePlayer } from '../../../domain/privacy/erase-player.ts';
import { exportPlayer } from '../../../domain/privacy/export-player.ts';
import { readPlayerDetail, searchPlayers } from '../../../domain/reporting/lists/read-player.ts';
import { pageOf } from '../../../http/paging.ts';
import { type DashboardDeps, listsOf } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

export function mountPlayers(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listPlayers, (context, { query }) => {
    const { environment } = context;
    return pageOf(
      query,
      null,
      (after, limit) => searchPlayers(listsOf(deps, context), environment.id, query.q?.trim() ?? '', after, limit),
      player => player.playerId,
      players => players.map(player => playerView(environment, player)),
    );
  });

  mount(calls.getDashboardPlayer, ({ environment }, { params }) =>
    readPlayerDetail(deps, environment, params.player_id),
  );

  mount(calls.exportDashboardPlayer, ({ environment }, { params }) =>
    exportPlayer(deps, environment, params.player_id),
  );

  mount(calls.eraseDashboardPlayer, async ({ environment, actor }, { params }) => {
    const { archivedLines, ...erased } = await erasePlayer(deps, actor, environment, params.player_id);
    return { ...erased, archived_lines: archivedLines };
  });
}
