import { type Queryable, sql } from '../../../db/statement.ts';
import { BUCKET_CHARS } from '../roll-ups/search-entries.sql.ts';
import { type Bounds, type IndexRange, MOST_FOUND } from './index-scan.sql.ts';

/** A name that fits more items than this says little; the newest count. */
const MOST_SKUS = 20;

/** Skus of the catalog, which has every item that was ever ordered, whose name or sku holds the text. */
export async function listSkusNamed(db: Queryable, environmentId: string, text: string): Promise<string[]> {
  const rows = await db.query<{ sku: string }>(sql('search_list_skus')`
    select distinct lower(sku) as sku from (
      select sku from items
      where environment_id = ${environmentId}
        and (position(lower(${text}) in lower(sku)) > 0 or position(lower(${text}) in lower(coalesce(name, ''))) > 0)
      order by id desc limit ${MOST_SKUS}) newest`);
  return rows.map(({ sku }) => sku);
}

/** Ids newest first, and where reading stopped; null at the end. */
export interface FoundWindow {
  ids: string[];
  stoppedAt: string | null;
  ranges?: IndexRange[];
}

/** Every currency that a payment was in. */
export async function listPaidCurrencies(db: Queryable, environmentId: string): Promise<string[]> {
  const rows = await db.query<{ value: string }>(sql('search_list_currencies')`
    select value from payment_values where environment_id = ${environmentId} and facet = 'currency'`);
  return rows.map(({ value }) => value);
}

/** How many ids a search reads for a term. A few more than it may find, because a payment can be entered twice, which is rare. */
const ENOUGH = MOST_FOUND + 50;
/** Each row has at least one id. A few more, for the rows that share the bucket in which the page begins. */
const MOST_ROWS = ENOUGH + 50;

/**
 * The newest orders or payments behind some terms, within the bounds of a page. Whole buckets of each term are read, the newest
 * first, until they have enough ids. Ids of the bucket in which the page begins are not counted, because some may lie above the page.
 */
export async function listSearched(
  db: Queryable,
  environmentId: string,
  kind: 'sku' | 'last4',
  terms: string[],
  { below, from }: Bounds,
): Promise<FoundWindow> {
  const rows = await db.query<{ id: string }>(sql('search_list_newest')`
    select distinct i.id from unnest(${terms}::text[]) as t (term)
    cross join lateral (
      select ids, coalesce(sum(case when bucket < left(${below}, ${BUCKET_CHARS}::int) then count else 0 end)
                             over (order by bucket desc groups between unbounded preceding and 1 preceding), 0) as newer
      from (select bucket, ids, count from search_postings s
            where s.environment_id = ${environmentId} and s.kind = ${kind} and s.term = t.term
              and s.bucket <= left(${below}, ${BUCKET_CHARS}::int) and s.bucket >= left(${from}, ${BUCKET_CHARS}::int)
            order by s.bucket desc limit ${MOST_ROWS}) latest
    ) f cross join lateral unnest(f.ids) as i (id)
    where f.newer < ${ENOUGH}::int and i.id < ${below} and i.id >= ${from}
    order by i.id desc limit ${MOST_FOUND}`);
  const ids = rows.map(({ id }) => id);
  return { ids, stoppedAt: ids.length === MOST_FOUND ? ids.at(-1)! : null };
}

/** Players whose name, one of its words, or e-mail address begins so. */
export async function listPlayersNamed(db: Queryable, environmentId: string, text: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql('search_list_players')`
    select distinct id from (
      (select id from search_entries
       where environment_id = ${environmentId} and kind = 'name' and term >= lower(${text})
         and term < lower(${text}) || ${'\u{10ffff}'} order by term limit ${MOST_FOUND})
      union all
      (select id from search_entries
       where environment_id = ${environmentId} and kind = 'email' and term >= lower(${text})
         and term < lower(${text}) || ${'\u{10ffff}'} order by term limit ${MOST_FOUND})) found`);
  return rows.map(({ id }) => id);
}
