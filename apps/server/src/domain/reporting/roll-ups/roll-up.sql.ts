import type { Span } from '../../../db/read-numbered.ts';
import { sql, type Tx } from '../../../db/statement.ts';
import { LATENCY_STEPS_MS } from '../figures/delivery-figures.sql.ts';

/** Adds the events of a span of positions to the hours they happened in. */
export const insertEventFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('figures_roll_up')`
    with emitted as (
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
    from emitted group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (environment_id, measure, hour, key) do update
      set count = figures_hourly.count + excluded.count, amount_minor = figures_hourly.amount_minor + excluded.amount_minor`);

/** Adds what became of orders to the hour in which they were opened or paid, so that a share counts the same orders twice. */
export const insertCohortFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('figures_roll_up_cohorts')`
    with emitted as (
      select environment_id, order_id, type, data from events
      where seq > ${after} and seq <= ${upTo} and type <> 'order.created' and not test
        and type in ('order.paid', 'order.refunded', 'order.charged_back', 'order.disputed')
    ), cohorts as (
      select t.environment_id, 'converted' as measure, date_trunc('hour', o.created_at, 'UTC') as hour, '' as key, 0 as amount
      from emitted t
      join events o on o.order_id = t.order_id and o.environment_id = t.environment_id and o.type = 'checkout.opened'
      where t.type = 'order.paid'
      union all
      select environment_id, case type when 'order.disputed' then 'disputed' else 'paid_back' end,
             date_trunc('hour', to_timestamp((data ->> 'paid_at')::bigint), 'UTC'), data ->> 'currency',
             (data ->> 'amount')::bigint
      from emitted where type <> 'order.paid' and data ->> 'paid_at' is not null
    )
    insert into figures_hourly (environment_id, measure, hour, key, count, amount_minor)
    select environment_id, measure, hour, key, count(*), sum(amount) from cohorts group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (environment_id, measure, hour, key) do update
      set count = figures_hourly.count + excluded.count, amount_minor = figures_hourly.amount_minor + excluded.amount_minor`);

export const insertPaymentValues = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('payment_values_roll_up')`
    with emitted as (
      select distinct e.environment_id, d.method, d.brand, d.country, d.currency, d.response_code, d.response_description
      from events e
      cross join lateral json_to_record(e.data) as d (method text, brand text, country text, currency text, response_code text,
                                                      response_description text)
      where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and not e.test
        and e.type in ('payment.pending', 'payment.authorized', 'payment.declined')
    )
    insert into payment_values (environment_id, facet, value, label)
    select distinct on (t.environment_id, v.facet, v.value) t.environment_id, v.facet, v.value, v.label
    from emitted t
    cross join lateral (values ('method', t.method, null), ('brand', t.brand, null), ('country', t.country, null),
      ('currency', t.currency, null), ('response_code', t.response_code, t.response_description)) as v (facet, value, label)
    where v.value is not null
    order by t.environment_id, v.facet, v.value
    on conflict do nothing`);

export const insertOrderFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('figures_roll_up_orders')`
    insert into figures_hourly (environment_id, measure, hour, key, count, amount_minor)
    select environment_id, 'orders', date_trunc('hour', created_at, 'UTC'), '', count(*), 0
    from orders where seq > ${after} and seq <= ${upTo} group by 1, 3 order by 1, 3
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
