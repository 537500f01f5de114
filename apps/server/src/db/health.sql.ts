import type { Queryable, Tx } from './db.ts';
import { sql } from './sql.ts';

export type HeartbeatKind = 'readiness' | 'worker';

/** A full disk still answers questions; only a write shows it. */
export const updateHeartbeat = (db: Queryable, kind: HeartbeatKind): Promise<void> =>
  db.execute(sql('health_update_heartbeat')`
    insert into heartbeats (kind, beat_at) values (${kind}, clock_timestamp())
    on conflict (kind) do update set beat_at = excluded.beat_at`);

/** More than a session may keep in memory, so that the server writes it to a file: on a full disk it cannot. */
const SPILLED_ROWS = 30_000;

/** An update may fit into a page that is there; this needs a new page, as an order does. Nothing of it stays. */
export async function writeToFreeSpace(tx: Tx): Promise<void> {
  await tx.query(sql('health_limit_memory')`select set_config('work_mem', '64kB', true)`);
  await tx.query(
    sql('health_write_to_free_space')`select count(*) from generate_series(1, ${SPILLED_ROWS}::int) as spilled`,
  );
}

/** Null: no worker ever was at work. By the real clock, which no test moves. */
export const findWorkerBeat = (db: Queryable): Promise<{ secondsAgo: number } | null> =>
  db.queryOne(sql('health_find_worker_beat')`
    select extract(epoch from clock_timestamp() - beat_at)::float8 as "secondsAgo" from heartbeats where kind = 'worker'`);
