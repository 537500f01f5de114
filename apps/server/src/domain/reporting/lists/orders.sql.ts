import { type Queryable, type Stored, sql } from '../../../db/statement.ts';
import { LAST_ATTEMPT } from '../../order/order.sql.ts';
import type { OrderItem } from '../../order/order.ts';
import { type StoredItem, toItem } from '../../order/order-row.ts';
import type { Payment } from '../../payment/payment.ts';
import { PAYMENTS } from '../../payment/payment-row.ts';

/** The last payment of each order, and the clock that decides whether an order has lapsed. */
export async function listLastPaymentIds(
  db: Queryable,
  environmentId: string,
  orderIds: string[],
): Promise<{ now: Date; lastOf: Map<string, string> }> {
  const rows = await db.query<{ orderId: string | null; id: string | null; now: Date }>(sql(
    'report_list_last_payments',
  )`
    select app_now() as now, o.id as "orderId",
           (select p.id from payments p where p.environment_id || '' = ${environmentId} and p.order_id = o.id
            ${LAST_ATTEMPT}) as id
    from (select 1) as one left join unnest(${orderIds}::text[]) as o (id) on true`);
  const lastOf = new Map(rows.flatMap(({ orderId, id }) => (orderId && id ? [[orderId, id] as const] : [])));
  return { now: rows[0]!.now, lastOf };
}

export async function listItemsOfOrders(
  db: Queryable,
  environmentId: string,
  orderIds: string[],
): Promise<Map<string, OrderItem[]>> {
  const rows = await db.query<{ id: string; items: StoredItem[] }>(sql('report_list_items_of_orders')`
    select id, items from orders where environment_id = ${environmentId} and id = any(${orderIds}::text[])`);
  return new Map(rows.map(({ id, items }) => [id, items.map(toItem)]));
}

export async function listPaymentsById(
  db: Queryable,
  environmentId: string,
  ids: string[],
): Promise<Map<string, Payment>> {
  const rows = db.query<Stored<Payment>>(sql('report_list_payments_by_id')`
    select ${PAYMENTS.columns} from payments where environment_id = ${environmentId} and id = any(${ids}::text[])`);
  return new Map((await PAYMENTS.all(rows)).map(payment => [payment.id, payment]));
}

/** The orders that are being paid. Null: there are too many. */
export async function listOpenOrderIds(db: Queryable, environmentId: string, most: number): Promise<string[] | null> {
  const rows = await db.query<{ orderId: string }>(sql('report_list_open_orders')`
    select order_id as "orderId" from payments where stage = 'open' and environment_id = ${environmentId} limit ${most + 1}`);
  return rows.length > most ? null : rows.map(({ orderId }) => orderId);
}

export async function listOrderIdsByEmail(
  db: Queryable,
  environmentId: string,
  email: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ orderId: string }>(sql('report_list_orders_by_email')`
    select distinct order_id as "orderId" from (
      select order_id from payments
      where environment_id = ${environmentId} and lower(email) collate "C" = lower(${email}) and email is not null
        and stage <> 'open'
      order by id desc limit ${limit}) paid`);
  return rows.map(({ orderId }) => orderId);
}
