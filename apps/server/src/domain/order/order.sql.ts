import type { OrderStatus } from '@coinslot/contract';
import {
  fragment,
  type Queryable,
  ROWS,
  type RowOf,
  type Stored,
  sql,
  sqlForRows,
  sqlUnprepared,
  type Tx,
} from '../../db/statement.ts';
import { steadyMs } from '../../kit/clock.ts';
import { orderWith } from './order.ts';
import { ORDERS, type Order } from './order-row.ts';

/**
 * The last attempt, of the payments `p` of an order. By an expression of the id, and the environment beside it by one too: of a
 * table that it has not counted yet PostgreSQL believes that an environment has few rows, and would read all of them, or
 * read backward from the end, until one of the order comes.
 */
export const LAST_ATTEMPT = fragment`order by p.id || '' desc limit 1`;

const LAST_PAYMENT_ID = fragment`(select p.id from payments p
  where p.environment_id || '' = o.environment_id and p.order_id = o.id ${LAST_ATTEMPT})`;

export interface OrderAt {
  order: Order;
  /** The database's clock at the read: what decides about time. */
  now: Date;
  /** The payment under way or done; the last one when several were tried. */
  paymentId: string | null;
}

type AtRow = Stored<Order> & Pick<OrderAt, 'now'>;
type OrderAtRow = Stored<Order> & Omit<OrderAt, 'order'>;

const toOrderAt = (row: OrderAtRow): OrderAt => ({ order: ORDERS.read(row), now: row.now, paymentId: row.paymentId });

export async function findOrder(db: Queryable, environmentId: string, id: string): Promise<OrderAt | null> {
  const [row] = await db.query<OrderAtRow>(sql('order_find')`
    select ${ORDERS.of('o')}, app_now() as now,
           ${LAST_PAYMENT_ID} as "paymentId"
    from orders o where o.environment_id = ${environmentId} and o.id = ${id}`);
  return row ? toOrderAt(row) : null;
}

/** Locked in the order of their ids, so that two transactions cannot wait for each other. */
const lockOrders = sqlForRows<Pick<Order, 'environmentId' | 'id'>, AtRow>(
  'order_lock',
  ORDERS.pick('environmentId, id').types,
)`
  select k.n, ${ORDERS.of('o')}, app_now() as now
  from ${ROWS} as k
  join orders o on o.environment_id = k.environment_id and o.id = k.id
  order by o.environment_id, o.id for update of o`;

declare const locked: unique symbol;

/**
 * An order that does not change while this is held, or whose write is refused if it did. Only the locks and `expectOrder` below
 * give it, and what writes an order takes it.
 */
export interface LockedOrder extends Pick<OrderAt, 'order' | 'now'> {
  readonly [locked]: true;
  /** The moment of `now` by the steady clock of this process. */
  readonly nowAtMs: number;
}

/** The order as it was read a moment ago, with the time that it is now. Every write of an order compares the version. */
export function expectOrder({ order, now, nowAtMs }: Omit<LockedOrder, typeof locked>): LockedOrder {
  const atMs = steadyMs();
  return { order, now: new Date(now.getTime() + Math.floor(atMs - nowAtMs)), nowAtMs: atMs } as LockedOrder;
}

const toLocked = (row: AtRow): LockedOrder => {
  const { now } = row;
  const order: Order = ORDERS.read(row);
  return { order, now, nowAtMs: steadyMs() } as LockedOrder;
};

/** Everything that happens to an order happens under this lock, so its purchase has one order of events. */
export async function lockOrder(tx: Tx, environmentId: string, id: string): Promise<LockedOrder | null> {
  const row = await tx.queryRow(lockOrders, { environmentId, id });
  return row ? toLocked(row) : null;
}

const CHANGED = ORDERS.pick('status, email, problem, attention, grantedAt, paidAt, updatedAt, version');

type ChangedOrder = Pick<Order, 'environmentId' | 'id'> & RowOf<typeof CHANGED> & { playerMessage: string | null };

const updateOrders = sqlForRows<ChangedOrder>('order_update', {
  environmentId: 'text',
  id: 'text',
  playerMessage: 'text',
  ...CHANGED.types,
})`
  update orders o set ${CHANGED.setFrom('t')}, player_message = coalesce(t.player_message, o.player_message)
  from ${ROWS} as t
  where o.environment_id = t.environment_id and o.id = t.id`;

/**
 * Writes the order that was decided from the locked one, and answers it as it stands then. A row that was changed since it
 * was read is refused by the database, and the transaction is done again (`refuse_stale_row` in the schema).
 */
export function updateOrder(
  tx: Tx,
  before: LockedOrder,
  after: Order,
  /** What the game says to the player whose items it refused. Written once, with the rejection. */
  playerMessage: string | null = null,
): LockedOrder {
  const order = orderWith(after, { version: before.order.version + 1 });
  tx.writeRows(updateOrders, [
    {
      environmentId: order.environmentId,
      id: order.id,
      playerMessage,
      status: order.status,
      email: order.email,
      problem: order.problem,
      attention: order.attention,
      grantedAt: order.grantedAt,
      paidAt: order.paidAt,
      updatedAt: order.updatedAt,
      version: order.version,
    },
  ]);
  return { order, now: before.now, nowAtMs: before.nowAtMs } as LockedOrder;
}

/** A studio member took what the provider holds for what was asked: from here on it is the order's amount. */
export const updateOrderAccepted = (
  tx: Tx,
  { order: { environmentId, id, version } }: LockedOrder,
  accepted: Pick<Order, 'amountMinor' | 'currency'>,
): void =>
  tx.write(sql('order_accepted')`
    update orders set amount_minor = ${accepted.amountMinor}, currency = ${accepted.currency}, attention = null,
      version = ${version + 1}
    where environment_id = ${environmentId} and id = ${id}`);

interface OrderFilter {
  status: OrderStatus | null;
  playerId: string | null;
  needsAttention: boolean;
  createdFrom: Date | null;
  createdTo: Date | null;
  beforeId: string | null;
  limit: number;
}

export async function listOrders(db: Queryable, environmentId: string, filter: OrderFilter): Promise<OrderAt[]> {
  const rows = await db.query<OrderAtRow>(sqlUnprepared('order_list')`
    select ${ORDERS.of('o')}, app_now() as now,
           ${LAST_PAYMENT_ID} as "paymentId"
    from orders o
    where o.environment_id = ${environmentId}
      and (${filter.status}::text is null
           or case when o.status = 'created' and o.expires_at <= app_now() then 'expired' else o.status end = ${filter.status})
      and (${filter.playerId}::text is null or o.player_id = ${filter.playerId})
      and (not ${filter.needsAttention}::boolean or o.attention is not null)
      and (${filter.createdFrom}::timestamptz is null or o.created_at >= ${filter.createdFrom})
      and (${filter.createdTo}::timestamptz is null or o.created_at < ${filter.createdTo})
      and (${filter.beforeId}::text is null or o.id < ${filter.beforeId})
    order by o.id desc limit ${filter.limit}`);
  return rows.map(toOrderAt);
}

export const ORDERS_LAPSED = fragment`exists (
    select 1 from orders where stage = 'open' and status = 'created' and expires_at <= app_now())`;

/**
 * Those whose time is over, straight from the index of what lapses next. Of the others it has only those that were being paid
 * when their time was over, which are few.
 */
export const claimLapsedOrders = async (tx: Tx, limit: number): Promise<LockedOrder[]> => {
  const rows = await tx.query<AtRow>(sql('order_claim_lapsed')`
    select ${ORDERS.of('o')}, app_now() as now
    from orders o where stage = 'open' and status = 'created' and expires_at <= app_now()
    order by expires_at limit ${limit} for update skip locked`);
  return rows.map(toLocked);
};
