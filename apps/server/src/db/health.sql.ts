import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

/** A standby answers but takes no order. */
export async function findIsReadOnly(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ readonly: boolean }>(sql('health_find_read_only')`
    select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as readonly`);
  return row!.readonly;
}

/** A full disk still answers questions; only a write tells. */
export async function updateHeartbeat(db: Queryable): Promise<void> {
  await db.query(sql('health_update_heartbeat')`
    insert into heartbeat (single, beat_at) values (true, app_now())
    on conflict (single) do update set beat_at = excluded.beat_at`);
}
