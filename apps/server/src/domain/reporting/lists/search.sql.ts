import { type Queryable, sql } from '../../../db/statement.ts';
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

/** The newest orders or payments behind some terms, within the bounds of a page. */
export async function listSearched(
  db: Queryable,
  environmentId: string,
  kind: 'sku' | 'last4',
  terms: string[],
  { below, from }: Bounds,
): Promise<FoundWindow> {
  const rows = await db.query<{ id: string }>(sql('search_list_newest')`
    select distinct f.id from unnest(${terms}::text[]) as t (term)
    cross join lateral (
      select s.id from search_entries s
      where s.environment_id = ${environmentId} and s.kind = ${kind} and s.term = t.term and s.id < ${below}
        and s.id >= ${from}
      order by s.id desc limit ${MOST_FOUND}) f
    order by f.id desc limit ${MOST_FOUND}`);
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
