import type { Seller } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { sellerOf } from '../../company/seller.ts';
import { LAST_ATTEMPT, ORDER_COLUMNS, type OrderRow, toOrder } from '../../order/order.sql.ts';
import type { Order } from '../../order/order.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../../payment/payment.sql.ts';
import type { Payment } from '../../payment/payment.ts';

export interface CheckoutFacts {
  order: Order;
  payment: Payment | null;
  gameName: string;
  /** How the game shows itself; see domain/game/appearance.ts. */
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

/** As JSON times are text. */
type PaymentJson = { [Key in keyof PaymentRow]: PaymentRow[Key] extends Date | null ? string | null : PaymentRow[Key] };

interface CheckoutRow extends OrderRow {
  payment: PaymentJson | null;
  game_name: string;
  icon_url: string | null;
  logo_url: string | null;
  accent_color: string | null;
  mode: 'live' | 'sandbox';
  player_name: string | null;
  player_message: string | null;
  company_name: string;
  seller: Partial<Seller> | null;
  has_item_endpoint: boolean;
  now: Date;
}

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const paymentOf = (json: PaymentJson): Payment =>
  toPayment({
    ...json,
    created_at: new Date(json.created_at!),
    updated_at: new Date(json.updated_at!),
    authorized_at: timeOf(json.authorized_at),
    captured_at: timeOf(json.captured_at),
    refunded_at: timeOf(json.refunded_at),
    settled_at: timeOf(json.settled_at),
  });

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
    select ${ORDER_COLUMNS},
           (select row_to_json(newest) from (
              select ${PAYMENT_COLUMNS} from payments p
              where p.environment_id || '' = o.environment_id and p.order_id = o.id
              ${LAST_ATTEMPT}) as newest) as payment,
           g.name as game_name, g.icon_url, g.logo_url, g.accent_color, e.mode, l.name as player_name, o.player_message,
           c.name as company_name, c.seller, app_now() as now,
           exists (select 1 from webhook_subscriptions s where s.environment_id = o.environment_id and s.enabled
                     and s.takes_items and s.events && '{item.add,item.*,*}') as has_item_endpoint
    from orders o
    join environments e on e.id = o.environment_id
    join games g on g.id = e.game_id
    join companies c on c.id = g.company_id
    left join players l on l.environment_id = o.environment_id and l.player_id = o.player_id
    where o.environment_id = ${environmentId} and o.id = ${orderId}`);
  if (!row) return null;
  return {
    order: toOrder(row),
    payment: row.payment && paymentOf(row.payment),
    gameName: row.game_name,
    gameIconUrl: row.icon_url,
    logoUrl: row.logo_url,
    accentColor: row.accent_color,
    mode: row.mode,
    playerName: row.player_name,
    playerMessage: row.player_message,
    companyName: row.company_name,
    seller: sellerOf(row),
    hasItemEndpoint: row.has_item_endpoint,
    now: row.now,
  };
}
