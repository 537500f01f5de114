import type { Tx } from '../../../db/db.ts';
import {
  type Bounds,
  type Condition,
  type FoundOptions,
  findProbe,
  listByIds,
  listScanned,
  type Range,
  type ScanOptions,
} from './index-scan.sql.ts';
import type { Scanned } from './index-scan.ts';

/** A path to the rows: ranges that together hold everything that one condition finds. */
export interface AccessPath {
  /** The condition that the ranges fulfill by themselves; null for the primary key. */
  by: string | null;
  ranges: { range: Range; conditions: Condition[] }[];
}

/** A search that finds more than this is no longer a search; it is read in the order of the list. */
export const MOST_FOUND = 500;
export const PROBE_DEPTH = 200;

const higher = (a: string, b: string): string => (a > b ? a : b);

/** The rarest near the place where reading goes on: its newest entries probe furthest back. */
export async function choosePath(tx: Tx, paths: AccessPath[], bounds: Bounds): Promise<AccessPath> {
  const [first, ...others] = paths;
  if (!first) throw new Error('there is always the primary key');
  if (others.length === 0) return first;
  const probes = await Promise.all(
    paths.map(async path => {
      const ids = await Promise.all(path.ranges.map(({ range }) => findProbe(tx, range, bounds, PROBE_DEPTH)));
      return { path, probe: ids.reduce(higher) };
    }),
  );
  return probes.reduce((best, one) => (one.probe < best.probe ? one : best)).path;
}

/** Several ranges together may look at more: mostly all but one are short, and what is in progress is new and in memory. */
const MORE_TOGETHER = 3.5;

export const shareOf = ({ ranges }: AccessPath, mostScanned: number): number =>
  ranges.length <= 1 ? mostScanned : Math.max(PROBE_DEPTH, Math.floor((MORE_TOGETHER * mostScanned) / ranges.length));

export const scanPath = <Row extends { id: string }>(
  tx: Tx,
  path: AccessPath,
  options: Omit<ScanOptions, 'range'>,
): Promise<Scanned<Row>[]> =>
  Promise.all(
    path.ranges.map(({ range, conditions }) =>
      listScanned<Row>(tx, {
        ...options,
        range,
        conditions: [...conditions, ...options.conditions],
        mostScanned: shareOf(path, options.mostScanned),
      }),
    ),
  );

/** Rows that a search has found already. */
export async function scanFound<Row extends { id: string }>(
  tx: Tx,
  options: FoundOptions,
  environmentId: string,
  ids: string[],
): Promise<Scanned<Row>> {
  const rows = await listByIds<Row>(tx, options, environmentId, ids);
  return { rows, stoppedAt: rows.length === options.limit ? rows.at(-1)!.id : null };
}
