import { type Queryable, sql } from '../../../db/statement.ts';

/** From the reservation of the money to the game's yes: below each, and the rest above the last. */
export const GRANT_STEPS_MS = [250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 600_000, 3_600_000];

export interface DayFigure {
  measure: string;
  currency: string;
  key: string;
  /** Of the span that was asked for, or of the one that it is compared with. */
  isBefore: boolean;
  count: number;
  amountMinor: number;
}

/** Both ends included. */
export interface Days {
  from: string;
  to: string;
}

const MEASURES = [
  'opened_country',
  'opened_device',
  'converted_country',
  'converted_device',
  'started_method',
  'authorized_method',
  'declined_method',
  'declined_code',
  'paid_item',
  'paid_country',
  'paid_hour',
  'paid_method',
  'paid_first',
  'paid_repeat',
  'grant',
];

/** The currencies that were paid in within two spans of days, the one with most orders first. */
export async function listPaidIn(db: Queryable, environmentId: string, days: Days, before: Days): Promise<string[]> {
  const rows = await db.query<{ currency: string }>(sql('figures_list_paid_in')`
    select currency from figures_daily
    where environment_id = ${environmentId} and measure = 'paid_method'
      and (day between ${days.from}::date and ${days.to}::date or day between ${before.from}::date and ${before.to}::date)
    group by 1 order by sum(count) desc, 1`);
  return rows.map(({ currency }) => currency);
}

const listSpan = (
  db: Queryable,
  environmentId: string,
  { from, to }: Days,
  currencies: readonly string[],
): Promise<Omit<DayFigure, 'isBefore'>[]> =>
  db.query(sql('figures_list_questions')`
    select measure, currency, key, sum(count)::bigint as count, sum(amount_minor)::bigint as "amountMinor"
    from figures_daily
    where environment_id = ${environmentId} and measure = any(${MEASURES}::text[])
      and day between ${from}::date and ${to}::date and currency = any(${['', ...currencies]}::text[])
    group by 1, 2, 3`);

/**
 * Two spans of days of every question, added up, of what is counted in money only the currencies that are shown. Read by the
 * key of the table, however many payments there are, and side by side: a year of a large shop is a quarter of a million rows.
 */
export async function listQuestionFigures(
  db: Queryable,
  environmentId: string,
  days: Days,
  before: Days,
  currencies: readonly string[],
): Promise<DayFigure[]> {
  const [now, then] = await Promise.all([
    listSpan(db, environmentId, days, currencies),
    listSpan(db, environmentId, before, currencies),
  ]);
  return [...now.map(row => ({ ...row, isBefore: false })), ...then.map(row => ({ ...row, isBefore: true }))];
}

export interface RateDay {
  day: string;
  measure: 'paid' | 'paid_back' | 'disputed';
  count: number;
}

export const listRateDays = (db: Queryable, environmentId: string, { from, to }: Days): Promise<RateDay[]> =>
  db.query(sql('figures_list_rates')`
    select day::text as day, measure, sum(count)::bigint as count from figures_daily
    where environment_id = ${environmentId} and measure in ('paid', 'paid_back', 'disputed')
      and day between ${from}::date and ${to}::date
    group by 1, 2`);

export interface CohortMonth {
  /** In which they bought. */
  month: string;
  /** In which they bought first. */
  first: string;
  buyers: number;
}

export const listCohorts = (db: Queryable, environmentId: string, from: string): Promise<CohortMonth[]> =>
  db.query(sql('figures_list_cohorts')`
    select to_char(day, 'YYYY-MM') as month, key as first, count as buyers from figures_daily
    where environment_id = ${environmentId} and measure = 'cohort' and day >= ${from}::date
    order by key, day`);

export const listItemNames = (
  db: Queryable,
  environmentId: string,
  skus: string[],
): Promise<{ sku: string; name: string | null }[]> =>
  db.query(sql('figures_list_item_names')`
    select sku, name from items where environment_id = ${environmentId} and sku = any(${skus}::text[])`);
