import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

/** A standby answers but takes no order. */
export async function findIsReadOnly(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ readonly: boolean }>(sql('health_find_read_only')`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as readonly`);
  return row!.readonly;
}
