import type { Queryable } from '../../db/db.ts';
import { sql } from '../../db/statement.ts';

export interface OpenStreams {
  companyId: string;
  open: number;
}

/** Writes what is open at this process. Uses the real clock, because each process does too. */
export const upsertOpenStreams = (db: Queryable, processId: string, counts: readonly OpenStreams[]): Promise<void> =>
  db.execute(sql('open_streams_upsert')`
    insert into open_streams (company_id, process_id, open, seen_at)
    select c.company_id, ${processId}, c.open, clock_timestamp()
    from unnest(${counts.map(count => count.companyId)}::text[], ${counts.map(count => count.open)}::int[])
      as c (company_id, open)
    on conflict (company_id, process_id) do update set open = excluded.open, seen_at = excluded.seen_at`);

/** Of all processes that live. */
export const countOpenStreams = async (db: Queryable, companyId: string): Promise<number> =>
  (await db.queryValue<number>(sql('open_streams_count')`
    select coalesce(sum(open), 0)::int from open_streams
    where company_id = ${companyId} and seen_at > clock_timestamp() - interval '90 seconds'`)) ?? 0;

export const deleteOpenStreams = (db: Queryable, processId: string): Promise<void> =>
  db.execute(sql('open_streams_delete')`
    delete from open_streams where process_id = ${processId} or seen_at <= clock_timestamp() - interval '90 seconds'`);
