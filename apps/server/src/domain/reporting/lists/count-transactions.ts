import type { Db } from '../../../db/db.ts';
import { idTime } from '../../../kit/ids.ts';
import { findOldestPaymentId, findStartedCount } from '../figures/figures.sql.ts';
import { MOST_SCANNED } from './define-list.ts';
import { type Bounds, findScannedCount, MOST_FOUND, updateScanSettings } from './index-scan.sql.ts';
import { higher, scanPlan, shareOf } from './plan-scan.ts';
import { type TransactionQuery, transactionList } from './transactions.ts';

const MOST_READ = 4 * MOST_FOUND;

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

/** The number of payments of a query: exact for few, an estimate for many. */
export function countTransactions(
  db: Db,
  environmentId: string,
  query: TransactionQuery,
  now: Date,
  mostScanned = MOST_SCANNED,
): Promise<TransactionCount> {
  return db.transaction(async tx => {
    updateScanSettings(tx);
    const plan = await transactionList.plan(tx, environmentId, query, null);
    const { scope, ranges, bounds, conditions } = plan;
    if (plan.foundIds) {
      // Few, so they are read: what is in progress is found in both ways.
      const scans = await scanPlan(tx, plan, 'id', MOST_READ, mostScanned);
      const ids = new Set(scans.flatMap(({ rows }) => rows.map(({ id }) => id)));
      return { count: ids.size, isExact: scans.every(({ stoppedAt }) => stoppedAt === null) };
    }
    const most = shareOf(plan, mostScanned);
    const counts = await Promise.all(
      ranges.map(range => findScannedCount(tx, scope, range, { bounds, conditions, mostScanned: most })),
    );
    const isExact = counts.every(({ scanned }) => scanned < most);
    if (isExact) return { count: counts.reduce((sum, { matched }) => sum + matched, 0), isExact };
    const isEverything = transactionList.criteria(query).length === 0 && bounds.below === '~' && bounds.from === '';
    if (isEverything) return { count: await findStartedCount(tx, environmentId), isExact };
    const oldest = (await findOldestPaymentId(tx, environmentId)) ?? '';
    const count = counts.reduce(
      (sum, { matched, scanned, lastId }) =>
        sum + (scanned < most ? matched : extrapolate(matched, bounds, lastId!, oldest, now)),
      0,
    );
    return { count, isExact };
  });
}
