import type { Queryable } from './db.ts';
import { sql } from './sql.ts';

export type HeartbeatKind = 'readiness' | 'worker';

/** A full disk still answers questions; only a write tells. */
export async function updateHeartbeat(db: Queryable, kind: HeartbeatKind): Promise<void> {
  await db.query(sql('health_update_heartbeat')`
    insert into heartbeats (kind, beat_at) values (${kind}, clock_timestamp())
    on conflict (kind) do update set beat_at = excluded.beat_at`);
}

/** Null: no worker ever was at work. By the real clock, which no test moves. */
export async function findWorkerBeat(db: Queryable): Promise<{ secondsAgo: number } | null> {
  const [row] = await db.query<{ secondsAgo: number }>(sql('health_find_worker_beat')`
    select extract(epoch from clock_timestamp() - beat_at)::float8 as "secondsAgo" from heartbeats where kind = 'worker'`);
  return row ?? null;
}
