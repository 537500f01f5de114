import type { Queryable, Tx } from '../../../db/db.ts';
import type { Statement } from '../../../db/sql.ts';
import { sql } from '../../../db/sql.ts';
import type { Scanned } from './index-scan.ts';

/** Conditions that a list was asked for. Texts are written by us; values only ever travel as parameters. */
export interface Condition {
  /** With `?` where a value goes. */
  text: string;
  values: unknown[];
}

/** An index that ends with the id, and what prefix to one ordered range of it. */
export interface Range {
  table: 'payments' | 'orders' | 'deliveries';
  /** The index's columns before the id, each with the value it must have. */
  prefix: { column: string; value: unknown }[];
  /** The predicate of a partial index, word for word. */
  predicate?: string;
}

export interface Bounds {
  /** Only ids below this one. */
  below: string;
  /** Only ids at or above this one. */
  from: string;
}

/** Ids have a prefix of small letters, so everything lies between these. */
export const ALL_IDS: Bounds = { below: '~', from: '' };

class Text {
  readonly values: unknown[] = [];
  value = (value: unknown): string => `$${this.values.push(value)}`;
  condition = ({ text, values }: Condition): string => {
    let next = 0;
    return `(${text.replaceAll('?', () => this.value(values[next++]))})`;
  };
  /** Planned anew: which filters are there, and so the text, differs from call to call. */
  statement = (text: string): Statement => ({ name: '', text, values: this.values });
}

/**
 * Compared and ordered as a whole row, the range fits this one index and no other. With plain equalities the planner could
 * choose to scan the primary key instead, which reads everything when what is looked for is rare.
 */
function rangeText(
  text: Text,
  { prefix, predicate }: Range,
  { below, from }: Bounds,
): { where: string; order: string } {
  const columns = [...prefix.map(({ column }) => column), 'id'];
  const values = prefix.map(({ value }) => text.value(value));
  const tuple = `(${columns.join(', ')})`;
  const where = [
    `${tuple} < (${[...values, text.value(below)].join(', ')})`,
    `${tuple} >= (${[...values, text.value(from)].join(', ')})`,
    ...(predicate ? [predicate] : []),
  ].join(' and ');
  return { where, order: columns.map(column => `${column} desc`).join(', ') };
}

/** For this transaction: an index in its order or nothing. Sorting what was found would read all of it first. */
export function updateScanSettings(tx: Tx): void {
  tx.write(sql('scan_settings')`
    select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`);
}

export interface ScanOptions {
  columns: string;
  range: Range;
  bounds: Bounds;
  conditions: Condition[];
  limit: number;
  /** Rows looked at, at most, whether or not they match. */
  mostScanned: number;
}

/** Reads a range newest first until enough match or enough was looked at. */
export async function listScanned<Row extends { id: string }>(
  db: Queryable,
  options: ScanOptions,
): Promise<Scanned<Row>> {
  const rows = await db.query<Row & { scanned: number; matches: boolean }>(scanStatement(options));
  const { limit, mostScanned } = options;
  const last = rows.at(-1);
  const found = rows.filter(row => row.matches).slice(0, limit);
  if (found.length === limit) return { rows: found, stoppedAt: found.at(-1)!.id };
  return { rows: found, stoppedAt: last?.scanned === mostScanned ? last.id : null };
}

export function scanStatement({ columns, range, bounds, conditions, limit, mostScanned }: ScanOptions): Statement {
  const text = new Text();
  const { where, order } = rangeText(text, range, bounds);
  const matches = conditions.map(text.condition).join(' and ') || 'true';
  return text.statement(`
    select ${columns}, scanned, matches
    from (select ${columns}, row_number() over (order by ${order})::int as scanned, ${matches} as matches
          from ${range.table} where ${where} order by ${order} limit ${mostScanned}) w
    where matches or scanned = ${mostScanned}
    limit ${limit}`);
}

/** How far back the newest `depth` entries of a range probe: the further, the rarer. Empty: there are fewer. */
export async function findProbe(db: Queryable, range: Range, bounds: Bounds, depth: number): Promise<string> {
  const text = new Text();
  const { where, order } = rangeText(text, range, bounds);
  const [row] = await db.query<{ id: string }>(
    text.statement(`select id from ${range.table} where ${where} order by ${order} offset ${depth - 1} limit 1`),
  );
  return row?.id ?? '';
}

export interface ScannedCount {
  matched: number;
  scanned: number;
  lastId: string | null;
}

export async function findScannedCount(db: Queryable, options: Omit<ScanOptions, 'limit'>): Promise<ScannedCount> {
  const { range, bounds, conditions, mostScanned } = options;
  const text = new Text();
  const { where, order } = rangeText(text, range, bounds);
  const matches = conditions.map(text.condition).join(' and ') || 'true';
  const [row] = await db.query<ScannedCount>(
    text.statement(`
      select count(*) filter (where matches)::int as matched, count(*)::int as scanned, min(id) as "lastId"
      from (select id, ${matches} as matches from ${range.table} where ${where} order by ${order} limit ${mostScanned}) w`),
  );
  return row!;
}

export interface Between {
  table: Range['table'];
  column: string;
  from: string | number;
  below: string | number;
  /** Entries of all environments that are looked at. */
  most: number;
  predicate?: string;
}

/** Ids of an environment whose column lies between two values. Null: there is too much, so the list would not be complete. */
export async function listIdsBetween(db: Queryable, environmentId: string, between: Between): Promise<string[] | null> {
  const { table, column, from, below, most, predicate = 'true' } = between;
  const text = new Text();
  const rows = await db.query<{ id: string; environment_id: string }>(
    text.statement(`
      select id, environment_id from ${table}
      where ${column} >= ${text.value(from)} and ${column} < ${text.value(below)} and ${predicate}
      limit ${most + 1}`),
  );
  if (rows.length > most) return null;
  return rows.filter(row => row.environment_id === environmentId).map(row => row.id);
}

export interface FoundOptions extends Omit<ScanOptions, 'mostScanned' | 'range'> {
  table: Range['table'];
}

export function listByIds<Row extends { id: string }>(
  db: Queryable,
  { table, columns, bounds, conditions, limit }: FoundOptions,
  environmentId: string,
  ids: string[],
): Promise<Row[]> {
  const text = new Text();
  const where = [
    `environment_id = ${text.value(environmentId)}`,
    `id = any(${text.value(ids)}::text[])`,
    `id < ${text.value(bounds.below)}`,
    `id >= ${text.value(bounds.from)}`,
    ...conditions.map(text.condition),
  ].join(' and ');
  return db.query<Row>(
    text.statement(`select ${columns} from ${table} where ${where} order by id desc limit ${limit}`),
  );
}
