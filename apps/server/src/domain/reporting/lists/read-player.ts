import type { PlayerDetail } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import type { Player } from '../../catalog/catalog.sql.ts';
import { playerView } from '../../catalog/catalog-views.ts';
import { readPlayer } from '../../catalog/manage-items.ts';
import type { Environment } from '../../game/environment.ts';
import { orderView } from '../../order/order-view.ts';
import { paymentViews } from '../../payment/payment-view.ts';
import type { Shop } from '../../shop.ts';
import { listPaymentsOfPlayer } from '../timeline/timeline.sql.ts';
import { findPlayerSums, listPlayers, listPlayersByEmail } from './catalog.sql.ts';
import { orderList } from './orders.ts';

const NEWEST = 20;

/** By the beginning of the id, or by the e-mail address that `q` holds. */
export const searchPlayers = (
  db: Queryable,
  environmentId: string,
  q: string,
  after: string | null,
  limit: number,
): Promise<Player[]> => (q.includes('@') ? listPlayersByEmail : listPlayers)(db, environmentId, q, after ?? '', limit);

export async function readPlayerDetail(
  { db, checkoutUrlOf }: Shop,
  environment: Environment,
  playerId: string,
): Promise<PlayerDetail> {
  const player = await readPlayer(db, environment.id, playerId);
  const [sums, payments, orders] = await Promise.all([
    findPlayerSums(db, environment.id, playerId),
    listPaymentsOfPlayer(db, environment.id, playerId, NEWEST),
    orderList.page(db, environment.id, { player_id: playerId }, { before: null, limit: NEWEST }),
  ]);
  return {
    player: playerView(environment, player),
    spent: sums.spent.map(({ currency, amountMinor, payments: count }) => ({
      currency,
      amount: amountMinor,
      payments: count,
    })),
    declined: sums.declined,
    payments: await paymentViews(db, environment, payments),
    orders: orders.rows.map(found => orderView(environment, found, checkoutUrlOf)),
  };
}
