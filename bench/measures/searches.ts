import pg from 'pg';
import { createDb, type Db } from '../../apps/server/src/db/db.ts';
import { readFigures } from '../../apps/server/src/domain/reporting/figures/read-figures.ts';
import { orderList } from '../../apps/server/src/domain/reporting/lists/orders.ts';
import { searchPlayers } from '../../apps/server/src/domain/reporting/lists/read-player.ts';
import { transactionList } from '../../apps/server/src/domain/reporting/lists/transactions.ts';
import type { Result } from '../result.ts';
import { median } from '../statistics.ts';
import { ENVIRONMENT } from './dashboard.ts';

const PAGE = 50;
const ROUNDS = 5;
const MOST_SEARCH_MS = 100;
const MOST_FIGURES_MS = 300;
const SKUS = 50;

/** What the readers behind the events would have written for the payments that are there. */
const SEED = [
  `insert into items (environment_id, id, sku, name, created_at, updated_at)
   select '${ENVIRONMENT}', 'itm_' || lpad(n::text, 26, '0'), 'sku_' || n,
          case when n % 10 = 0 then 'Sword of Dawn ' || n else 'Crystal ' || n end, now(), now()
   from generate_series(0, ${SKUS - 1}) as n`,
  `insert into players (environment_id, player_id, name, created_at, updated_at)
   select distinct on (player_id) '${ENVIRONMENT}', player_id,
          (array['Mira', 'Ada', 'Jun', 'Oleg', 'Zoë'])[1 + hashtext(player_id) % 5 + case when hashtext(player_id) < 0 then 4 else 0 end]
            || ' ' || substr(player_id, 8), now(), now()
   from payments`,
  `insert into search_postings (environment_id, kind, term, bucket, batch, ids, count)
   select '${ENVIRONMENT}', 'sku', 'sku_' || abs(hashtext(id)) % ${SKUS}, left(id, 12), 1, array_agg(id), count(*)
   from orders group by 3, 4 order by 3, 4`,
  `insert into search_postings (environment_id, kind, term, bucket, batch, ids, count)
   select '${ENVIRONMENT}', 'last4', last4, left(id, 12), 1, array_agg(id), count(*) from payments group by 3, 4 order by 3, 4`,
  `insert into search_entries (environment_id, kind, term, id)
   select distinct '${ENVIRONMENT}', 'email', email, player_id from payments`,
  `insert into search_entries (environment_id, kind, term, id)
   select distinct '${ENVIRONMENT}', 'name', term, player_id
   from players cross join lateral (values (lower(name)), (split_part(lower(name), ' ', 2))) as v (term)
   where term <> ''`,
  `insert into player_figures (environment_id, player_id, orders, last_paid_at)
   select '${ENVIRONMENT}', player_id, count(*), max(created_at) from payments where status = 'succeeded' group by 2`,
  `insert into player_spend (environment_id, player_id, currency, amount_minor)
   select '${ENVIRONMENT}', player_id, currency, sum(amount_minor) from payments where status = 'succeeded' group by 2, 3`,
  `insert into buyer_months (environment_id, player_id, month, first_month)
   select environment_id, player_id, month, min(month) over (partition by environment_id, player_id)
   from (select distinct '${ENVIRONMENT}' as environment_id, player_id, date_trunc('month', created_at at time zone 'UTC')::date as month
         from payments where status = 'succeeded') bought`,
  `insert into payment_values (environment_id, facet, value)
   select '${ENVIRONMENT}', 'currency', currency from (select distinct currency from payments) c`,
  // More of each than a shop has: 50 items, 40 countries and 8 methods on every day of two years, in four currencies.
  `insert into figures_daily (environment_id, measure, day, currency, key, count, amount_minor)
   select '${ENVIRONMENT}', m.measure, current_date - d, c.currency, k::text, 1 + (d * 7 + k) % 50, 499 * (1 + k % 9)
   from (values ('paid_item', ${SKUS}, true), ('paid_country', 40, true), ('paid_hour', 24, true), ('paid_method', 8, true),
                ('paid_first', 1, true), ('paid_repeat', 1, true), ('opened_country', 40, false), ('converted_country', 40, false),
                ('opened_device', 4, false), ('converted_device', 4, false), ('started_method', 8, false),
                ('authorized_method', 8, false), ('declined_method', 8, false), ('declined_code', 60, false), ('paid', 1, false),
                ('paid_back', 1, false), ('disputed', 1, false), ('grant', 11, false)) as m (measure, keys, in_money)
   cross join lateral generate_series(0, m.keys - 1) as k
   cross join generate_series(0, 729) as d
   join (values ('USD', true), ('EUR', true), ('GBP', true), ('KWD', true), ('', false)) as c (currency, in_money)
     on c.in_money = m.in_money`,
  'vacuum analyze search_postings, search_entries, players, player_figures, player_spend, figures_daily, items, payment_values, buyer_months',
];

export async function seedSearches(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`set work_mem = '256MB'`);
    for (const statement of SEED) await client.query(statement);
  } finally {
    await client.end();
  }
}

type Read = (db: Db) => Promise<{ rows: number }>;

const players =
  (q: string, sort: 'id' | 'spent' | 'orders' | 'last_purchase' = 'id'): Read =>
  async db => ({
    rows: (await searchPlayers(db, ENVIRONMENT, { q, sort, currency: null, cohort: null }, null, PAGE)).length,
  });
const monthAgo = (months: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7);
};
const cohort =
  (first: number, bought: number): Read =>
  async db => {
    const asked = {
      q: '',
      sort: 'id',
      currency: null,
      cohort: { first: monthAgo(first), bought: monthAgo(bought) },
    } as const;
    return { rows: (await searchPlayers(db, ENVIRONMENT, asked, null, PAGE)).length };
  };
const orders =
  (q: string): Read =>
  async db => ({ rows: (await orderList.page(db, ENVIRONMENT, { q }, { before: null, limit: PAGE })).rows.length });
const payments =
  (q: string): Read =>
  async db => ({
    rows: (await transactionList.page(db, ENVIRONMENT, { q }, { before: null, limit: PAGE })).rows.length,
  });

const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
const figures =
  (days: number, currency?: string): Read =>
  async db => {
    const asked = { from: day(days - 1), to: day(0), ...(currency && { currency }) };
    const { sales } = await readFigures(db, { id: ENVIRONMENT, companyId: 'com_bench' }, asked);
    return { rows: sales.items.length };
  };

const CASES: readonly [string, number, Read][] = [
  ['players by name', MOST_SEARCH_MS, players('mira 77')],
  ['players by a name that many have', MOST_SEARCH_MS, players('mira')],
  ['players by a word of the name', MOST_SEARCH_MS, players('777')],
  ['players by e-mail', MOST_SEARCH_MS, players('player4242@example.com')],
  ['players by a name that none has', MOST_SEARCH_MS, players('xyzzy')],
  ['players by spend', MOST_SEARCH_MS, players('', 'spent')],
  ['players by orders', MOST_SEARCH_MS, players('', 'orders')],
  ['players by last purchase', MOST_SEARCH_MS, players('', 'last_purchase')],
  ['players of a cohort', MOST_SEARCH_MS, cohort(10, 10)],
  ['players of a cohort who bought in the last month', MOST_SEARCH_MS, cohort(11, 0)],
  ['orders by item name', MOST_SEARCH_MS, orders('Sword of Dawn')],
  ['orders by the name of nearly every item', MOST_SEARCH_MS, orders('Crystal')],
  ['orders by player', MOST_SEARCH_MS, orders('player_77')],
  ['orders by what is not there', MOST_SEARCH_MS, orders('nothing of this')],
  ['payments by last four', MOST_SEARCH_MS, payments('4242')],
  ['payments by amount', MOST_SEARCH_MS, payments('4.99')],
  ['payments by an amount never paid', MOST_SEARCH_MS, payments('987654.32')],
  ['payments by e-mail', MOST_SEARCH_MS, payments('player4242@example.com')],
  ['figures of 30 days', MOST_FIGURES_MS, figures(30)],
  ['figures of a year', MOST_FIGURES_MS, figures(365)],
  ['figures of a year in one currency', MOST_FIGURES_MS, figures(365, 'EUR')],
];

/** The search box and the figures, over as many payments as there are. */
export async function measureSearches(url: string): Promise<Result[]> {
  const db = createDb({ url, maxConnections: 4, onError: () => {} });
  try {
    const results: Result[] = [];
    for (const [what, atMost, read] of CASES) {
      const times: number[] = [];
      const { rows } = await read(db);
      for (let round = 0; round < ROUNDS; round++) {
        const start = performance.now();
        await read(db);
        times.push(performance.now() - start);
      }
      const measured = `p50 ${median(times).toFixed(1)} ms, ${rows} rows`;
      results.push({ what, measured, value: Math.max(...times), unit: 'ms', target: { atMost } });
    }
    return results;
  } finally {
    await db.close();
  }
}
