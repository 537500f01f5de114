import type { Db, Tx } from '../../../db/db.ts';
import { idTime } from '../../../kit/ids.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../../payment/payment.sql.ts';
import type { Payment } from '../../payment/payment.ts';
import { findOldestPaymentId, findStartedCount } from '../figures/figures.sql.ts';
import { type AccessPath, choosePath, MOST_FOUND, PROBE_DEPTH, scanFound, scanPath, shareOf } from './access-path.ts';
import {
  ALL_IDS,
  type Bounds,
  type Condition,
  findScannedCount,
  listIdsBetween,
  listScanned,
  updateScanSettings,
} from './index-scan.sql.ts';
import { mergeScans, type Scanned, type ScannedPage } from './index-scan.ts';
import {
  conditionsOf,
  EMAIL_COLUMN,
  PREDICATES,
  SETTLED,
  searchCondition,
  type TransactionFilter,
} from './transaction-filter.ts';
import { everythingPath, exactPaths, inProgressPath, pathsFor } from './transaction-paths.ts';

export interface ListOptions {
  before: string | null;
  limit: number;
  mostScanned?: number;
}

/** What one answer looks at, at most: a few milliseconds when it lies in memory, and never more than 50 when it does not. */
const MOST_WALKED = 2_000;

const MOST_READ = 4 * MOST_FOUND;

const COLUMNS = PAYMENT_COLUMNS.sqlText;

const lower = (a: string, b: string): string => (a < b ? a : b);
const higher = (a: string, b: string): string => (a > b ? a : b);

/** How to go about a filter: the paths to scan, what else must hold, and rows that were found by a search already. */
interface Plan {
  bounds: Bounds;
  path: AccessPath;
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
    const path = inProgressPath(environmentId, filter.statuses);
    return { bounds, path, conditions: [...conditions.values()], foundIds: rare, isFound: true };
  }
  const paths = pathsFor(environmentId, filter);
  const path = await choosePath(tx, paths.length > 0 ? paths : [everythingPath(environmentId)], bounds);
  if (path.by !== null) conditions.delete(path.by);
  return { bounds, path, conditions: [...conditions.values()], foundIds: [], isFound: false };
}

async function listExact(tx: Tx, environmentId: string, q: string): Promise<AccessPath | null> {
  const ranges = exactPaths(environmentId, q).flatMap(path => path.ranges);
  const found = await Promise.all(
    ranges.map(({ range, conditions }) =>
      listScanned(tx, {
        columns: 'id',
        range,
        bounds: ALL_IDS,
        conditions,
        limit: 1,
        mostScanned: PROBE_DEPTH,
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

/** Exact matches win. Else what begins so, if that is little; else the search becomes one more condition of the scan. */
async function planSearch(
  tx: Tx,
  environmentId: string,
  filter: TransactionFilter & { q: string },
  bounds: Bounds,
): Promise<Plan> {
  const { q } = filter;
  const conditions = [...conditionsOf(filter).values()];
  const exact = await listExact(tx, environmentId, q);
  if (exact) return { bounds, path: exact, conditions, foundIds: [], isFound: false };
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
    path: inProgressPath(environmentId, filter.statuses),
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

async function scanPlan(
  tx: Tx,
  environmentId: string,
  plan: Plan,
  limit: number,
  mostScanned: number,
): Promise<Scanned<PaymentRow>[]> {
  const { path, bounds, conditions, foundIds } = plan;
  const scans = await scanPath<PaymentRow>(tx, path, { columns: COLUMNS, bounds, conditions, limit, mostScanned });
  if (foundIds.length === 0) return scans;
  const found = { table: 'payments', columns: COLUMNS, bounds, conditions, limit } as const;
  return [...scans, await scanFound<PaymentRow>(tx, found, environmentId, foundIds)];
}

/** Payments of a filter, newest first. However rare they are, the work is bounded: a page may be short and still go on. */
export function listTransactions(
  db: Db,
  environmentId: string,
  filter: TransactionFilter,
  { before, limit, mostScanned = MOST_WALKED }: ListOptions,
): Promise<ScannedPage<Payment>> {
  return db.transaction(async tx => {
    updateScanSettings(tx);
    const plan = await planFor(tx, environmentId, filter, before);
    const page = mergeScans(await scanPlan(tx, environmentId, plan, limit + 1, mostScanned), limit);
    return { ...page, rows: page.rows.map(toPayment) };
  });
}

/** How many more there are than were looked at, if they are spread over time as those were. */
function extrapolate(matched: number, bounds: Bounds, lastId: string, oldestId: string, now: Date): number {
  const upperMs = bounds.below === '~' ? now.getTime() : Math.min(idTime(bounds.below).getTime(), now.getTime());
  const lowerMs = idTime(higher(bounds.from, oldestId)).getTime();
  const scannedMs = Math.max(1, upperMs - idTime(lastId).getTime());
  return Math.max(matched, Math.round((matched * Math.max(scannedMs, upperMs - lowerMs)) / scannedMs));
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
  mostScanned = MOST_WALKED,
): Promise<TransactionCount> {
  return db.transaction(async tx => {
    updateScanSettings(tx);
    const plan = await planFor(tx, environmentId, filter, null);
    if (plan.isFound) {
      // Few, so they are read: what is in progress is found in both paths.
      const scans = await scanPlan(tx, environmentId, plan, MOST_READ, mostScanned);
      const ids = new Set(scans.flatMap(({ rows }) => rows.map(({ id }) => id)));
      return { count: ids.size, isExact: scans.every(({ stoppedAt }) => stoppedAt === null) };
    }
    const { path, bounds, conditions } = plan;
    const most = shareOf(path, mostScanned);
    const counts = await Promise.all(
      path.ranges.map(({ range, conditions: own }) =>
        findScannedCount(tx, { columns: 'id', range, bounds, conditions: [...own, ...conditions], mostScanned: most }),
      ),
    );
    const isExact = counts.every(({ scanned }) => scanned < most);
    if (isExact) return { count: counts.reduce((sum, { matched }) => sum + matched, 0), isExact };
    if (isEverything(filter)) return { count: await findStartedCount(tx, environmentId), isExact };
    const oldest = (await findOldestPaymentId(tx, environmentId)) ?? '';
    const count = counts.reduce(
      (sum, { matched, scanned, lastId }) =>
        sum + (scanned < most ? matched : extrapolate(matched, bounds, lastId!, oldest, now)),
      0,
    );
    return { count, isExact };
  });
}
