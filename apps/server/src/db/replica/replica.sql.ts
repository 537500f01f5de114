import type { Queryable } from '../db.ts';
import { sql } from '../sql.ts';

export interface WrittenPosition {
  cluster: string;
  lsn: string;
}

/** Everything that was committed before this question lies at or before it. */
export async function findWrittenPosition(main: Queryable): Promise<WrittenPosition> {
  const [row] = await main.query<WrittenPosition>(sql('replica_find_written')`
    select (select system_identifier::text from pg_control_system()) as cluster, pg_current_wal_lsn()::text as lsn`);
  return row!;
}

/**
 * How many of the given positions, oldest first, the replica has passed. Null: it is a copy of another database, or none at all; what
 * was promoted beside the main one goes its own way.
 */
export async function countPassedPositions(
  replica: Queryable,
  cluster: string,
  lsns: readonly string[],
): Promise<number | null> {
  const [row] = await replica.query<{ passed: number | null }>(sql('replica_count_passed')`
    select case when pg_is_in_recovery() and ${cluster} = (select system_identifier::text from pg_control_system()) then (
      select count(*)::int from unnest(${lsns}::text[]) as p (lsn) where p.lsn::pg_lsn <= pg_last_wal_replay_lsn()) end as passed`);
  return row!.passed;
}

export interface ReplicationState {
  /** Connected to the main database now. */
  standbys: number;
  /** Of the one that is furthest behind; null without one, or when this role may not see it: members of `pg_monitor` may. */
  lagSeconds: number | null;
}

/** A standby that has replayed everything reports no lag. */
export const findReplicationState = (db: Queryable): Promise<ReplicationState> =>
  db.queryFirst(sql('replication_find_state')`
    select count(*)::int as standbys,
           max(case when replay_lsn is not null then coalesce(extract(epoch from replay_lag), 0) end)::float8 as "lagSeconds"
    from pg_stat_replication where application_name not like 'pg_basebackup%'`);
