import type { BulkAction, BulkRefusal, OrderStatus } from '@coinslot/contract';
import type { Phrase } from '@coinslot/texts/attention';
import { type Queryable, type RowOf, sql, type Tx, table, typed } from '../../../db/statement.ts';
import { ORDERS } from '../../order/order-row.ts';
import { PAYMENTS } from '../../payment/payment-row.ts';
import type { BulkFacts, ItemDelivery } from './bulk-verdict.ts';

const BULK_RUNS = table('bulk_runs', {
  environmentId: 'text',
  id: 'text',
  companyId: 'text',
  action: typed<BulkAction>('text'),
  reason: 'text',
  status: typed<'running' | 'stopping' | 'done' | 'stopped'>('text'),
  total: 'int',
  userId: 'text',
  actor: 'text',
  ip: 'text',
  createdAt: 'timestamptz',
  finishedAt: 'timestamptz?',
});

export type BulkRow = RowOf<typeof BULK_RUNS>;

const NEW = BULK_RUNS.pick('environmentId, id, companyId, action, reason, userId, actor, ip');

/** False: another run of the environment is under way. */
export async function insertBulk(tx: Tx, it: RowOf<typeof NEW>, orderIds: readonly string[]): Promise<boolean> {
  const made = await tx.query(sql('bulk_insert')`
    insert into bulk_runs (${NEW.names}, status, total, created_at)
    values (${NEW.values(it)}, 'running', ${orderIds.length}, app_now())
    on conflict do nothing returning id`);
  if (made.length === 0) return false;
  await tx.query(sql('bulk_insert_orders')`
    insert into bulk_orders (environment_id, bulk_id, order_id, position)
    select ${it.environmentId}, ${it.id}, id, position
    from unnest(${[...orderIds]}::text[]) with ordinality as given (id, position)`);
  return true;
}

export const findBulk = (db: Queryable, environmentId: string, id: string): Promise<BulkRow | null> =>
  BULK_RUNS.first(
    db.query(sql('bulk_find')`
      select ${BULK_RUNS.columns} from bulk_runs where environment_id = ${environmentId} and id = ${id}`),
  );

export const listBulk = (db: Queryable, environmentId: string, limit: number): Promise<BulkRow[]> =>
  db.query(sql('bulk_list')`
    select ${BULK_RUNS.columns} from bulk_runs where environment_id = ${environmentId} order by id desc limit ${limit}`);

/** The next order that nothing was done about; null: none is left. */
export const findNextOrder = (db: Queryable, environmentId: string, bulkId: string): Promise<string | null> =>
  db.queryValue(sql('bulk_next_order')`
    select order_id as "orderId" from bulk_orders
    where environment_id = ${environmentId} and bulk_id = ${bulkId} and outcome is null order by position limit 1`);

export interface OrderOutcome {
  orderId: string;
  /** `done`: asked for. Whether the money went is read from the order. */
  outcome: 'done' | 'refused';
  code: BulkRefusal | null;
  detail: string | null;
}

/** Once for each order. */
export const updateOrderOutcome = (tx: Tx, { environmentId, id }: BulkRow, it: OrderOutcome): Promise<void> =>
  tx.execute(sql('bulk_order_outcome')`
    update bulk_orders set outcome = ${it.outcome}, code = ${it.code}, detail = ${it.detail}
    where environment_id = ${environmentId} and bulk_id = ${id} and order_id = ${it.orderId} and outcome is null`);

export const updateBulkStopping = (tx: Tx, environmentId: string, id: string): Promise<boolean> =>
  tx.queryAny(sql('bulk_stopping')`
    update bulk_runs set status = 'stopping'
    where environment_id = ${environmentId} and id = ${id} and status = 'running' returning id`);

export const updateBulkFinished = (db: Queryable, { environmentId, id }: BulkRow): Promise<void> =>
  db.execute(sql('bulk_finished')`
    update bulk_runs set status = case when status = 'stopping' then 'stopped' else 'done' end, finished_at = app_now()
    where environment_id = ${environmentId} and id = ${id} and status in ('running', 'stopping')`);

export interface HandledOrder extends OrderOutcome {
  bulkId: string;
  /** Where it stands now; null: there is no such order. */
  status: OrderStatus | null;
  attentionDetail: Phrase[] | null;
}

/** What was handled, with how the order stands now: a refund that was asked for may be under way, done or refused. */
export const listHandledOrders = (db: Queryable, environmentId: string, bulkIds: string[]): Promise<HandledOrder[]> =>
  db.query(sql('bulk_list_handled')`
    select b.bulk_id as "bulkId", b.order_id as "orderId", b.outcome, b.code, b.detail, o.status,
           o.attention -> 'detail' as "attentionDetail"
    from bulk_orders b left join orders o on o.environment_id = b.environment_id and o.id = b.order_id
    where b.environment_id = ${environmentId} and b.bulk_id = any(${bulkIds}::text[]) and b.outcome is not null
    order by b.bulk_id, b.position`);

/** Orders with their last payment and their item deliveries, in three statements however many they are. */
export async function listBulkFacts(
  db: Queryable,
  environmentId: string,
  orderIds: readonly string[],
): Promise<Map<string, BulkFacts>> {
  const ids = [...orderIds];
  const orders = await ORDERS.all(
    db.query(sql('bulk_list_orders')`
      select ${ORDERS.columns} from orders where environment_id = ${environmentId} and id = any(${ids}::text[])`),
  );
  const payments = await PAYMENTS.all(
    db.query(sql('bulk_list_payments')`
      select distinct on (order_id) ${PAYMENTS.columns} from payments
      where environment_id = ${environmentId} and order_id = any(${ids}::text[]) order by order_id, id desc`),
  );
  const deliveries = await db.query<ItemDelivery>(sql('bulk_list_deliveries')`
    select id, order_id as "orderId", event_type as kind, status from deliveries
    where lane = 'items' and environment_id = ${environmentId} and order_id = any(${ids}::text[]) order by id`);
  const paymentOf = new Map(payments.map(payment => [payment.orderId, payment]));
  return new Map(
    orders.map(order => [
      order.id,
      {
        order,
        payment: paymentOf.get(order.id) ?? null,
        deliveries: deliveries.filter(({ orderId }) => orderId === order.id),
      },
    ]),
  );
}
