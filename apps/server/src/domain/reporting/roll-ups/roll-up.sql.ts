import type { Span } from '../../../db/read-numbered.ts';
import { fragment, sql, type Tx } from '../../../db/statement.ts';
import { LATENCY_STEPS_MS } from '../figures/delivery-figures.sql.ts';
import { DAILY, SALES_ALIKE } from './daily-figures.sql.ts';
import { dayOf, hourOf } from './utc.sql.ts';

/**
 * Rows of `emitted` that count alike, added up first: of the events of a second few differ, and all that counts them then reads a few
 * rows. `begun` is the day on which a payment began. Paid orders are in `sales`.
 */
const ALIKE = fragment`alike as materialized (
      select environment_id, type, ${hourOf('created_at')} as hour, ${dayOf('coalesce(to_timestamp(begun_at), created_at)')} as begun,
             ${hourOf('to_timestamp(paid_at)')} as paid_hour,
             method, brand, country, currency, response_code, response_description, coalesce(amount, 1) > 0 as is_charge,
             count(*) as count, coalesce(sum(amount), 0) as amount
      from emitted where type <> 'order.paid' group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    )`;

/**
 * Paid orders with what came before the payment. Most are opened, reserved and paid within the span itself; for the others their events are
 * read. An event says the amount and the currency of its order, whose row is read anyway, so only one without a row is parsed.
 */
const PAID = fragment`paid as materialized (
      select t.environment_id, t.seq, t.created_at, ${dayOf('t.created_at')} as day, coalesce(o.currency, t.data ->> 'currency') as currency,
             coalesce(o.amount_minor, (t.data ->> 'amount')::bigint) as amount,
             o.id is not null as has_order, o.player_id, o.items::text as items,
             coalesce(o.details ->> 'country', '') as country, o.granted_at, coalesce(t.opened_at, before.opened_at) as opened_at,
             coalesce(t.opened_device, before.device) as device, coalesce(t.reserved_at, before.reserved_at) as reserved_at,
             coalesce(case when t.reserved_at is null then before.method else t.reserved_method end, '') as method
      from (
        select environment_id, seq, type, order_id, created_at, data,
               max(created_at) filter (where type = 'checkout.opened') over of_order as opened_at,
               max(coalesce(device, 'other')) filter (where type = 'checkout.opened') over of_order as opened_device,
               max(created_at) filter (where type = 'payment.authorized') over of_order as reserved_at,
               first_value(method) over of_order as reserved_method
        from emitted where type in ('checkout.opened', 'payment.authorized', 'order.paid')
        window of_order as (partition by environment_id, order_id order by type = 'payment.authorized' desc, created_at desc
                            rows between unbounded preceding and unbounded following)
      ) t left join orders o on o.environment_id = t.environment_id and o.id = t.order_id
      cross join lateral (
        select max(e.created_at) filter (where e.type = 'checkout.opened') as opened_at,
               max(coalesce(e.data ->> 'device', 'other')) filter (where e.type = 'checkout.opened') as device,
               max(e.created_at) filter (where e.type = 'payment.authorized') as reserved_at,
               (array_agg(e.data ->> 'method' order by e.created_at desc) filter (where e.type = 'payment.authorized'))[1] as method
        from events e
        where (t.reserved_at is null or (t.opened_at is null and o.opened_at is not null))
          and e.order_id = t.order_id and e.environment_id = t.environment_id
          and e.type in ('checkout.opened', 'payment.authorized')
      ) before
      where t.type = 'order.paid'
    )`;

/** What happened in an hour, and what became of its orders: so that a share counts the same orders twice. */
const HOURLY = fragment`hourly as (
      insert into figures_hourly (environment_id, measure, hour, key, count, amount_minor)
      select environment_id, measure, hour, key, sum(count), sum(amount) from (
        select environment_id, hour,
               case type when 'checkout.opened' then 'opened' when 'payment.pending' then 'started'
                         when 'payment.declined' then 'declined' else 'returned' end as measure,
               case when type like 'order.%' then currency when type = 'payment.declined' then coalesce(response_code, '')
                    else '' end as key,
               count, case when type like 'order.%' then amount else 0 end as amount
        from alike
        where type in ('checkout.opened', 'payment.pending', 'payment.declined')
          -- What was only reserved and released was never paid, so it is not returned either.
          or (type in ('order.refunded', 'order.charged_back') and paid_hour is not null)
        union all
        select environment_id, hour, 'paid', currency, count, coalesce(amount, 0) from sales
        union all
        select environment_id, opened, 'converted', '', count, 0 from sales where opened is not null
        union all
        select environment_id, paid_hour, case type when 'order.disputed' then 'disputed' else 'paid_back' end, currency, count, amount
        from alike where type in ('order.refunded', 'order.charged_back', 'order.disputed') and paid_hour is not null
      ) facts group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (environment_id, measure, hour, key) do update
        set count = figures_hourly.count + excluded.count, amount_minor = figures_hourly.amount_minor + excluded.amount_minor
    )`;

/**
 * Adds the events of a span of positions to the hours and days they happened in. Each event is read once, for all figures: what
 * one of them needs is a few columns of these rows. Here and in the other statements of these readers the span is a subquery, which says
 * nothing of its length: planned for its numbers, the statement looks so cheap that PostgreSQL plans it again in each round.
 */
export const insertEventFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('figures_roll_up')`
    with emitted as materialized (
      select e.environment_id, e.order_id, e.seq, e.type, e.created_at, case when e.type = 'order.paid' then e.data end as data,
             d.currency, d.amount, d.paid_at, d.created_at as begun_at,
             d.method, d.brand, d.country, d.response_code, d.response_description, d.device
      from events e
      left join lateral (
        select currency, amount, paid_at, created_at, method, brand, country, response_code, response_description, device
        from json_to_record(e.data) as d (currency text, amount bigint, paid_at bigint, created_at bigint, method text, brand text, country text,
          response_code text, response_description text, device text)
        -- So that the condition is asked before the function, and not after it.
        where e.type <> 'order.paid' offset 0
      ) d on true
      where e.seq > (select ${after}::bigint) and e.seq <= (select ${upTo}::bigint) and e.type <> 'order.created' and not e.test
        and e.type in ('checkout.opened', 'payment.pending', 'payment.authorized', 'payment.declined', 'order.paid',
                       'order.refunded', 'order.charged_back', 'order.disputed')
    ), ${ALIKE}, ${PAID}, ${SALES_ALIKE}, ${HOURLY}, ${DAILY}
    -- Values for the menus of filters.
    insert into payment_values (environment_id, facet, value, label)
    select distinct on (t.environment_id, v.facet, v.value) t.environment_id, v.facet, v.value, v.label
    from alike t
    cross join lateral (values ('method', t.method, null), ('brand', t.brand, null), ('country', t.country, null),
      ('currency', t.currency, null), ('response_code', t.response_code, t.response_description)) as v (facet, value, label)
    where t.type in ('payment.pending', 'payment.authorized', 'payment.declined') and v.value is not null
    order by t.environment_id, v.facet, v.value
    on conflict do nothing`);

export const insertOrderFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('figures_roll_up_orders')`
    insert into figures_hourly (environment_id, measure, hour, key, count, amount_minor)
    select environment_id, 'orders', ${hourOf('created_at')}, '', count(*), 0
    from orders where seq > (select ${after}::bigint) and seq <= (select ${upTo}::bigint) group by 1, 3 order by 1, 3
    on conflict (environment_id, measure, hour, key) do update set count = figures_hourly.count + excluded.count`);

/** Back to the beginning of what is kept; older figures stand, since what they were counted from is gone. First the positions: a worker that rolls up holds one, and what it adds must be there to be deleted. */
export async function deleteFigures(tx: Tx): Promise<void> {
  await tx.query(sql('roll_up_restart')`
    update reader_positions set seq = 0, next_seq = null, waits_for = '{}', until_time = null
    where name in ('figures', 'orders', 'attempts')`);
  await tx.query(sql('figures_delete')`
    delete from figures_hourly where environment_id is not null and (measure = 'orders' or hour >= coalesce(
      (select kept_from from time_partitions where kind = 'events'), '-infinity'))`);
  await tx.query(sql('figures_daily_delete')`
    delete from figures_daily where environment_id is not null and day >= case when measure = 'cohort'
      then date_trunc('month', coalesce((select kept_from from time_partitions where kind = 'events'), '-infinity'), 'UTC')::date
      else coalesce((select kept_from from time_partitions where kind = 'events')::date, '-infinity') end`);
  await tx.query(sql('buyer_months_delete')`
    delete from buyer_months where environment_id is not null and month >= date_trunc('month', coalesce(
      (select kept_from from time_partitions where kind = 'events'), '-infinity'), 'UTC')::date`);
  await tx.query(sql('payment_values_delete')`
    delete from payment_values where environment_id is not null
      and exists (select 1 from time_partitions where kind = 'events' and kept_from is null)`);
  // By which items orders are found is written by the same reader as their figures.
  await tx.query(sql('search_postings_delete')`
    delete from search_postings where environment_id is not null and kind = 'sku'`);
  await tx.query(sql('delivery_figures_delete')`
    delete from delivery_figures where environment_id is not null
      and at >= coalesce((select kept_from from time_partitions where kind = 'attempts'), '-infinity')`);
}

/** Attempts are recorded when they end, and none lasts this long. */
const SETTLED_AFTER_SECONDS = 60;

export interface AttemptsSpan {
  from: Date | null;
  to: Date;
}

/** The whole minutes that are over, and not rolled up yet. One at a time. */
export async function lockAttemptsPosition(tx: Tx, mostSeconds: number): Promise<AttemptsSpan | null> {
  const [row] = await tx.query<AttemptsSpan>(sql('roll_up_lock_attempts')`
    select until_time as from,
           least(date_trunc('minute', app_now() - make_interval(secs => ${SETTLED_AFTER_SECONDS})),
                 coalesce(until_time, (select min(started_at) from delivery_attempts)) + make_interval(secs => ${mostSeconds}))
             as to
    from reader_positions where name = 'attempts' for update skip locked`);
  return row?.to && (row.from === null || row.to > row.from) ? row : null;
}

/** Reads attempts of every environment; each is counted for its own. */
export const insertAttemptFigures = (tx: Tx, { from, to }: AttemptsSpan): Promise<void> =>
  tx.execute(sql('delivery_figures_roll_up')`
    insert into delivery_figures (environment_id, subscription_id, at, latency, attempts, succeeded)
    select a.environment_id, d.subscription_id,
           date_bin('15 minutes', a.started_at, timestamptz '2020-01-01 00:00:00Z') as at,
           width_bucket(a.duration_ms, ${LATENCY_STEPS_MS}::int[]) as latency,
           count(*), count(*) filter (where a.status between 200 and 299)
    from delivery_attempts a
    join deliveries d on d.environment_id = a.environment_id and d.id = a.delivery_id
    where a.started_at >= coalesce(${from}::timestamptz, '-infinity') and a.started_at < ${to}
      and d.subscription_id is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (environment_id, subscription_id, at, latency) do update
      set attempts = delivery_figures.attempts + excluded.attempts,
          succeeded = delivery_figures.succeeded + excluded.succeeded`);

export const updateAttemptsPosition = (tx: Tx, to: Date): void =>
  tx.write(sql('roll_up_move_attempts')`
    update reader_positions set until_time = ${to} where name = 'attempts'`);
