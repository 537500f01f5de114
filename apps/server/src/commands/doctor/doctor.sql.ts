import { type Queryable, sql } from '../../db/statement.ts';

export interface ServerSettings {
  version: string;
  major: number;
  fsync: string;
  synchronousCommit: string;
  isReadOnly: boolean;
}

export const findServerSettings = (db: Queryable): Promise<ServerSettings> =>
  db.queryFirst(sql('doctor_find_server')`
    select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('transaction_read_only')::boolean as "isReadOnly"`);

/** Sessions of the running programs, by the name that their pools give themselves. */
export const countOwnSessions = (db: Queryable): Promise<number> =>
  db.queryValue(sql('doctor_count_own_sessions')`
    select count(*)::int from pg_stat_activity where datname = current_database() and application_name = 'coinslot'`);

/** The age of the oldest row that is not frozen, in the database of this server that has the oldest. */
export const findTransactionAge = (db: Queryable): Promise<{ age: number; name: string }> =>
  db.queryFirst(sql('doctor_find_transaction_age')`
    select age(datfrozenxid) as age, datname as name from pg_database order by 1 desc limit 1`);

export const listAbandonedSlots = (db: Queryable): Promise<{ name: string; keptBytes: number }[]> =>
  db.query(sql('doctor_list_abandoned_slots')`
    select slot_name as name,
      coalesce(pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end,
        restart_lsn), 0)::float8 as "keptBytes"
    from pg_replication_slots where not active and restart_lsn is not null order by 1`);

export interface Archiving {
  mode: string;
  isFailing: boolean;
  lastFailed: string | null;
}

export const findArchiving = (db: Queryable): Promise<Archiving> =>
  db.queryFirst(sql('doctor_find_archiving')`
    select current_setting('archive_mode') as mode, last_failed_time::text as "lastFailed",
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing"
    from pg_stat_archiver`);

/** In days; null: no backup was ever made. */
export const findBackupAge = (db: Queryable): Promise<number | null> =>
  db.queryValue(sql('doctor_find_backup_age')`
    select (extract(epoch from clock_timestamp() - beat_at) / 86400)::float8 from heartbeats where kind = 'backup'`);

export interface RestRows {
  name: string;
  hasRows: boolean;
}

/**
 * Whether the default partitions, for rows whose month has no partition, hold any. One row is enough to know: workers keep them
 * empty.
 */
export const listRowsInRest = (db: Queryable): Promise<RestRows[]> =>
  db.query<RestRows>(sql('doctor_list_rows_in_rest')`
    select c.relname as name, (xpath('//has/text()',
      query_to_xml(format('select exists (select 1 from %I) as has', c.relname), false, true, '')))[1]::text = 'true' as "hasRows"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where c.relispartition and pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT' order by 1`);

export interface UnreachedGame {
  name: string;
  environmentId: string;
}

/** Lists live games that have orders and no endpoint that takes items. */
export const listGamesWithoutEndpoint = (db: Queryable): Promise<UnreachedGame[]> =>
  db.query<UnreachedGame>(sql('doctor_list_games_without_endpoint')`
    select g.name, e.id as "environmentId" from environments e join games g on g.id = e.game_id
    where e.mode = 'live' and exists (select 1 from orders o where o.environment_id = e.id)
      and not exists (select 1 from webhook_subscriptions s
                      where s.environment_id = e.id and s.enabled and s.takes_items and s.listening_until is null)
    order by e.id limit 20`);
