import type { Span } from '../../../db/read-numbered.ts';
import { sql, type Tx } from '../../../db/statement.ts';
import { GRANT_STEPS_MS } from '../figures/questions.sql.ts';

/** Adds opened pages and payments that began or ended to their days. */
export const insertPageFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('figures_roll_up_pages')`
    with emitted as (
      select environment_id, order_id, type, data, created_at from events
      where seq > ${after} and seq <= ${upTo} and type <> 'order.created' and not test
        and type in ('checkout.opened', 'payment.pending', 'payment.authorized', 'payment.declined')
    ), begun as (
      select environment_id, type, coalesce(data ->> 'method', '') as method, coalesce(data ->> 'response_code', '') as code,
             (coalesce(to_timestamp((data ->> 'created_at')::bigint), created_at) at time zone 'UTC')::date as day
      from emitted where type <> 'checkout.opened' and coalesce((data ->> 'amount')::bigint, 1) > 0
    ), facts as (
      select t.environment_id, v.measure, (t.created_at at time zone 'UTC')::date as day, v.key
      from emitted t left join orders o on o.environment_id = t.environment_id and o.id = t.order_id
      cross join lateral (values ('opened_country', coalesce(o.details ->> 'country', '')),
                                 ('opened_device', coalesce(t.data ->> 'device', 'other'))) as v (measure, key)
      where t.type = 'checkout.opened'
      union all
      select environment_id, case type when 'payment.pending' then 'started_method' when 'payment.authorized'
             then 'authorized_method' else 'declined_method' end, day, method from begun
      union all
      select environment_id, 'declined_code', day, code from begun where type = 'payment.declined'
    )
    insert into figures_daily (environment_id, measure, day, currency, key, count, amount_minor)
    select environment_id, measure, day, '', key, count(*), 0 from facts group by 1, 2, 3, 5 order by 1, 2, 3, 5
    on conflict (environment_id, measure, day, currency, key) do update set count = figures_daily.count + excluded.count`);

/** Adds paid orders to the day of the payment and to the day on which their page was opened, and what was returned since. */
export const insertSalesFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('figures_roll_up_sales')`
    with emitted as (
      select environment_id, order_id, type, data, created_at from events
      where seq > ${after} and seq <= ${upTo} and type <> 'order.created' and not test
        and type in ('order.paid', 'order.refunded', 'order.charged_back', 'order.disputed')
    ), paid as (
      select t.environment_id, (t.created_at at time zone 'UTC')::date as day, t.data ->> 'currency' as currency,
             (t.data ->> 'amount')::bigint as amount, extract(hour from t.created_at at time zone 'UTC')::int as hour,
             o.items, coalesce(o.details ->> 'country', '') as country, o.granted_at,
             (before.opened_at at time zone 'UTC')::date as opened_day, before.device, before.reserved_at,
             coalesce(before.method, '') as method
      from emitted t join orders o on o.environment_id = t.environment_id and o.id = t.order_id
      cross join lateral (
        select max(e.created_at) filter (where e.type = 'checkout.opened') as opened_at,
               max(coalesce(e.data ->> 'device', 'other')) filter (where e.type = 'checkout.opened') as device,
               max(e.created_at) filter (where e.type = 'payment.authorized') as reserved_at,
               (array_agg(e.data ->> 'method' order by e.created_at desc) filter (where e.type = 'payment.authorized'))[1] as method
        from events e
        where e.order_id = t.order_id and e.environment_id = t.environment_id
          and e.type in ('checkout.opened', 'payment.authorized')
      ) before
      where t.type = 'order.paid'
    ), facts as (
      select p.environment_id, v.measure, p.day, p.currency, v.key, 1 as count, p.amount
      from paid p cross join lateral (values ('paid', ''), ('paid_country', p.country), ('paid_hour', p.hour::text),
                                             ('paid_method', p.method)) as v (measure, key)
      union all
      select p.environment_id, 'paid_item', p.day, p.currency, i.sku, coalesce(i.quantity, 1),
             -- An item without a price of its own is worth the order where it is alone in it.
             coalesce(i."priceMinor" * coalesce(i.quantity, 1), case when json_array_length(p.items) = 1 then p.amount else 0 end)
      from paid p
      cross join lateral json_to_recordset(p.items) as i (sku text, quantity int, "priceMinor" bigint)
      union all
      select p.environment_id, v.measure, p.opened_day, '', v.key, 1, 0
      from paid p cross join lateral (values ('converted_country', p.country), ('converted_device', p.device)) as v (measure, key)
      where p.opened_day is not null
      union all
      select environment_id, 'grant', day, '', width_bucket(
               (extract(epoch from granted_at - reserved_at) * 1000)::bigint::int, ${GRANT_STEPS_MS}::int[])::text, 1, 0
      -- The one is by the clock of the database, the other by that of a process, which may be some milliseconds behind.
      from paid where reserved_at is not null and granted_at > reserved_at - interval '1 second' and granted_at < reserved_at + interval '20 days'
      union all
      select environment_id, case type when 'order.disputed' then 'disputed' else 'paid_back' end,
             (to_timestamp((data ->> 'paid_at')::bigint) at time zone 'UTC')::date, data ->> 'currency', '', 1,
             (data ->> 'amount')::bigint
      from emitted where type <> 'order.paid' and data ->> 'paid_at' is not null
    )
    insert into figures_daily (environment_id, measure, day, currency, key, count, amount_minor)
    select environment_id, measure, day, currency, key, sum(count), sum(amount) from facts
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (environment_id, measure, day, currency, key) do update
      set count = figures_daily.count + excluded.count, amount_minor = figures_daily.amount_minor + excluded.amount_minor`);

/**
 * Adds paid orders by whether their player had bought before, and each buyer once to the month and the month of the first purchase.
 * Nothing is joined with what was made here: without an index that reads everything once for each row.
 */
export const insertBuyerFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('figures_roll_up_buyers')`
    with sold as (
      select e.environment_id, o.player_id, e.seq, (e.created_at at time zone 'UTC')::date as day,
             date_trunc('month', e.created_at at time zone 'UTC')::date as month, e.data ->> 'currency' as currency,
             (e.data ->> 'amount')::bigint as amount, (
               select min(b.month) from buyer_months b where b.environment_id = o.environment_id and b.player_id = o.player_id
             ) as first_before
      from events e join orders o on o.environment_id = e.environment_id and o.id = e.order_id
      where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and not e.test and e.type = 'order.paid'
    ), paid as (
      select environment_id, player_id, day, month, currency, amount, first_before,
             row_number() over (partition by environment_id, player_id order by seq) as nth,
             min(month) over (partition by environment_id, player_id) as first_here
      from sold
    ), bought as (
      insert into buyer_months (environment_id, player_id, month, first_month)
      select distinct environment_id, player_id, month, coalesce(first_before, first_here) from paid order by 1, 2, 3
      on conflict do nothing returning environment_id, month, first_month
    ), facts as (
      select environment_id, case when nth = 1 and first_before is null then 'paid_first' else 'paid_repeat' end as measure,
             day, currency, '' as key, amount
      from paid
      union all
      select environment_id, 'cohort', month, '', to_char(first_month, 'YYYY-MM'), 0 from bought
    )
    insert into figures_daily (environment_id, measure, day, currency, key, count, amount_minor)
    select environment_id, measure, day, currency, key, count(*), sum(amount) from facts
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (environment_id, measure, day, currency, key) do update
      set count = figures_daily.count + excluded.count, amount_minor = figures_daily.amount_minor + excluded.amount_minor`);
