import type { Db, Tx } from '../../db/db.ts';
import { idTime } from '../../kit/ids.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payment/payment.sql.ts';
import type { Payment } from '../payment/payment.ts';
import { findOldestPaymentId, findStartedCount } from './figures.sql.ts';
import {
  conditionsOf,
  EMAIL_COLUMN,
  everythingWay,
  exactWays,
  PREDICATES,
  SETTLED,
  searchCondition,
  type TransactionFilter,
  underWay,
  waysFor,
} from './transaction-list.ts';
import {
  ALL_IDS,
  type Bounds,
  type Condition,
  findWalkedCount,
  listIdsBetween,
  listWalked,
  updateWalkSettings,
} from './walk.sql.ts';
import { mergeWalks, type Walked, type WalkedPage } from './walk.ts';
import { chooseWay, MOST_FOUND, PROBE_DEPTH, shareOf, type Way, walkFound, walkWay } from './way.ts';

export interface ListOptions {
  before: string | null;
  limit: number;
  mostWalked?: number;
}

/** What one answer looks at, at most: a few milliseconds when it lies in memory, and never more than 50 when it does not. */
const MOST_WALKED = 2_000;

const MOST_READ = 4 * MOST_FOUND;

const COLUMNS = PAYMENT_COLUMNS.sqlText;

const lower = (a: string, b: string): string => (a < b ? a : b);
const higher = (a: string, b: string): string => (a > b ? a : b);

/** How to go about a filter: the ways to walk, what else must hold, and rows that were found by a search already. */
interface Plan {
  bounds: Bounds;
  way: Way;
  conditions: Condition[];
  foundIds: string[];
  /** Everything settled that matches is among the found, even when nothing was found. */
  isFound: boolean;
}

function boundsOf({ bounds, q }: TransactionFilter, before: string | null): Bounds {
  const below = before === null ? bounds.below : lower(bounds.below, before);
  if (!q?.startsWith('pay_')) return { below, from: bounds.from };
  return { below: lower(below, `${q}\u{10ffff}`), from: higher(bounds.from, q) };
}

/** Amounts between two bounds, if they are few; null when they are not, or none are asked for. */
async function listRareAmounts(tx: Tx, environmentId: string, filter: TransactionFilter): Promise<string[] | null> {
  const { amountFrom, amountTo } = filter;
  if ((amountFrom === null && amountTo === null) || amountFrom === amountTo) return null;
  return listIdsBetween(tx, environmentId, {
    table: 'payments',
    column: 'amount_minor',
    from: amountFrom ?? 0,
    below: amountTo === null ? Number.MAX_SAFE_INTEGER : amountTo + 1,
    most: MOST_FOUND,
    predicate: SETTLED,
  });
}

async function planWithoutSearch(
  tx: Tx,
  environmentId: string,
  filter: TransactionFilter,
  bounds: Bounds,
): Promise<Plan> {
  const conditions = conditionsOf(filter);
  const rare = await listRareAmounts(tx, environmentId, filter);
  if (rare) {
    const way = underWay(environmentId, filter.statuses);
    return { bounds, way, conditions: [...conditions.values()], foundIds: rare, isFound: true };
  }
  const ways = waysFor(environmentId, filter);
  const way = await chooseWay(tx, ways.length > 0 ? ways : [everythingWay(environmentId)], bounds);
  if (way.by !== null) conditions.delete(way.by);
  return { bounds, way, conditions: [...conditions.values()], foundIds: [], isFound: false };
}

async function listExact(tx: Tx, environmentId: string, q: string): Promise<Way | null> {
  const ranges = exactWays(environmentId, q).flatMap(way => way.ranges);
  const found = await Promise.all(
    ranges.map(({ range, conditions }) =>
      listWalked(tx, {
        columns: 'id',
        range,
        bounds: ALL_IDS,
        conditions,
        limit: 1,
        mostWalked: PROBE_DEPTH,
      }),
    ),
  );
  return found.some(({ rows }) => rows.length > 0) ? { by: 'q', ranges } : null;
}

const startingWith = (column: string, text: string) => ({
  table: 'payments' as const,
  column,
  from: text,
  below: `${text}\u{10ffff}`,
  most: MOST_FOUND,
  predicate: PREDICATES[column] ?? 'true',
});

/** Exact matches win. Else what begins so, if that is little; else the search becomes one more condition of the walk. */
async function planSearch(
  tx: Tx,
  environmentId: string,
  filter: TransactionFilter & { q: string },
  bounds: Bounds,
): Promise<Plan> {
  const { q } = filter;
  const conditions = [...conditionsOf(filter).values()];
  const exact = await listExact(tx, environmentId, q);
  if (exact) return { bounds, way: exact, conditions, foundIds: [], isFound: false };
  const found = await Promise.all([
    listIdsBetween(tx, environmentId, startingWith('player_id', q)),
    listIdsBetween(tx, environmentId, startingWith(EMAIL_COLUMN, q.toLowerCase())),
    q.startsWith('ord_') ? listIdsBetween(tx, environmentId, startingWith('order_id', q)) : [],
  ]);
  if (found.some(ids => ids === null)) {
    const plan = await planWithoutSearch(tx, environmentId, filter, bounds);
    return { ...plan, conditions: [...plan.conditions, searchCondition(q)] };
  }
  return {
    bounds,
    way: underWay(environmentId, filter.statuses),
    conditions: [...conditions, searchCondition(q)],
    foundIds: [...new Set(found.flatMap(ids => ids ?? []))],
    isFound: true,
  };
}

function planFor(tx: Tx, environmentId: string, filter: TransactionFilter, before: string | null): Promise<Plan> {
  const bounds = boundsOf(filter, before);
  const { q } = filter;
  if (q === null || q.startsWith('pay_')) return planWithoutSearch(tx, environmentId, filter, bounds);
  return planSearch(tx, environmentId, { ...filter, q }, bounds);
}

async function walkPlan(
  tx: Tx,
  environmentId: string,
  plan: Plan,
  limit: number,
  mostWalked: number,
): Promise<Walked<PaymentRow>[]> {
  const { way, bounds, conditions, foundIds } = plan;
  const walks = await walkWay<PaymentRow>(tx, way, { columns: COLUMNS, bounds, conditions, limit, mostWalked });
  if (foundIds.length === 0) return walks;
  const found = { table: 'payments', columns: COLUMNS, bounds, conditions, limit } as const;
  return [...walks, await walkFound<PaymentRow>(tx, found, environmentId, foundIds)];
}

/** Payments of a filter, newest first. However rare they are, the work is bounded: a page may be short and still go on. */
export function listTransactions(
  db: Db,
  environmentId: string,
  filter: TransactionFilter,
  { before, limit, mostWalked = MOST_WALKED }: ListOptions,
): Promise<WalkedPage<Payment>> {
  return db.transaction(async tx => {
    updateWalkSettings(tx);
    const plan = await planFor(tx, environmentId, filter, before);
    const page = mergeWalks(await walkPlan(tx, environmentId, plan, limit + 1, mostWalked), limit);
    return { ...page, rows: page.rows.map(toPayment) };
  });
}

/** How many more there are than were looked at, if they are spread over time as those were. */
function extrapolate(matched: number, bounds: Bounds, lastId: string, oldestId: string, now: Date): number {
  const upperMs = bounds.below === '~' ? now.getTime() : Math.min(idTime(bounds.below).getTime(), now.getTime());
  const lowerMs = idTime(higher(bounds.from, oldestId)).getTime();
  const walkedMs = Math.max(1, upperMs - idTime(lastId).getTime());
  return Math.max(matched, Math.round((matched * Math.max(walkedMs, upperMs - lowerMs)) / walkedMs));
}

export interface TransactionCount {
  count: number;
  isExact: boolean;
}

const isEverything = (filter: TransactionFilter): boolean =>
  filter.q === null && conditionsOf(filter).size === 0 && filter.bounds.below === '~' && filter.bounds.from === '';

export function countTransactions(
  db: Db,
  environmentId: string,
  filter: TransactionFilter,
  now: Date,
  mostWalked = MOST_WALKED,
): Promise<TransactionCount> {
  return db.transaction(async tx => {
    updateWalkSettings(tx);
    const plan = await planFor(tx, environmentId, filter, null);
    if (plan.isFound) {
      // Few, so they are read: what is under way is found in both ways.
      const walks = await walkPlan(tx, environmentId, plan, MOST_READ, mostWalked);
      const ids = new Set(walks.flatMap(({ rows }) => rows.map(({ id }) => id)));
      return { count: ids.size, isExact: walks.every(({ stoppedAt }) => stoppedAt === null) };
    }
    const { way, bounds, conditions } = plan;
    const most = shareOf(way, mostWalked);
    const counts = await Promise.all(
      way.ranges.map(({ range, conditions: own }) =>
        findWalkedCount(tx, { columns: 'id', range, bounds, conditions: [...own, ...conditions], mostWalked: most }),
      ),
    );
    const isExact = counts.every(({ walked }) => walked < most);
    if (isExact) return { count: counts.reduce((sum, { matched }) => sum + matched, 0), isExact };
    if (isEverything(filter)) return { count: await findStartedCount(tx, environmentId), isExact };
    const oldest = (await findOldestPaymentId(tx, environmentId)) ?? '';
    const count = counts.reduce(
      (sum, { matched, walked, lastId }) =>
        sum + (walked < most ? matched : extrapolate(matched, bounds, lastId!, oldest, now)),
      0,
    );
    return { count, isExact };
  });
}
