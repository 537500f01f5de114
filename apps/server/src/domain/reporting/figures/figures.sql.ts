import type { Queryable, Tx } from '../../../db/db.ts';
import type { NumberedTable } from '../../../db/read-numbered.sql.ts';
import type { Span } from '../../../db/read-numbered.ts';
import { sql } from '../../../db/sql.ts';

/** Every order is counted, in the order of insertion. */
export const NUMBERED_ORDERS: NumberedTable = {
  name: 'orders',
  newest: sql('reader_find_newest_order')`select seq from orders order by seq desc limit 1`,
};

/** How many payments were begun, as far as they are rolled up. */
export async function findStartedCount(db: Queryable, environmentId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql('figures_find_started')`
    select coalesce(sum(count), 0)::bigint as count from figures_hourly
    where environment_id = ${environmentId} and measure = 'started'`);
  return row!.count;
}

export async function findOldestPaymentId(db: Queryable, environmentId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(sql('figures_find_oldest_payment')`
    select id from payments where environment_id = ${environmentId} order by id limit 1`);
  return row?.id ?? null;
}

/** What became of the orders of an hour since: opened and paid, paid and returned, paid and disputed. */
type Since = 'converted' | 'paid_back' | 'disputed';

export interface HourFigure {
  measure: 'orders' | 'opened' | 'started' | 'paid' | 'returned' | 'declined' | Since;
  hour: Date;
  key: string;
  count: number;
  amountMinor: number;
}

/** More than a program creates between two roll-ups. */
const MOST_FRESH = 20_000;

/** What is rolled up, and the orders that are not yet: in one statement, so that no order is in both or in neither. */
export const listHourFigures = (db: Queryable, environmentId: string, from: Date): Promise<HourFigure[]> =>
  db.query(sql('figures_list')`
    select measure, hour, key, count, amount_minor as "amountMinor" from figures_hourly
    where environment_id = ${environmentId}
      and measure in ('orders', 'opened', 'started', 'paid', 'returned', 'declined', 'converted', 'paid_back', 'disputed')
      and hour >= ${from}
    union all
    select 'orders', date_trunc('hour', created_at, 'UTC'), '', count(*), 0
    from (select environment_id, created_at from orders
          where seq > (select seq from reader_positions where name = 'orders') order by seq limit ${MOST_FRESH}) fresh
    where environment_id = ${environmentId} group by 2`);

export interface DaySpan {
  from: Date;
  to: Date;
  /** When days begin, in seconds before UTC's. */
  offsetSeconds: number;
}

const DAY_SECONDS = 86_400;

/** The same by days, for spans whose hours would be many rows; `hour` is where the viewer's day begins. */
export const listDayFigures = (db: Queryable, environmentId: string, span: DaySpan): Promise<HourFigure[]> =>
  db.query(sql('figures_list_days')`
    with hours as (
      select measure, hour, key, count, amount_minor from figures_hourly
      where environment_id = ${environmentId}
        and measure in ('orders', 'opened', 'started', 'paid', 'returned', 'declined', 'converted', 'paid_back', 'disputed')
        and hour >= ${span.from} and hour < ${span.to}
      union all
      select 'orders', date_trunc('hour', created_at, 'UTC'), '', count(*), 0
      from (select environment_id, created_at from orders
            where seq > (select seq from reader_positions where name = 'orders') order by seq limit ${MOST_FRESH}) fresh
      where environment_id = ${environmentId} and created_at >= ${span.from} and created_at < ${span.to} group by 2
    )
    select measure, to_timestamp(floor((extract(epoch from hour) + ${span.offsetSeconds}::int) / ${DAY_SECONDS}::int)
             * ${DAY_SECONDS}::int - ${span.offsetSeconds}::int) as hour,
           key, sum(count)::bigint as count, sum(amount_minor)::bigint as "amountMinor"
    from hours group by 1, 2, 3`);

export interface PaymentValue {
  facet: 'method' | 'brand' | 'country' | 'currency' | 'response_code';
  value: string;
  label: string | null;
}

export const listPaymentValues = (db: Queryable, environmentId: string): Promise<PaymentValue[]> =>
  db.query(sql('payment_values_list')`
    select facet, value, label from payment_values where environment_id = ${environmentId} order by facet, value limit 1000`);

/** Adds the events of a span of positions to the hours they happened in. */
export async function insertEventFigures(tx: Tx, { after, upTo }: Span): Promise<void> {
  await tx.query(sql('figures_roll_up')`
    with told as (
      select environment_id, date_trunc('hour', created_at, 'UTC') as hour, data,
             case type when 'checkout.opened' then 'opened' when 'payment.pending' then 'started'
                       when 'order.paid' then 'paid' when 'payment.declined' then 'declined' else 'returned' end as measure
      from events
      where seq > ${after} and seq <= ${upTo} and type <> 'order.created' and not test
        and (type in ('checkout.opened', 'payment.pending', 'order.paid', 'payment.declined')
             -- What was only reserved and released was never paid, so it is not returned either.
             or (type in ('order.refunded', 'order.charged_back') and data ->> 'paid_at' is not null))
    )
    insert into figures_hourly (environment_id, measure, hour, key, count, amount_minor)
    select environment_id, measure, hour,
           case when measure in ('paid', 'returned') then data ->> 'currency'
                when measure = 'declined' then coalesce(data ->> 'response_code', '') else '' end as key,
           count(*), sum(case when measure in ('paid', 'returned') then (data ->> 'amount')::bigint else 0 end)
    from told group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (environment_id, measure, hour, key) do update
      set count = figures_hourly.count + excluded.count, amount_minor = figures_hourly.amount_minor + excluded.amount_minor`);
}

/** Adds what became of orders to the hour in which they were opened or paid, so that a share counts the same orders twice. */
export async function insertCohortFigures(tx: Tx, { after, upTo }: Span): Promise<void> {
  await tx.query(sql('figures_roll_up_cohorts')`
    with told as (
      select environment_id, order_id, type, data from events
      where seq > ${after} and seq <= ${upTo} and type <> 'order.created' and not test
        and type in ('order.paid', 'order.refunded', 'order.charged_back', 'order.disputed')
    ), cohorts as (
      select t.environment_id, 'converted' as measure, date_trunc('hour', o.created_at, 'UTC') as hour, '' as key, 0 as amount
      from told t
      join events o on o.order_id = t.order_id and o.environment_id = t.environment_id and o.type = 'checkout.opened'
      where t.type = 'order.paid'
      union all
      select environment_id, case type when 'order.disputed' then 'disputed' else 'paid_back' end,
             date_trunc('hour', to_timestamp((data ->> 'paid_at')::bigint), 'UTC'), data ->> 'currency',
             (data ->> 'amount')::bigint
      from told where type <> 'order.paid' and data ->> 'paid_at' is not null
    )
    insert into figures_hourly (environment_id, measure, hour, key, count, amount_minor)
    select environment_id, measure, hour, key, count(*), sum(amount) from cohorts group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (environment_id, measure, hour, key) do update
      set count = figures_hourly.count + excluded.count, amount_minor = figures_hourly.amount_minor + excluded.amount_minor`);
}

export async function insertPaymentValues(tx: Tx, { after, upTo }: Span): Promise<void> {
  await tx.query(sql('payment_values_roll_up')`
    with told as (
      select distinct e.environment_id, d.method, d.brand, d.country, d.currency, d.response_code, d.response_description
      from events e
      cross join lateral json_to_record(e.data) as d (method text, brand text, country text, currency text, response_code text,
                                                      response_description text)
      where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and not e.test
        and e.type in ('payment.pending', 'payment.authorized', 'payment.declined')
    )
    insert into payment_values (environment_id, facet, value, label)
    select distinct on (t.environment_id, v.facet, v.value) t.environment_id, v.facet, v.value, v.label
    from told t
    cross join lateral (values ('method', t.method, null), ('brand', t.brand, null), ('country', t.country, null),
      ('currency', t.currency, null), ('response_code', t.response_code, t.response_description)) as v (facet, value, label)
    where v.value is not null
    order by t.environment_id, v.facet, v.value
    on conflict do nothing`);
}

export async function insertOrderFigures(tx: Tx, { after, upTo }: Span): Promise<void> {
  await tx.query(sql('figures_roll_up_orders')`
    insert into figures_hourly (environment_id, measure, hour, key, count, amount_minor)
    select environment_id, 'orders', date_trunc('hour', created_at, 'UTC'), '', count(*), 0
    from orders where seq > ${after} and seq <= ${upTo} group by 1, 3 order by 1, 3
    on conflict (environment_id, measure, hour, key) do update set count = figures_hourly.count + excluded.count`);
}

/** Back to the beginning of what is kept; older figures stand, since what they were counted from is gone. First the positions: a worker that rolls up holds one, and what it adds must be there to be deleted. */
export async function deleteFigures(tx: Tx): Promise<void> {
  await tx.query(sql('roll_up_restart')`
    update reader_positions set seq = 0, next_seq = null, waits_for = '{}', until_time = null
    where name in ('figures', 'orders', 'attempts')`);
  await tx.query(sql('figures_delete')`
    delete from figures_hourly where environment_id is not null and (measure = 'orders' or hour >= coalesce(
      (select kept_from from time_partitions where kind = 'events'), '-infinity'))`);
  await tx.query(sql('payment_values_delete')`
    delete from payment_values where environment_id is not null
      and exists (select 1 from time_partitions where kind = 'events' and kept_from is null)`);
  await tx.query(sql('delivery_figures_delete')`
    delete from delivery_figures where environment_id is not null
      and at >= coalesce((select kept_from from time_partitions where kind = 'attempts'), '-infinity')`);
}

export interface FigureTotals {
  orders: number;
  paid: number;
  attempts: number;
}

export async function findFigureTotals(db: Queryable): Promise<FigureTotals> {
  const [row] = await db.query<FigureTotals>(sql('figures_find_totals')`
    select coalesce(sum(count) filter (where measure = 'orders'), 0)::bigint as orders,
           coalesce(sum(count) filter (where measure = 'paid'), 0)::bigint as paid,
           (select coalesce(sum(attempts), 0)::bigint from delivery_figures where environment_id is not null) as attempts
    from figures_hourly where environment_id is not null`);
  return row!;
}

export interface FiguresAge {
  /** What happened before this is counted. */
  until: Date;
  now: Date;
}

/** The oldest event that is not counted yet says how far the figures go; without one they go up to now. */
export async function findFiguresAge(db: Queryable): Promise<FiguresAge> {
  const [row] = await db.query<FiguresAge>(sql('roll_up_find_until')`
    select app_now() as now, coalesce((
      select created_at from events
      where seq > (select seq from reader_positions where name = 'figures') and type <> 'order.created'
      order by seq limit 1), app_now()) as until`);
  return row!;
}
