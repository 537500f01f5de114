import type pg from 'pg';
import type { Queryable } from '../db.ts';
import { sql } from '../sql.ts';

export interface InvalidIndex {
  name: string;
  table: string;
  /** It holds a rule, such as one live payment for each order. */
  isUnique: boolean;
}

/**
 * An index whose building failed is left in place: no query uses it, and it promises nothing about the rows from before. One that is
 * being built now is not listed; its session holds a lock on the table. Copies that `reindex concurrently` left stand beside a valid one.
 */
export const listInvalidIndexes = (db: Queryable): Promise<InvalidIndex[]> =>
  db.query<InvalidIndex>(sql('schema_list_invalid_indexes')`
    select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table, i.indisunique as "isUnique"
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where not i.indisvalid and n.nspname not in ('pg_catalog', 'pg_toast') and c.relname !~ '_cc(new|old)\\d*$'
      and not exists (select 1 from pg_locks l where l.relation = i.indrelid and l.granted and l.mode = 'ShareUpdateExclusiveLock')
    order by 1`);

const CONCURRENT_INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w.]+)/i;

/** The name of the index that this statement builds beside running writes. */
export const concurrentIndexOf = (statement: string): string | null => CONCURRENT_INDEX.exec(statement)?.[1] ?? null;

/** Null: there is no such index. */
export async function isIndexValid(client: pg.Client, name: string): Promise<boolean | null> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  return rows[0]?.valid ?? null;
}
