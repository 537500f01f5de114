import { fragment } from '../../../db/statement.ts';
import { GRANT_STEPS_MS } from '../figures/questions.sql.ts';
import { dayOf, hourOf } from './utc.sql.ts';

// Each part selects from the events in `emitted` and `alike` and the orders in `sales`, `sold` and `bought` what counts for a day, as the columns
// `environment_id, measure, day, currency, key, count, amount`.

/** Opened pages, and payments that began or ended. */
const PAGES = fragment`
      select t.environment_id, v.measure, ${dayOf('t.created_at')} as day, '' as currency, v.key, 1 as count, 0::bigint as amount
      from emitted t left join orders o on o.environment_id = t.environment_id and o.id = t.order_id
      cross join lateral (values ('opened_country', coalesce(o.details ->> 'country', '')),
                                 ('opened_device', coalesce(t.device, 'other'))) as v (measure, key)
      where t.type = 'checkout.opened'
      union all
      select t.environment_id, v.measure, t.begun, '', v.key, t.count, 0
      from alike t
      cross join lateral (values
        (case t.type when 'payment.pending' then 'started_method' when 'payment.authorized' then 'authorized_method'
                     else 'declined_method' end, coalesce(t.method, '')),
        (case t.type when 'payment.declined' then 'declined_code' end, coalesce(t.response_code, ''))) as v (measure, key)
      where t.type in ('payment.pending', 'payment.authorized', 'payment.declined') and t.is_charge and v.measure is not null`;

/** Half a millisecond earlier, because milliseconds are rounded. */
const GRANT_STEPS = fragment`'{${{ sqlText: GRANT_STEPS_MS.map(ms => `${ms - 0.5} ms`).join(', ') }}}'::interval[]`;

/** Paid orders that count alike, as `alike` has other events. The same items are parsed once. */
export const SALES_ALIKE = fragment`sales as materialized (
      select environment_id, ${hourOf('created_at')} as hour, currency, has_order, country, method, ${hourOf('opened_at')} as opened, device,
             -- The one is by the clock of the database, the other by that of a process, which may be some milliseconds behind.
             case when granted_at - reserved_at > interval '-1 second' and granted_at - reserved_at < interval '20 days'
               then width_bucket(granted_at - reserved_at, ${GRANT_STEPS}) end as granted,
             items, count(*) as count, sum(amount) as amount
      from paid group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    )`;

/** Paid orders on the day of the payment and on the day on which their page was opened, and what was returned since. */
const SALES = fragment`
      select s.environment_id, v.measure, ${dayOf('s.hour')}, s.currency, v.key, s.count, s.amount
      from sales s cross join lateral (values ('paid', ''), ('paid_country', s.country), ('paid_method', s.method),
        ('paid_hour', extract(hour from s.hour at time zone interval '0')::text)) as v (measure, key)
      where s.has_order
      union all
      select s.environment_id, 'paid_item', ${dayOf('s.hour')}, s.currency, i.sku, s.count * coalesce(i.quantity, 1),
             -- An item without a price of its own is worth the order where it is alone in it.
             coalesce(s.count * i."priceMinor" * coalesce(i.quantity, 1), case when json_array_length(s.items::json) = 1 then s.amount else 0 end)
      from sales s
      cross join lateral json_to_recordset(s.items::json) as i (sku text, quantity int, "priceMinor" bigint)
      where s.has_order
      union all
      select s.environment_id, v.measure, ${dayOf('s.opened')}, '', v.key, s.count, 0
      from sales s cross join lateral (values ('converted_country', s.country), ('converted_device', s.device)) as v (measure, key)
      where s.has_order and s.opened is not null
      union all
      select environment_id, 'grant', ${dayOf('hour')}, '', granted::text, count, 0 from sales where granted is not null
      union all
      select environment_id, case type when 'order.disputed' then 'disputed' else 'paid_back' end,
             ${dayOf('paid_hour')}, currency, '', count, amount
      from alike where type in ('order.refunded', 'order.charged_back', 'order.disputed') and paid_hour is not null`;

/** Paid orders by whether their player had bought before, and each buyer once for the month and the month of the first purchase. */
const BUYERS = fragment`
      select environment_id, case when nth = 1 and not is_entered and first_before is null then 'paid_first' else 'paid_repeat' end,
             day, currency, '', count(*), sum(amount)
      from sold group by 1, 2, 3, 4
      union all
      select environment_id, 'cohort', month, '', to_char(first_month, 'YYYY-MM'), count(*), 0 from bought group by 1, 3, first_month`;

/**
 * Uses window functions in place of a join: what this statement has made has no index, so a join would read all of it for each
 * row. Most who buy again have bought in the same month, and then nothing more is asked. That month is asked for as the last one so far: only
 * the primary key has it in order, so no plan of a young shop, where indexes cost the same, reads another one.
 */
const SOLD = fragment`sold as (
      select environment_id, player_id, day, month, currency, amount, is_entered, first_before,
             row_number() over of_player as nth, min(month) over of_player as first_here
      from (
        select environment_id, player_id, seq, day, month, currency, amount, is_entered, case when not is_entered then (
                 select min(b.month) from buyer_months b where b.environment_id = p.environment_id and b.player_id = p.player_id
               ) end as first_before
        from (
          select environment_id, player_id, seq, day, m.month, currency, amount, coalesce(m.month = (
                   select max(b.month) from buyer_months b
                   where b.environment_id = p.environment_id and b.player_id = p.player_id and b.month <= m.month), false) as is_entered
          from paid p cross join lateral (select date_trunc('month', p.day::timestamp)::date as month) m
          where p.has_order offset 0
        ) p
      ) p
      window of_player as (partition by environment_id, player_id order by seq rows between unbounded preceding and unbounded following)
    ), bought as (
      insert into buyer_months (environment_id, player_id, month, first_month)
      select distinct environment_id, player_id, month, coalesce(first_before, first_here) from sold where not is_entered order by 1, 2, 3
      on conflict do nothing returning environment_id, month, first_month
    )`;

export const DAILY = fragment`${SOLD}, daily as (
      insert into figures_daily (environment_id, measure, day, currency, key, count, amount_minor)
      select environment_id, measure, day, currency, key, sum(count), sum(amount) from (${PAGES}
      union all ${SALES}
      union all ${BUYERS}) facts
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (environment_id, measure, day, currency, key) do update
        set count = figures_daily.count + excluded.count, amount_minor = figures_daily.amount_minor + excluded.amount_minor
    )`;
