import { impossibleCharges } from '@coinslot/testing/simulator-books';
import type { Queryable } from '../../apps/server/src/db/db.ts';
import { sql } from '../../apps/server/src/db/sql.ts';
import type { Arrival, HonestGame } from './honest-game.ts';
import type { Promised } from './players.ts';

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

interface EntryRow {
  payment_id: string;
  kind: string;
  amount: number;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string | undefined): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item) ?? '';
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

function sumsOf(entries: readonly EntryRow[]): Pick<OrderFacts, 'captures' | 'captured' | 'returned' | 'reserved'> {
  const of = (...kinds: string[]): number[] =>
    entries.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount);
  const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  return {
    captures: of('captured').length,
    captured: sum(of('captured')),
    returned: sum(of('refunded', 'charged_back')),
    reserved: of('authorized').length - of('captured', 'voided').length,
  };
}

/**
 * Each table is read by itself, and joined here. A session of the program joins by indexes alone, and for the mail about a
 * payment there is none that fits: of some thousand orders the database took the square, beyond the limit of a statement.
 */
async function listFacts(db: Queryable): Promise<OrderFacts[]> {
  const orders = await db.query<Pick<OrderFacts, 'id' | 'status' | 'amount' | 'problem' | 'paid_at'>>(
    sql('oracle_orders')`select id, status, amount_minor as amount, problem, paid_at from orders`,
  );
  const payments = await db.query<{ id: string; order_id: string }>(sql('oracle_payments')`
    select id, order_id from payments`);
  const entries = await db.query<EntryRow>(sql('oracle_entries')`
    select payment_id, kind, amount_minor as amount from simulator.entries`);
  const receipts = await db.query<{ payment_id: string }>(sql('oracle_receipts')`
    select substr(about, length('receipt ') + 1) as payment_id from mails where about like 'receipt %'`);
  const events = await db.query<{ order_id: string; type: string }>(sql('oracle_events')`
    select order_id, type from events where order_id is not null order by seq`);
  const orderOf = new Map(payments.map(({ id, order_id }) => [id, order_id]));
  const entriesOf = groupBy(entries, ({ payment_id }) => orderOf.get(payment_id));
  const receiptsOf = groupBy(receipts, ({ payment_id }) => orderOf.get(payment_id));
  const eventsOf = groupBy(events, ({ order_id }) => order_id);
  return orders.map(order => ({
    ...order,
    ...sumsOf(entriesOf.get(order.id) ?? []),
    receipts: receiptsOf.get(order.id)?.length ?? 0,
    events: (eventsOf.get(order.id) ?? []).map(({ type }) => type),
  }));
}

/** Rows that wait for a worker: while there is one, nothing may be judged. */
export async function listUnsettled(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ what: string }>(sql('oracle_unsettled')`
    select 'order ' || id || ' ' || status as what from orders
      where status in ('pending', 'authorized', 'refund_requested', 'disputed')
    union all select 'payment ' || id || ' of ' || order_id || ' ' || status || ' tries ' || check_tries from payments where next_check_at is not null
    union all select 'delivery ' || event_type || ' of ' || coalesce(order_id, '') || ' ' || status || ' ' || coalesce(last_error, '')
      from deliveries where status in ('pending', 'blocked', 'held')
    union all select 'job ' || name || ' ' || coalesce(last_error, '') from jobs
    union all select 'event ' || type from events where fan_out
    union all select 'receipts behind ' || seq from reader_positions where name = 'receipts'
      and seq < (select max(seq) from events where type = 'order.paid')`);
  return rows.map(row => row.what);
}

/** What an order's provider, game and record say, when they do not say the same. */
function judgeOrder(order: OrderFacts, promised: Promised, granted: boolean): string[] {
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
  if (promised.amountMinor !== order.amount) wrong.push(`created for ${promised.amountMinor}, is ${order.amount}`);
  if (promised.cancelAccepted && order.status !== 'canceled') wrong.push('was canceled');
  // Called off before it was complete, and reversed by the bank: the order is rejected, and its money is back.
  const isBack = order.captured > 0 && order.returned === order.captured;
  const isReturned = isBack || ['refunded', 'charged_back'].includes(order.status) || order.problem !== null;
  if (promised.refundAccepted && !isReturned) wrong.push('a refund was promised');
  if (isPaid && promised.kind === 'loses a dispute for the shop')
    wrong.push('the bank reversed it and the shop does not show it');
  return wrong.map(what => `${order.id} (${promised.kind}, ${promised.mood}) ${order.status}: ${what}`);
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
  const received = new Map(
    arrivals.filter(({ kind }) => kind.startsWith('order.')).map(({ key, kind }) => [key, kind]),
  );
  const happened = order.events.filter(kind => kind.startsWith('order.'));
  const isSame = [...received.values()].join() === happened.join();
  return isSame ? [] : [`${order.id}: observers heard ${[...received.values()].join()}, it was ${happened.join()}`];
}

/** Everything that does not hold. Empty: nothing was lost. */
export async function findLosses(db: Queryable, game: HonestGame, promised: readonly Promised[]): Promise<string[]> {
  const orders = new Map((await listFacts(db)).map(order => [order.id, order]));
  const arrivals = groupBy(game.arrivals, ({ orderId }) => orderId);
  const losses = [...game.complaints];
  for (const promise of promised) {
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
  if (orders.size !== promised.length) losses.push(`${orders.size} orders exist, ${promised.length} were asked for`);
  const impossible = await impossibleCharges(db);
  return [...losses, ...impossible.map(id => `${id}: its ledger cannot be`)];
}
