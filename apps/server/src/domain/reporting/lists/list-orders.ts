import type { OrderStatus } from '@coinslot/contract';
import type { Db, Tx } from '../../../db/db.ts';
import { ORDER_COLUMNS, type OrderAt, type OrderRow, toOrder } from '../../order/order.sql.ts';
import { NEEDS_ATTENTION } from '../../payment/payment.sql.ts';
import { type AccessPath, MOST_FOUND, scanFound, scanPath } from './access-path.ts';
import { type Bounds, type Condition, listIdsBetween, type Range, updateScanSettings } from './index-scan.sql.ts';
import { mergeScans, type Scanned, type ScannedPage } from './index-scan.ts';
import { listLastPaymentIds, listOrderIdsByEmail } from './orders.sql.ts';

export interface OrderListFilter {
  q: string | null;
  statuses: OrderStatus[];
  playerId: string | null;
  needsAttention: boolean;
  bounds: Bounds;
}

const MOST_WALKED = 2_000;
/** In one step for a list that is wanted whole. */
const MOST_LOOKED_AT = 20_000;
/** One stage for the indexes. */
const OPEN: readonly OrderStatus[] = ['pending', 'authorized'];
const COLUMNS = ORDER_COLUMNS.sqlText.replaceAll(/\bo\./g, '');
/** As a reader must see it: an unpaid order whose time is over has lapsed. */
const STATUS = `case when status = 'created' and expires_at <= app_now() then 'expired' else status end`;

const leadsTo = (environmentId: string, prefix: Range['prefix'], predicate?: string): Range => ({
  table: 'orders',
  prefix: [...prefix, { column: 'environment_id', value: environmentId }],
  ...(predicate && { predicate }),
});

/** Those that wait for their player are in no index of statuses: they are many, and most orders begin and end there. */
function wayFor(environmentId: string, { statuses, needsAttention }: OrderListFilter): AccessPath {
  if (needsAttention) {
    const range = leadsTo(environmentId, [], NEEDS_ATTENTION.sqlText);
    return { by: 'attention', ranges: [{ range, conditions: [] }] };
  }
  if (statuses.length === 0 || statuses.includes('created')) {
    return { by: null, ranges: [{ range: leadsTo(environmentId, []), conditions: [] }] };
  }
  const range = (stage: string) => leadsTo(environmentId, [{ column: 'stage', value: stage }], `stage <> 'created'`);
  const open = statuses.filter(status => OPEN.includes(status));
  const ended = statuses.filter(status => !OPEN.includes(status));
  const only = { text: 'status = any(?::text[])', values: [open] };
  return {
    by: 'status',
    ranges: [
      ...ended.map(status => ({ range: range(status), conditions: [] })),
      ...(open.length > 0 ? [{ range: range('open'), conditions: [only] }] : []),
    ],
  };
}

const ofPlayer = (text: string, end: string) =>
  ({ table: 'orders', column: 'player_id', from: text, below: `${text}${end}`, most: MOST_FOUND }) as const;

/** Null: it finds too much, and becomes a condition. */
async function findIds(tx: Tx, environmentId: string, { q, playerId }: OrderListFilter): Promise<string[] | null> {
  // The smallest letter there is behind a text: nothing else lies between the two.
  if (playerId !== null) return listIdsBetween(tx, environmentId, ofPlayer(playerId, '\u{1}'));
  if (q === null || q.startsWith('ord_')) return null;
  if (q.includes('@')) return listOrderIdsByEmail(tx, environmentId, q, MOST_FOUND);
  return listIdsBetween(tx, environmentId, ofPlayer(q, '\u{10ffff}'));
}

function conditionsOf(filter: OrderListFilter, path: AccessPath, isFound: boolean): Condition[] {
  const { q, statuses, playerId } = filter;
  const conditions: Condition[] = [];
  if (filter.needsAttention && isFound) conditions.push({ text: NEEDS_ATTENTION.sqlText, values: [] });
  if (statuses.length > 0 && (path.by !== 'status' || isFound)) {
    conditions.push({ text: `${STATUS} = any(?::text[])`, values: [statuses] });
  }
  if (playerId !== null) conditions.push({ text: 'player_id = ?', values: [playerId] });
  if (q !== null && !isFound && !q.startsWith('ord_')) {
    conditions.push({ text: 'player_id >= ? and player_id < ?', values: [q, `${q}\u{10ffff}`] });
  }
  return conditions;
}

function boundsOf({ bounds, q }: OrderListFilter, before: string | null): Bounds {
  const below = before !== null && before < bounds.below ? before : bounds.below;
  if (!q?.startsWith('ord_')) return { below, from: bounds.from };
  const end = `${q}\u{10ffff}`;
  return { below: end < below ? end : below, from: q > bounds.from ? q : bounds.from };
}

/** Orders of a filter, newest first, with a bounded amount of work. */
export function listDashboardOrders(
  db: Db,
  environmentId: string,
  filter: OrderListFilter,
  { before, limit, mostScanned = MOST_WALKED }: { before: string | null; limit: number; mostScanned?: number },
): Promise<ScannedPage<OrderAt>> {
  return db.transaction(async tx => {
    updateScanSettings(tx);
    const foundIds = await findIds(tx, environmentId, filter);
    const path = wayFor(environmentId, filter);
    const conditions = conditionsOf(filter, path, foundIds !== null);
    const options = { columns: COLUMNS, bounds: boundsOf(filter, before), conditions, limit: limit + 1 };
    const scans: Scanned<OrderRow>[] = foundIds
      ? [await scanFound<OrderRow>(tx, { ...options, table: 'orders' }, environmentId, foundIds)]
      : await scanPath<OrderRow>(tx, path, { ...options, mostScanned });
    const page = mergeScans(scans, limit);
    const ids = page.rows.map(({ id }) => id);
    const { now, lastOf } = await listLastPaymentIds(tx, environmentId, ids);
    return {
      ...page,
      rows: page.rows.map(row => ({ order: toOrder(row), now, paymentId: lastOf.get(row.id) ?? null })),
    };
  });
}

/** The newest orders of a filter by their ids, and whether there are more. */
export async function listOrderIds(
  db: Db,
  environmentId: string,
  filter: OrderListFilter,
  most: number,
): Promise<{ ids: string[]; isCapped: boolean }> {
  const ids: string[] = [];
  let before: string | null = null;
  do {
    const options = { before, limit: most + 1 - ids.length, mostScanned: MOST_LOOKED_AT };
    const page: Awaited<ReturnType<typeof listDashboardOrders>> = await listDashboardOrders(
      db,
      environmentId,
      filter,
      options,
    );
    ids.push(...page.rows.map(({ order }) => order.id));
    before = page.nextBefore;
  } while (before !== null && ids.length <= most);
  return { ids: ids.slice(0, most), isCapped: ids.length > most };
}
