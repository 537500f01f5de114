import type { Db, Tx } from '../../../db/db.ts';
import { type IdPrefix, idBound } from '../../../kit/ids.ts';
import { ALL_IDS, type Bounds, type Scope, updateScanSettings } from './index-scan.sql.ts';
import { mergeScans, type ScannedPage } from './index-scan.ts';
import { type Criterion, higher, type Plan, planScan, scanPlan } from './plan-scan.ts';

/** What every list can be asked for; each has filters of its own besides. */
interface ListQuery {
  q?: string;
  created_from?: number;
  created_to?: number;
}

/** A list of the dashboard, newest first, with the id as cursor. */
interface ListDescription<Query, Row, Listed> {
  table: Scope['table'];
  idPrefix: IdPrefix;
  /** How far an id's time may be from the row's, where another clock than the database's makes the ids. */
  idSlackMs?: number;
  columns: string;
  /** One for each name of the query, those first whose indexes win when two are equally rare. */
  filters: {
    [Name in keyof Omit<Query, 'created_from' | 'created_to'>]-?: (
      value: NonNullable<Query[Name]>,
      query: Query,
    ) => Criterion;
  };
  present(tx: Tx, environmentId: string, rows: Row[]): Promise<Listed[]> | Listed[];
}

interface PageOptions {
  before: string | null;
  limit: number;
  mostScanned?: number;
}

export interface List<Query, Listed> {
  idPrefix: IdPrefix;
  /** What a query asks for besides its bounds. */
  criteria(query: Query): Criterion[];
  plan(tx: Tx, environmentId: string, query: Query, before: string | null): Promise<Plan>;
  /** One page. However rare its rows are, the work is bounded: a page may be short and still go on. */
  page(db: Db, environmentId: string, query: Query, options: PageOptions): Promise<ScannedPage<Listed>>;
  /** Every page, each read only when the one before was taken; a reader that stops ends it. */
  pages(db: Db, environmentId: string, query: Query, limit: number): AsyncGenerator<Listed[]>;
}

/** What one answer looks at, at most: a few milliseconds when it lies in memory, and never more than 50 when it does not. */
export const MOST_SCANNED = 2_000;
/** In one step for a list that is wanted whole. */
const MOST_SCANNED_OF_ALL = 20_000;
const lower = (a: string, b: string): string => (a < b ? a : b);

/** The words of a comma-separated filter; the contract's schema has checked them. */
export const wordsOf = <Word extends string>(text: string | undefined): Word[] =>
  text === undefined ? [] : ([...new Set(text.split(','))] as Word[]);

/** Ids hold their time, so a span of time is a span of ids; the search for an id's beginning is one too. */
function boundsOf(
  { idPrefix, idSlackMs = 0 }: { idPrefix: IdPrefix; idSlackMs?: number },
  { q, created_from: from, created_to: to }: ListQuery,
  before: string | null,
): Bounds {
  const start = from === undefined ? ALL_IDS.from : idBound(idPrefix, from * 1000 - idSlackMs);
  const end = to === undefined ? ALL_IDS.below : idBound(idPrefix, to * 1000 + idSlackMs);
  const below = before === null ? end : lower(end, before);
  if (!q?.startsWith(`${idPrefix}_`)) return { below, from: start };
  return { below: lower(below, `${q}\u{10ffff}`), from: higher(start, q) };
}

function criteriaOf<Query extends ListQuery, Row, Listed>(
  { filters, idPrefix, idSlackMs }: ListDescription<Query, Row, Listed>,
  query: Query,
): Criterion[] {
  const criteria: Criterion[] = [];
  for (const name of Object.keys(filters) as (keyof typeof filters)[]) {
    const value = query[name];
    if (value === undefined || value === '') continue;
    const isBound = name === 'q' && query.q?.startsWith(`${idPrefix}_`);
    if (!isBound) criteria.push(filters[name](value as NonNullable<typeof value>, query));
  }
  const created = (sign: string, seconds: number | undefined): void => {
    if (seconds !== undefined && idSlackMs !== undefined)
      criteria.push({ condition: { text: `created_at ${sign} ?`, values: [new Date(seconds * 1000)] } });
  };
  created('>=', query.created_from);
  created('<', query.created_to);
  return criteria;
}

/** Pages, counts and exports of a list follow from its description. */
export function defineList<Query extends ListQuery, Row extends { id: string }, Listed>(
  description: ListDescription<Query, Row, Listed>,
): List<Query, Listed> {
  const { table, idPrefix, columns, present } = description;
  const trimmed = (query: Query): Query => (query.q === undefined ? query : { ...query, q: query.q.trim() });
  const list: List<Query, Listed> = {
    idPrefix,
    criteria: query => criteriaOf(description, trimmed(query)),
    plan: (tx, environmentId, query, before) => {
      const bounds = boundsOf(description, trimmed(query), before);
      return planScan(tx, { table, environmentId }, bounds, list.criteria(query));
    },
    page: (db, environmentId, query, { before, limit, mostScanned = MOST_SCANNED }) =>
      db.transaction(async tx => {
        updateScanSettings(tx);
        const plan = await list.plan(tx, environmentId, query, before);
        const page = mergeScans(await scanPlan<Row>(tx, plan, columns, limit + 1, mostScanned), limit);
        return { ...page, rows: await present(tx, environmentId, page.rows) };
      }),
    pages: async function* pages(db, environmentId, query, limit) {
      for (let before: string | null | undefined; before !== null; ) {
        const options = { before: before ?? null, limit, mostScanned: MOST_SCANNED_OF_ALL };
        const page = await list.page(db, environmentId, query, options);
        if (page.rows.length > 0) yield page.rows;
        before = page.nextBefore;
      }
    },
  };
  return list;
}
