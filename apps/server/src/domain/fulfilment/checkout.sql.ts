import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import { ORDER_COLUMNS, type OrderRow, toOrder } from '../order/order.sql.ts';
import type { Order } from '../order/order.ts';
import { type PaymentRow, toPayment } from '../payment/payment.sql.ts';
import type { Payment } from '../payment/payment.ts';

export interface CheckoutFacts {
  order: Order;
  payment: Payment | null;
  gameName: string;
  /** How the game shows itself; see domain/account/appearance.ts. */
  gameIconUrl: string | null;
  logoUrl: string | null;
  accentColor: string | null;
  mode: 'live' | 'sandbox';
  playerName: string | null;
  hasItemEndpoint: boolean;
  now: Date;
}

type Prefixed<Row> = { [Key in keyof Row as `p_${string & Key}`]: Row[Key] };

type CheckoutRow = OrderRow &
  Prefixed<PaymentRow> & {
    game_name: string;
    icon_url: string | null;
    logo_url: string | null;
    accent_color: string | null;
    mode: 'live' | 'sandbox';
    player_name: string | null;
    has_item_endpoint: boolean;
    now: Date;
  };

const paymentOf = (row: CheckoutRow): Payment | null =>
  row.p_id === null
    ? null
    : toPayment(
        Object.fromEntries(
          Object.entries(row).flatMap(([name, value]) => (name.startsWith('p_') ? [[name.slice(2), value]] : [])),
        ) as unknown as PaymentRow,
      );

/** Everything the payment page shows, in one read. */
export async function findCheckout(
  db: Queryable,
  environmentId: string,
  orderId: string,
): Promise<CheckoutFacts | null> {
  const [row] = await db.query<CheckoutRow>(sql('checkout_find')`
    select ${ORDER_COLUMNS},
           p.environment_id as p_environment_id, p.id as p_id, p.order_id as p_order_id, p.player_id as p_player_id,
           p.status as p_status, p.gateway as p_gateway, p.method as p_method, p.brand as p_brand, p.last4 as p_last4,
           p.country as p_country, p.email as p_email, p.amount_minor as p_amount_minor, p.currency as p_currency,
           p.response_code as p_response_code, p.response_description as p_response_description,
           p.refund_reason as p_refund_reason, p.dispute_reason as p_dispute_reason, p.problem as p_problem,
           p.created_at as p_created_at, p.updated_at as p_updated_at, p.authorized_at as p_authorized_at,
           p.captured_at as p_captured_at, p.refunded_at as p_refunded_at,
           g.name as game_name, g.icon_url, g.logo_url, g.accent_color, e.mode, l.name as player_name, app_now() as now,
           exists (select 1 from webhook_subscriptions s where s.environment_id = o.environment_id and s.enabled
                     and s.takes_items and s.events && '{item.add,item.*,*}') as has_item_endpoint
    from orders o
    join environments e on e.id = o.environment_id
    join games g on g.id = e.game_id
    left join players l on l.environment_id = o.environment_id and l.player_id = o.player_id
    left join payments p on p.environment_id = o.environment_id and p.id = (
      select x.id from payments x where x.environment_id = o.environment_id and x.order_id = o.id order by x.id desc limit 1)
    where o.environment_id = ${environmentId} and o.id = ${orderId}`);
  if (!row) return null;
  return {
    order: toOrder(row),
    payment: paymentOf(row),
    gameName: row.game_name,
    gameIconUrl: row.icon_url,
    logoUrl: row.logo_url,
    accentColor: row.accent_color,
    mode: row.mode,
    playerName: row.player_name,
    hasItemEndpoint: row.has_item_endpoint,
    now: row.now,
  };
}
