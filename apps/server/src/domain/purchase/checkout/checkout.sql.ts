import type { Seller } from '@coinslot/contract';
import { type Queryable, ROWS, type Stored, sqlForRows } from '../../../db/statement.ts';
import { steadyMs } from '../../../kit/clock.ts';
import { sellerOf } from '../../company/seller.ts';
import { LAST_ATTEMPT } from '../../order/order.sql.ts';
import type { Order } from '../../order/order.ts';
import { ORDERS } from '../../order/order-row.ts';
import type { Payment } from '../../payment/payment.ts';
import { PAYMENTS } from '../../payment/payment-row.ts';

export interface CheckoutFacts {
  order: Order;
  payment: Payment | null;
  gameName: string;
  gameIconUrl: string | null;
  logoUrl: string | null;
  accentColor: string | null;
  mode: 'live' | 'sandbox';
  playerName: string | null;
  /** What the game says to the player whose items it refused. */
  playerMessage: string | null;
  companyName: string;
  seller: Seller;
  hasItemEndpoint: boolean;
  now: Date;
  /** By the steady clock of this process: when it was `now`. */
  nowAtMs: number;
}

type CheckoutRow = Stored<Order> &
  Omit<CheckoutFacts, 'order' | 'payment' | 'seller' | 'nowAtMs'> & {
    payment: object | null;
    seller: Partial<Seller> | null;
  };

/**
 * Everything the payment page shows, in one read for all players who ask at the same moment. Each table is looked up for one
 * order alone: joined, a plan made on an empty table would read every payment of the game, and most pages have none.
 */
const findCheckouts = sqlForRows<{ environmentId: string; id: string }, CheckoutRow>(
  'checkout_find',
  ORDERS.pick('environmentId, id').types,
)`
    select k.n, ${ORDERS.of('o')},
           (select row_to_json(newest) from (
              select ${PAYMENTS.of('p')} from payments p
              where p.environment_id || '' = o.environment_id and p.order_id = o.id
              ${LAST_ATTEMPT}) as newest) as payment,
           shop."gameName", shop."gameIconUrl", shop."logoUrl", shop."accentColor", shop.mode,
           (select l.name from players l where l.environment_id = o.environment_id and l.player_id = o.player_id) as "playerName",
           o.player_message as "playerMessage", shop."companyName", shop.seller, app_now() as now,
           exists (select 1 from webhook_subscriptions s where s.environment_id = o.environment_id and s.enabled
                     and s.takes_items and s.events && '{item.add,item.*,*}') as "hasItemEndpoint"
    from ${ROWS} as k
    cross join lateral (
      select ${ORDERS.names}, player_message from orders
      where environment_id = k.environment_id and id = k.id limit 1) o
    cross join lateral (
      select g.name as "gameName", g.icon_url as "gameIconUrl", g.logo_url as "logoUrl", g.accent_color as "accentColor", e.mode,
             c.name as "companyName", c.seller
      from environments e join games g on g.id = e.game_id join companies c on c.id = g.company_id
      where e.id = o.environment_id limit 1) shop`;

export async function findCheckout(
  db: Queryable,
  environmentId: string,
  orderId: string,
): Promise<CheckoutFacts | null> {
  const row = await db.queryRow(findCheckouts, { environmentId, id: orderId });
  if (!row) return null;
  return {
    order: ORDERS.read(row),
    payment: row.payment && PAYMENTS.readJson(row.payment),
    gameName: row.gameName,
    gameIconUrl: row.gameIconUrl,
    logoUrl: row.logoUrl,
    accentColor: row.accentColor,
    mode: row.mode,
    playerName: row.playerName,
    playerMessage: row.playerMessage,
    companyName: row.companyName,
    seller: sellerOf(row),
    hasItemEndpoint: row.hasItemEndpoint,
    now: row.now,
    nowAtMs: steadyMs(),
  };
}
