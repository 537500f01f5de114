import type { Tx } from '../../db/db.ts';
import {
  type Bounds,
  type Condition,
  type FoundOptions,
  findReach,
  listByIds,
  listWalked,
  type Range,
  type WalkOptions,
} from './walk.sql.ts';
import type { Walked } from './walk.ts';

/** A way to the rows: ranges that together hold everything that one condition finds. */
export interface Way {
  /** The condition that the ranges fulfil by themselves; null for the primary key. */
  by: string | null;
  ranges: { range: Range; conditions: Condition[] }[];
}

/** A search that finds more than this is no longer a search; it is read in the order of the list. */
export const MOST_FOUND = 500;
export const PROBE_DEPTH = 200;

const higher = (a: string, b: string): string => (a > b ? a : b);

/** The rarest near the place where reading goes on: its newest entries reach furthest back. */
export async function chooseWay(tx: Tx, ways: Way[], bounds: Bounds): Promise<Way> {
  const [first, ...others] = ways;
  if (!first) throw new Error('there is always the primary key');
  if (others.length === 0) return first;
  const reaches = await Promise.all(
    ways.map(async way => {
      const ids = await Promise.all(way.ranges.map(({ range }) => findReach(tx, range, bounds, PROBE_DEPTH)));
      return { way, reach: ids.reduce(higher) };
    }),
  );
  return reaches.reduce((best, one) => (one.reach < best.reach ? one : best)).way;
}

/** Several ranges together may look at more: mostly all but one are short, and what is under way is new and in memory. */
const MORE_TOGETHER = 3.5;

export const shareOf = ({ ranges }: Way, mostWalked: number): number =>
  ranges.length <= 1 ? mostWalked : Math.max(PROBE_DEPTH, Math.floor((MORE_TOGETHER * mostWalked) / ranges.length));

export const walkWay = <Row extends { id: string }>(
  tx: Tx,
  way: Way,
  options: Omit<WalkOptions, 'range'>,
): Promise<Walked<Row>[]> =>
  Promise.all(
    way.ranges.map(({ range, conditions }) =>
      listWalked<Row>(tx, {
        ...options,
        range,
        conditions: [...conditions, ...options.conditions],
        mostWalked: shareOf(way, options.mostWalked),
      }),
    ),
  );

/** Rows that a search has found already. */
export async function walkFound<Row extends { id: string }>(
  tx: Tx,
  options: FoundOptions,
  environmentId: string,
  ids: string[],
): Promise<Walked<Row>> {
  const rows = await listByIds<Row>(tx, options, environmentId, ids);
  return { rows, stoppedAt: rows.length === options.limit ? rows.at(-1)!.id : null };
}
