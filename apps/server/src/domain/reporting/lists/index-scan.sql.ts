import { type Queryable, type Statement, sql, type Tx } from '../../../db/statement.ts';
import type { Scanned } from './index-scan.ts';

/** Conditions that a list was asked for. Texts are written by us; values only ever travel as parameters. */
export interface Condition {
  /** With `?` where a value goes. */
  text: string;
  values: unknown[];
}

export const equals = (column: string, value: unknown): Condition => ({ text: `${column} = ?`, values: [value] });

export const isOneOf = (column: string, values: readonly string[]): Condition => ({
  text: `${column} = any(?::text[])`,
  values: [values],
});

/** One ordered range of an index whose last columns are the environment and the id. */
export interface IndexRange {
  /** The index's columns before the environment, in its order, each with the value that it must have. */
  prefix: Readonly<Record<string, unknown>>;
  /** The predicate of a partial index, word for word. */
  predicate?: string;
  /** What must hold of the range's rows besides, because the index holds more than is wanted. */
  conditions?: Condition[];
}

export interface Bounds {
  below: string;
  from: string;
}

/** Ids have a prefix of small letters, so everything lies between these. */
export const ALL_IDS: Bounds = { below: '~', from: '' };

export interface Scope {
  table: 'payments' | 'orders' | 'deliveries';
  environmentId: string;
}

class Text {
  readonly values: unknown[] = [];
  value = (value: unknown): string => `$${this.values.push(value)}`;
  conditions = (conditions: readonly Condition[]): string =>
    conditions
      .map(({ text, values }) => {
        let next = 0;
        return `(${text.replaceAll('?', () => this.value(values[next++]))})`;
      })
      .join(' and ') || 'true';
  /** Planned each time: which filters are there, and so the text, differs from call to call. */
  statement = (text: string): Statement => ({ name: '', text, values: this.values });
}

/**
 * Compared and ordered as a whole row, the range fits this one index and no other. With plain equalities the planner could
 * choose to scan the primary key instead, which reads everything when what is looked for is rare.
 */
function rangeText(
  text: Text,
  { table, environmentId }: Scope,
  { prefix, predicate = 'true' }: IndexRange,
  { below, from }: Bounds,
): { rows: string; order: string } {
  const columns = [...Object.keys(prefix), 'environment_id', 'id'];
  const values = [...Object.values(prefix), environmentId].map(text.value);
  const tuple = `(${columns.join(', ')})`;
  const upper = `${tuple} < (${[...values, text.value(below)].join(', ')})`;
  const lower = `${tuple} >= (${[...values, text.value(from)].join(', ')})`;
  const order = columns.map(column => `${column} desc`).join(', ');
  return { rows: `${table} where ${upper} and ${lower} and ${predicate} order by ${order}`, order };
}

/**
 * Makes the planner read an index in its order, in this transaction. To sort what it finds it would have to read all of it
 * first.
 */
export const updateScanSettings = (tx: Tx): void =>
  tx.write(sql('scan_settings')`
    select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`);

export interface ScanOptions {
  columns: string;
  bounds: Bounds;
  conditions: Condition[];
  limit: number;
  /** Rows looked at, at most, whether or not they match. */
  mostScanned: number;
}

const conditionsOn = (range: IndexRange, { conditions }: Pick<ScanOptions, 'conditions'>): Condition[] => [
  ...(range.conditions ?? []),
  ...conditions,
];

export function scanStatement(scope: Scope, range: IndexRange, options: ScanOptions): Statement {
  const { columns, bounds, limit, mostScanned } = options;
  const text = new Text();
  const { rows, order } = rangeText(text, scope, range, bounds);
  const matches = text.conditions(conditionsOn(range, options));
  return text.statement(`
    select * from (
      select ${columns}, row_number() over (order by ${order})::int as scanned, ${matches} as matches
      from ${rows} limit ${mostScanned}) w
    where matches or scanned = ${mostScanned}
    limit ${limit}`);
}

/** Reads a range newest first until enough match or enough was looked at. */
export async function listScanned<Row extends { id: string }>(
  db: Queryable,
  scope: Scope,
  range: IndexRange,
  options: ScanOptions,
): Promise<Scanned<Row>> {
  const rows = await db.query<Row & { scanned: number; matches: boolean }>(scanStatement(scope, range, options));
  const last = rows.at(-1);
  const found = rows.filter(row => row.matches).slice(0, options.limit);
  if (found.length === options.limit) return { rows: found, stoppedAt: found.at(-1)!.id };
  return { rows: found, stoppedAt: last?.scanned === options.mostScanned ? last.id : null };
}

/** The id of a range's entry number `depth`, newest first: the lower, the rarer. Empty: there are fewer. */
export async function findProbe(
  db: Queryable,
  scope: Scope,
  range: IndexRange,
  bounds: Bounds,
  depth: number,
): Promise<string> {
  const text = new Text();
  const { rows } = rangeText(text, scope, range, bounds);
  const [row] = await db.query<{ id: string }>(text.statement(`select id from ${rows} offset ${depth - 1} limit 1`));
  return row?.id ?? '';
}

export interface ScannedCount {
  matched: number;
  scanned: number;
  lastId: string | null;
}

export async function findScannedCount(
  db: Queryable,
  scope: Scope,
  range: IndexRange,
  options: Pick<ScanOptions, 'bounds' | 'conditions' | 'mostScanned'>,
): Promise<ScannedCount> {
  const text = new Text();
  const { rows } = rangeText(text, scope, range, options.bounds);
  const matches = text.conditions(conditionsOn(range, options));
  const [row] = await db.query<ScannedCount>(
    text.statement(`
      select count(*) filter (where matches)::int as matched, count(*)::int as scanned, min(id) as "lastId"
      from (select id, ${matches} as matches from ${rows} limit ${options.mostScanned}) w`),
  );
  return row!;
}

/** A span of a column's values, in an index of all environments. */
export interface ValueSpan {
  column: string;
  from: string | number;
  below: string | number;
  /** The predicate of a partial index, word for word. */
  predicate?: string;
}

/** Text that begins so, by the order of bytes. */
export const beginningWith = (column: string, text: string, predicate = 'true'): ValueSpan => ({
  column,
  from: text,
  below: `${text}\u{10ffff}`,
  predicate,
});

/** Exactly this text: nothing else lies below the smallest letter behind it. */
export const exactly = (column: string, text: string): ValueSpan => ({ column, from: text, below: `${text}\u{1}` });

export const isWithin = ({ column, from, below }: ValueSpan): Condition => ({
  text: `${column} >= ? and ${column} < ?`,
  values: [from, below],
});

/** A search that finds more than this is no longer a search; it is read in the order of the list. */
export const MOST_FOUND = 500;

/** Ids of an environment within a span. Null: there is too much, so the list would not be complete. */
export async function listIdsWithin(
  db: Queryable,
  { table, environmentId }: Scope,
  { predicate = 'true', ...span }: ValueSpan,
): Promise<string[] | null> {
  const text = new Text();
  const within = text.conditions([isWithin(span)]);
  const rows = await db.query<{ id: string; environment_id: string }>(
    text.statement(`select id, environment_id from ${table} where ${within} and ${predicate} limit ${MOST_FOUND + 1}`),
  );
  if (rows.length > MOST_FOUND) return null;
  return rows.filter(row => row.environment_id === environmentId).map(row => row.id);
}

export async function listFound<Row extends { id: string }>(
  db: Queryable,
  { table, environmentId }: Scope,
  ids: string[],
  { columns, bounds, conditions, limit }: Omit<ScanOptions, 'mostScanned'>,
): Promise<Scanned<Row>> {
  const text = new Text();
  const where = text.conditions([
    equals('environment_id', environmentId),
    isOneOf('id', ids),
    isWithin({ column: 'id', ...bounds }),
    ...conditions,
  ]);
  const rows = await db.query<Row>(
    text.statement(`select ${columns} from ${table} where ${where} order by id desc limit ${limit}`),
  );
  return { rows, stoppedAt: rows.length === limit ? rows.at(-1)!.id : null };
}
