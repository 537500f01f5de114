import { type Queryable, sql } from '../../db/statement.ts';

export interface RateCount {
  name: string;
  keyDigest: Buffer;
  used: number;
  ageMs: number;
  windowMs: number;
}

export interface SharedCount {
  name: string;
  keyDigest: Buffer;
  used: number;
  ageMs: number;
}

/** Adds the counts of this process and returns the sums over all. Uses the real clock, because each process does too. */
export const addRateCounts = (db: Queryable, counts: RateCount[]): Promise<SharedCount[]> =>
  db.query<SharedCount>(sql('rate_count_add')`
    insert into rate_counts as c (name, key_digest, used, started_at, ends_at)
    select g.name, g.key_digest, g.used, clock_timestamp() - g.age_ms * interval '1 ms',
      clock_timestamp() + (g.window_ms - g.age_ms) * interval '1 ms'
    from unnest(${counts.map(count => count.name)}::text[], ${counts.map(count => count.keyDigest)}::bytea[],
      ${counts.map(count => count.used)}::int[], ${counts.map(count => count.ageMs)}::float8[],
      ${counts.map(count => count.windowMs)}::float8[]) as g (name, key_digest, used, age_ms, window_ms)
    order by g.name, g.key_digest
    on conflict (name, key_digest) do update set
      used = case when c.ends_at <= clock_timestamp() then excluded.used else c.used + excluded.used end,
      started_at = case when c.ends_at <= clock_timestamp() then excluded.started_at else c.started_at end,
      ends_at = case when c.ends_at <= clock_timestamp() then excluded.ends_at else c.ends_at end
    returning c.name, c.key_digest as "keyDigest", c.used,
      greatest(0, extract(epoch from clock_timestamp() - c.started_at) * 1000)::float8 as "ageMs"`);

export const findRateCount = async (db: Queryable, name: string, keyDigest: Buffer): Promise<number> =>
  (await db.queryValue<number | null>(sql('rate_count_find')`
    select used from rate_counts where name = ${name} and key_digest = ${keyDigest} and ends_at > clock_timestamp()`)) ??
  0;

export const deleteEndedRateCounts = (db: Queryable): Promise<void> =>
  db.execute(sql('rate_count_delete_ended')`delete from rate_counts where ends_at <= clock_timestamp()`);
