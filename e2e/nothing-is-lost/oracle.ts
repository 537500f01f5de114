import { impossibleCharges } from '@coinslot/testing/simulator-books';
import type { Queryable } from '../../apps/server/src/db/db.ts';
import { sql } from '../../apps/server/src/db/sql.ts';
import type { Arrival, HonestGame } from './honest-game.ts';
import type { Told } from './players.ts';

interface OrderFacts {
  id: string;
  status: string;
  amount: number;
  problem: string | null;
  paid_at: Date | null;
  /** Sums of the provider's ledger over all attempts for this order. */
  captures: number;
  captured: number;
  returned: number;
  reserved: number;
  receipts: number;
  events: string[];
}

const listFacts = (db: Queryable): Promise<OrderFacts[]> =>
  db.query(sql('oracle_facts')`
    select o.id, o.status, o.amount_minor as amount, o.problem, o.paid_at, ledger.captures, ledger.captured, ledger.returned,
           ledger.reserved, coalesce(receipts.count, 0) as receipts,
           array(select e.type from events e where e.order_id = o.id order by e.seq) as events
    from orders o cross join lateral (
      select count(*) filter (where e.kind = 'captured') as captures,
             coalesce(sum(e.amount_minor) filter (where e.kind = 'captured'), 0)::bigint as captured,
             coalesce(sum(e.amount_minor) filter (where e.kind in ('refunded', 'charged_back')), 0)::bigint as returned,
             count(*) filter (where e.kind = 'authorized') - count(*) filter (where e.kind in ('captured', 'voided')) as reserved
      from simulator.entries e join payments p on p.environment_id = e.environment_id and p.id = e.payment_id
      where p.order_id = o.id) ledger
    left join (
      select p.order_id, count(*) as count from mails m join payments p on m.about = 'receipt ' || p.id
      group by p.order_id) receipts on receipts.order_id = o.id`);

/** Rows that wait for a worker: while there is one, nothing may be judged. */
export async function listUnsettled(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ what: string }>(sql('oracle_unsettled')`
    select 'order ' || id || ' ' || status as what from orders
      where status in ('pending', 'authorized', 'refund_requested', 'disputed')
    union all select 'payment ' || id || ' of ' || order_id || ' ' || status || ' tries ' || check_tries from payments where next_check_at is not null
    union all select 'delivery ' || event_type || ' of ' || coalesce(order_id, '') || ' ' || status || ' ' || coalesce(last_error, '')
      from deliveries where status in ('pending', 'blocked', 'held')
    union all select 'job ' || name || ' ' || coalesce(last_error, '') from jobs
    union all select 'event ' || type from events where fan_out`);
  return rows.map(row => row.what);
}

/** What an order's provider, game and record say, when they do not say the same. */
function judgeOrder(order: OrderFacts, told: Told, granted: boolean): string[] {
  const wrong: string[] = [];
  const isPaid = order.status === 'paid';
  if (order.captures > 1) wrong.push('captured more than once');
  if (order.captures === 1 && order.captured !== order.amount) wrong.push('captured another amount');
  if (order.reserved !== 0) wrong.push('money is still reserved');
  if (order.amount > 0 && isPaid !== order.captured > order.returned) wrong.push('paid and captured differ');
  // A refund that the bank refused leaves a paid order without items; it must say so.
  if (isPaid !== granted && order.problem === null)
    wrong.push(granted ? 'granted but not paid' : 'paid but not granted');
  if (order.paid_at !== null && order.receipts !== 1) wrong.push(`${order.receipts} receipts`);
  if (told.amountMinor !== order.amount) wrong.push(`created for ${told.amountMinor}, is ${order.amount}`);
  if (told.cancelAccepted && order.status !== 'canceled') wrong.push('was canceled');
  // Called off before it was complete, and reversed by the bank: the order is rejected, and its money is back.
  const isBack = order.captured > 0 && order.returned === order.captured;
  const isReturned = isBack || ['refunded', 'charged_back'].includes(order.status) || order.problem !== null;
  if (told.refundAccepted && !isReturned) wrong.push('a refund was promised');
  if (isPaid && told.kind === 'loses a dispute for the shop')
    wrong.push('the bank reversed it and the shop does not show it');
  return wrong.map(what => `${order.id} (${told.kind}, ${told.mood}) ${order.status}: ${what}`);
}

/** The two item events of an order: one key each, and the removal last. */
function judgeArrivals(orderId: string, arrivals: Arrival[]): string[] {
  const adds = arrivals.filter(({ kind }) => kind === 'item.add');
  const removes = arrivals.filter(({ kind }) => kind === 'item.remove');
  const wrong: string[] = [];
  if (new Set(adds.map(({ key }) => key)).size > 1) wrong.push('more than one key for a grant');
  if (new Set(removes.map(({ key }) => key)).size > 1) wrong.push('more than one key for a removal');
  if (removes.length > 0 && arrivals.lastIndexOf(adds.at(-1)!) > arrivals.indexOf(removes[0]!)) {
    wrong.push('item.remove came before item.add was over');
  }
  return wrong.map(what => `${orderId}: ${what}`);
}

/** What observers heard, each event once and in the order in which it happened. */
function judgeObserved(order: OrderFacts, arrivals: Arrival[]): string[] {
  const heard = new Map(arrivals.filter(({ kind }) => kind.startsWith('order.')).map(({ key, kind }) => [key, kind]));
  const happened = order.events.filter(kind => kind.startsWith('order.'));
  const isSame = [...heard.values()].join() === happened.join();
  return isSame ? [] : [`${order.id}: observers heard ${[...heard.values()].join()}, it was ${happened.join()}`];
}

function groupByOrder(arrivals: readonly Arrival[]): Map<string, Arrival[]> {
  const groups = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const group = groups.get(arrival.orderId) ?? [];
    groups.set(arrival.orderId, group);
    group.push(arrival);
  }
  return groups;
}

/** Everything that does not hold. Empty: nothing was lost. */
export async function findLosses(db: Queryable, game: HonestGame, told: readonly Told[]): Promise<string[]> {
  const orders = new Map((await listFacts(db)).map(order => [order.id, order]));
  const arrivals = groupByOrder(game.arrivals);
  const losses = [...game.complaints];
  for (const promise of told) {
    const [orderId, ...others] = promise.orderIds;
    if (others.length > 0) losses.push(`${promise.idempotencyKey}: one key gave ${promise.orderIds.size} orders`);
    const order = orders.get(orderId!);
    if (!order) losses.push(`${orderId} was created and is not there`);
    else losses.push(...judgeOrder(order, promise, game.granted.has(order.id)));
  }
  for (const order of orders.values()) {
    const came = arrivals.get(order.id) ?? [];
    losses.push(...judgeArrivals(order.id, came), ...judgeObserved(order, came));
  }
  if (orders.size !== told.length) losses.push(`${orders.size} orders exist, ${told.length} were asked for`);
  const impossible = await impossibleCharges(db);
  return [...losses, ...impossible.map(id => `${id}: its ledger cannot be`)];
}
