import type { Seller } from '@coinslot/contract';
import { type Queryable, type Stored, sql } from '../../../db/statement.ts';
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
}

type CheckoutRow = Stored<Order> &
  Omit<CheckoutFacts, 'order' | 'payment' | 'seller'> & { payment: object | null; seller: Partial<Seller> | null };

/**
 * Everything the payment page shows, in one read. The newest payment is looked up for this order alone and comes as one
 * value: joined, a plan made on an empty table would read every payment of the game, and most pages have none.
 */
export async function findCheckout(
  db: Queryable,
  environmentId: string,
  orderId: string,
): Promise<CheckoutFacts | null> {
  const [row] = await db.query<CheckoutRow>(sql('checkout_find')`
    select ${ORDERS.of('o')},
           (select row_to_json(newest) from (
              select ${PAYMENTS.of('p')} from payments p
              where p.environment_id || '' = o.environment_id and p.order_id = o.id
              ${LAST_ATTEMPT}) as newest) as payment,
           g.name as "gameName", g.icon_url as "gameIconUrl", g.logo_url as "logoUrl", g.accent_color as "accentColor", e.mode,
           l.name as "playerName", o.player_message as "playerMessage", c.name as "companyName", c.seller, app_now() as now,
           exists (select 1 from webhook_subscriptions s where s.environment_id = o.environment_id and s.enabled
                     and s.takes_items and s.events && '{item.add,item.*,*}') as "hasItemEndpoint"
    from orders o
    join environments e on e.id = o.environment_id
    join games g on g.id = e.game_id
    join companies c on c.id = g.company_id
    left join players l on l.environment_id = o.environment_id and l.player_id = o.player_id
    where o.environment_id = ${environmentId} and o.id = ${orderId}`);
  if (!row) return null;
  return {
    ...row,
    order: ORDERS.read(row),
    payment: row.payment && PAYMENTS.readJson(row.payment),
    seller: sellerOf(row),
  };
}
