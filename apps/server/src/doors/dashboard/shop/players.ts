import { dashboardEndpoints as calls } from '@coinslot/contract';
import { findPlayer } from '../../../domain/catalog/catalog.sql.ts';
import { paymentView } from '../../../domain/payment/payment-view.ts';
import { ALL_IDS } from '../../../domain/report/lists/index-scan.sql.ts';
import { listDashboardOrders } from '../../../domain/report/lists/list-orders.ts';
import { findPlayerSums, listPlayers, listPlayersByEmail } from '../../../domain/report/lists/players.sql.ts';
import { listPaymentsOfPlayer } from '../../../domain/report/timeline/timeline.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import type { DashboardMount } from '../define-route.ts';
import { decodeCursor, encodeCursor, limitOf } from '../list-query.ts';
import { orderView, playerView } from './shop-views.ts';

const NEWEST = 20;

export function mountPlayers(mount: DashboardMount, deps: DashboardDeps): void {
  const { db } = deps;

  mount(calls.listPlayers, async ({ environment }, { query }) => {
    const limit = limitOf(query);
    const after = query.cursor === undefined ? '' : decodeCursor(query.cursor);
    const q = query.q?.trim() ?? '';
    const read = q.includes('@') ? listPlayersByEmail : listPlayers;
    const rows = await read(db, environment.id, q, after, limit + 1);
    const shown = rows.slice(0, limit);
    return {
      data: shown.map(player => playerView(environment, player)),
      next_cursor: rows.length > limit ? encodeCursor(shown.at(-1)!.playerId) : null,
    };
  });

  mount(calls.getDashboardPlayer, async ({ environment }, { params: { player_id: playerId } }) => {
    const player = await findPlayer(db, environment.id, playerId);
    if (!player) throw new AppError('player_not_found');
    const [sums, payments, orders] = await Promise.all([
      findPlayerSums(db, environment.id, playerId),
      listPaymentsOfPlayer(db, environment.id, playerId, NEWEST),
      listDashboardOrders(
        db,
        environment.id,
        { q: null, statuses: [], playerId, bounds: ALL_IDS },
        { before: null, limit: NEWEST },
      ),
    ]);
    return {
      player: playerView(environment, player),
      spent: sums.spent.map(({ currency, amountMinor, payments: count }) => ({
        currency,
        amount: amountMinor,
        payments: count,
      })),
      declined: sums.declined,
      payments: payments.map(payment => paymentView(environment, payment)),
      orders: orders.rows.map(orderView(deps, environment)),
    };
  });
}
