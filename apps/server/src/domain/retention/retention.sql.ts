import { fragment, type Queryable, sql, type Tx } from '../../db/statement.ts';

/** What is not kept forever, each in partitions by month or in rows that are deleted by age. */
export type RetentionKind = 'events' | 'deliveries' | 'attempts' | 'mails';

/** This month's and the next one's, so that a worker may be away for weeks. Usually all are there and nothing is done. */
export const makeMissingPartitions = (db: Queryable): Promise<void> =>
  db.execute(sql('retention_make_partitions')`
    select make_partition(t.parent, t.prefix, m.month)
    from time_partitions t
    cross join lateral (select date_trunc('month', app_now(), 'utc') + n * interval '1 month' as month
                        from generate_series(0, 1) n) m
    where t.kind in ('events', 'deliveries', 'attempts')
      and to_regclass(t.parent || '_' || to_char(m.month at time zone 'utc', 'YYYYMM')) is null`);

/** One worker at a time; null when another is at it. */
export const lockRetention = (tx: Tx, kind: RetentionKind): Promise<boolean> =>
  tx.queryAny(sql('retention_lock')`
    select kind from time_partitions where kind = ${kind} for update skip locked`);

export const findExpiredPartition = (
  tx: Tx,
  kind: RetentionKind,
  days: number,
): Promise<{ name: string; parent: string; keptFrom: Date } | null> =>
  tx.queryOne(sql('retention_find_expired')`
    select c.relname as name, t.parent, (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'utc' as "keptFrom"
    from time_partitions t
    join pg_inherits i on i.inhparent = to_regclass(t.parent)
    join pg_class c on c.oid = i.inhrelid
    where t.kind = ${kind} and c.relname ~ '_[0-9]{6}$'
      and (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'utc'
          <= app_now() - make_interval(days => ${days})
    order by c.relname limit 1`);

/** The newest number of a partition of events that a reader takes. */
export async function findNewestSeqIn(tx: Tx, name: string): Promise<number> {
  const [row] = await tx.query<{ seq: number }>({
    name: '',
    text: `select seq from ${name} where type <> 'order.created' or test order by seq desc limit 1`,
    values: [],
  });
  return row?.seq ?? 0;
}

/** No event goes that an observer, the figures, the ledger or the receipts have not had. */
export async function isPartitionRead(tx: Tx, name: string, newestSeq: number): Promise<boolean> {
  const [row] = await tx.query<{ read: boolean }>({
    name: '',
    text: `select not exists (select 1 from ${name} where fan_out)
      and $1 <= (select min(seq) from reader_positions where name in ('figures', 'players', 'ledger', 'receipts')) as read`,
    values: [newestSeq],
  });
  return row!.read;
}

export interface PlacedRow {
  place: string;
  line: string;
}

/** The rows of a partition as JSON, in the order of their place on the disk. */
export const listPartitionRows = (tx: Tx, name: string, after: string, limit: number): Promise<PlacedRow[]> =>
  tx.query({
    name: '',
    text: `select p.ctid::text as place, row_to_json(p)::text as line from ${name} p
      where p.ctid > $1::tid order by p.ctid limit $2`,
    values: [after, limit],
  });

/** Every reader and writer of the parent waits for this moment, so it does not wait long for them. */
export async function detachPartition(tx: Tx, parent: string, name: string): Promise<void> {
  await tx.query({ name: '', text: `set local lock_timeout = '500ms'`, values: [] });
  await tx.query({ name: '', text: `alter table ${parent} detach partition ${name}`, values: [] });
}

export const dropDetached = (tx: Tx, name: string): Promise<unknown[]> =>
  tx.query({ name: '', text: `drop table ${name}`, values: [] });

/** Item deliveries whose body may still be sent. A member may send a removal again that was given up. */
const OPEN_ITEMS = fragment`(
  select environment_id, event_id from deliveries_items where status = 'pending'
  union all
  select environment_id, event_id from deliveries_items where status in ('blocked', 'held')
  union all
  select environment_id, event_id from deliveries_items where status = 'exhausted' and event_type = 'item.remove')`;

/**
 * The body of an open item delivery is made from its event, so that event moves into the default partition. No figure counts it
 * again.
 */
export const keepOpenEvents = (tx: Tx, name: string): Promise<unknown[]> =>
  tx.query({
    name: '',
    text: `insert into events select e.* from ${OPEN_ITEMS.sqlText} d
      join ${name} e on e.environment_id = d.environment_id and e.id = d.event_id`,
    values: [],
  });

export const updateKeptFrom = (tx: Tx, kind: RetentionKind, keptFrom: Date): Promise<void> =>
  tx.execute(sql('retention_update_kept_from')`
    update time_partitions set kept_from = greatest(kept_from, ${keptFrom}) where kind = ${kind}`);

export const updateRemovedSeq = (tx: Tx, kind: RetentionKind, seq: number): Promise<void> =>
  tx.execute(sql('retention_update_removed_seq')`
    update time_partitions set removed_seq = greatest(removed_seq, ${seq}) where kind = ${kind}`);

/** From when on each kind is there; null where nothing was removed yet. */
export const findKeptFrom = (db: Queryable, kind: RetentionKind): Promise<Date | null> =>
  db.queryValue(sql('retention_find_kept_from')`
    select kept_from as "keptFrom" from time_partitions where kind = ${kind}`);

export interface OldRow {
  line: string;
  at: Date;
}

/** Mails that are over. One that still waits to be sent is no old mail. */
export const deleteOldMails = (tx: Tx, days: number, limit: number): Promise<OldRow[]> =>
  tx.query(sql('retention_delete_mails')`
    with old as (
      select id from mails where id < id_bound('mail', app_now() - make_interval(days => ${days})) and status <> 'queued'
      order by id limit ${limit} for update skip locked
    )
    delete from mails m using old where m.id = old.id returning row_to_json(m)::text as line, m.created_at as at`);

/** Attempts of deliveries whose month is gone: an item that was held for long is sent long after it came. */
export const deleteLateAttempts = (tx: Tx, days: number, limit: number): Promise<OldRow[]> =>
  tx.query(sql('retention_delete_late_attempts')`
    with old as (
      select ctid as place from delivery_attempts_rest where started_at < app_now() - make_interval(days => ${days})
      limit ${limit}
    )
    delete from delivery_attempts_rest a using old where a.ctid = old.place
    returning row_to_json(a)::text as line, a.started_at as at`);

/** Events of months that are gone, once their items are settled and every reader has had them. */
export const deleteLateEvents = (tx: Tx, days: number, limit: number): Promise<OldRow[]> =>
  tx.query(sql('retention_delete_late_events')`
    with old as (
      select e.ctid as place from events_rest e
      where e.created_at < app_now() - make_interval(days => ${days}) and not e.fan_out
        and e.seq <= (select min(seq) from reader_positions where name in ('figures', 'players', 'ledger', 'receipts'))
        and not exists (select 1 from ${OPEN_ITEMS} d where d.environment_id = e.environment_id and d.event_id = e.id)
      limit ${limit}
    )
    delete from events_rest e using old where e.ctid = old.place
    returning row_to_json(e)::text as line, e.created_at as at`);
