import type { Tx } from '../../../db/db.ts';
import {
  ALL_IDS,
  type Bounds,
  type Condition,
  findProbe,
  type IndexRange,
  listFound,
  listScanned,
  type Scope,
} from './index-scan.sql.ts';
import type { Scanned } from './index-scan.ts';
import type { FoundWindow } from './search.sql.ts';

/** One thing that a filter asks for, and the indexes that lead to it. */
export interface Criterion {
  /** What a row must fulfill; missing where `find` always knows all of them. */
  condition?: Condition;
  /** Ranges that together hold everything that fulfills it, and nothing else. */
  ranges?: IndexRange[];
  /** Ranges that are all that is wanted, if they hold anything. */
  exact?: IndexRange[];
  /** The ids of what fulfills it, if they are few; null if they are not. */
  find?: (tx: Tx, scope: Scope) => Promise<string[] | null>;
  /** The newest ids of what fulfills it within the bounds, and ranges whose rows fulfill it too. Null: it finds nothing so. */
  window?: (tx: Tx, scope: Scope, bounds: Bounds) => Promise<FoundWindow | null>;
  /** Ranges that hold what `find` cannot know of. */
  leftOut?: IndexRange[];
}

/** How a query is read: the ranges to scan, what else must hold, and the ids that a search has found already. */
export interface Plan {
  scope: Scope;
  bounds: Bounds;
  ranges: IndexRange[];
  conditions: Condition[];
  /** Null: nothing is known before the scan. Else everything is among these and the ranges. */
  foundIds: string[] | null;
  /** Below this id nothing was found yet; null: these are all. */
  foundTo?: string | null;
}

const PROBE_DEPTH = 200;
/** Several ranges together may look at more: mostly all but one are short, and what is in progress is new and in memory. */
const MORE_TOGETHER = 3.5;

export const higher = (a: string, b: string): string => (a > b ? a : b);

const EVERYTHING: IndexRange[] = [{ prefix: {} }];

/** The criterion with the fewest rows near the place where reading continues: its newest entries lie furthest back. */
async function chooseRarest(tx: Tx, scope: Scope, bounds: Bounds, criteria: Criterion[]): Promise<Criterion> {
  const candidates = criteria.filter(({ ranges }) => ranges !== undefined);
  if (candidates.length <= 1) return candidates[0] ?? { ranges: EVERYTHING };
  const probes = await Promise.all(
    candidates.map(async criterion => {
      const probe = (range: IndexRange) => findProbe(tx, scope, range, bounds, PROBE_DEPTH);
      return { criterion, id: (await Promise.all(criterion.ranges!.map(probe))).reduce(higher) };
    }),
  );
  return probes.reduce((best, one) => (one.id < best.id ? one : best)).criterion;
}

async function holdAnything(tx: Tx, scope: Scope, ranges: IndexRange[]): Promise<boolean> {
  const options = { columns: 'id', bounds: ALL_IDS, conditions: [], limit: 1, mostScanned: PROBE_DEPTH };
  const found = await Promise.all(ranges.map(range => listScanned(tx, scope, range, options)));
  return found.some(({ rows }) => rows.length > 0);
}

/** Exact matches win; else ids that are few; else the range of the rarest criterion is scanned for all the others. */
export async function planScan(tx: Tx, scope: Scope, bounds: Bounds, criteria: Criterion[]): Promise<Plan> {
  const plan = (ranges: IndexRange[], fulfilled: Criterion | null, foundIds: string[] | null): Plan => {
    const conditions = criteria.flatMap(one => (one === fulfilled ? [] : (one.condition ?? [])));
    return { scope, bounds, ranges, conditions, foundIds };
  };
  for (const criterion of criteria) {
    const { exact, find, window, leftOut = [] } = criterion;
    const newest = window ? await window(tx, scope, bounds) : null;
    if (newest) return { ...plan(newest.ranges ?? [], criterion, newest.ids), foundTo: newest.stoppedAt };
    if (exact && (await holdAnything(tx, scope, exact))) return plan(exact, criterion, null);
    const ids = find ? await find(tx, scope) : null;
    if (ids) return plan(leftOut, null, ids);
  }
  const rarest = await chooseRarest(tx, scope, bounds, criteria);
  return plan(rarest.ranges!, rarest, null);
}

export const shareOf = ({ ranges }: Plan, mostScanned: number): number =>
  ranges.length <= 1 ? mostScanned : Math.max(PROBE_DEPTH, Math.floor((MORE_TOGETHER * mostScanned) / ranges.length));

export async function scanPlan<Row extends { id: string }>(
  tx: Tx,
  plan: Plan,
  columns: string,
  limit: number,
  mostScanned: number,
): Promise<Scanned<Row>[]> {
  const { scope, ranges, bounds, conditions, foundIds } = plan;
  const options = { columns, bounds, conditions, limit, mostScanned: shareOf(plan, mostScanned) };
  const scans = await Promise.all(ranges.map(range => listScanned<Row>(tx, scope, range, options)));
  if (!foundIds) return scans;
  const found = await listFound<Row>(tx, scope, foundIds, options);
  return [...scans, { ...found, stoppedAt: found.stoppedAt ?? plan.foundTo ?? null }];
}
