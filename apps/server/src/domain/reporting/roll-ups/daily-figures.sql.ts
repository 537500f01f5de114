import { fragment } from '../../../db/statement.ts';
import { GRANT_STEPS_MS } from '../figures/questions.sql.ts';

// Each part selects from the events in `emitted` and `alike` and the orders in `paid`, `sales`, `sold` and `bought` what counts for a day, as the columns
// `environment_id, measure, day, currency, key, count, amount`.

/** Opened pages, and payments that began or ended. */
const PAGES = fragment`
      select t.environment_id, v.measure, (t.created_at at time zone 'UTC')::date as day, '' as currency, v.key, 1 as count, 0::bigint as amount
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

/** Paid orders that count alike, as `alike` has events. */
const SALES_ALIKE = fragment`sales as materialized (
      select environment_id, day, currency, country, hour, method, (opened_at at time zone 'UTC')::date as opened, device,
             count(*) as count, sum(amount) as amount
      from paid where has_order group by 1, 2, 3, 4, 5, 6, 7, 8
    )`;

/** Paid orders on the day of the payment and on the day on which their page was opened, and what was returned since. */
const SALES = fragment`
      select s.environment_id, v.measure, s.day, s.currency, v.key, s.count, s.amount
      from sales s cross join lateral (values ('paid', ''), ('paid_country', s.country), ('paid_hour', s.hour::text),
                                              ('paid_method', s.method)) as v (measure, key)
      union all
      select p.environment_id, 'paid_item', p.day, p.currency, i.sku, sum(coalesce(i.quantity, 1)),
             -- An item without a price of its own is worth the order where it is alone in it.
             sum(coalesce(i."priceMinor" * coalesce(i.quantity, 1), case when json_array_length(p.items) = 1 then p.amount else 0 end))
      from paid p
      cross join lateral json_to_recordset(p.items) as i (sku text, quantity int, "priceMinor" bigint)
      where p.has_order group by 1, 3, 4, 5
      union all
      select s.environment_id, v.measure, s.opened, '', v.key, s.count, 0
      from sales s cross join lateral (values ('converted_country', s.country), ('converted_device', s.device)) as v (measure, key)
      where s.opened is not null
      union all
      select environment_id, 'grant', day, '', width_bucket(
               (extract(epoch from granted_at - reserved_at) * 1000)::bigint::int, '{${{ sqlText: GRANT_STEPS_MS.join(', ') }}}'::int[])::text,
             count(*), 0
      -- The one is by the clock of the database, the other by that of a process, which may be some milliseconds behind.
      from paid where reserved_at is not null and granted_at > reserved_at - interval '1 second' and granted_at < reserved_at + interval '20 days'
      group by 1, 3, 5
      union all
      select environment_id, case type when 'order.disputed' then 'disputed' else 'paid_back' end,
             (paid_hour at time zone 'UTC')::date, currency, '', count, amount
      from alike where type in ('order.refunded', 'order.charged_back', 'order.disputed') and paid_hour is not null`;

/** Paid orders by whether their player had bought before, and each buyer once for the month and the month of the first purchase. */
const BUYERS = fragment`
      select environment_id, case when nth = 1 and first_before is null then 'paid_first' else 'paid_repeat' end, day, currency, '', count(*), sum(amount)
      from sold group by 1, 2, 3, 4
      union all
      select environment_id, 'cohort', month, '', to_char(first_month, 'YYYY-MM'), count(*), 0 from bought group by 1, 3, first_month`;

/**
 * Uses window functions in place of a join: what this statement has made has no index, so a join would read all of it for each
 * row.
 */
const SOLD = fragment`sold as (
      select environment_id, player_id, day, month, currency, amount, first_before,
             row_number() over (partition by environment_id, player_id order by seq) as nth,
             min(month) over (partition by environment_id, player_id) as first_here
      from (select p.environment_id, p.player_id, p.seq, p.day, date_trunc('month', p.day)::date as month, p.currency, p.amount, (
              select min(b.month) from buyer_months b where b.environment_id = p.environment_id and b.player_id = p.player_id
            ) as first_before
            from paid p where p.has_order) p
    ), bought as (
      insert into buyer_months (environment_id, player_id, month, first_month)
      select distinct environment_id, player_id, month, coalesce(first_before, first_here) from sold order by 1, 2, 3
      on conflict do nothing returning environment_id, month, first_month
    )`;

export const DAILY = fragment`${SOLD}, ${SALES_ALIKE}, daily as (
      insert into figures_daily (environment_id, measure, day, currency, key, count, amount_minor)
      select environment_id, measure, day, currency, key, sum(count), sum(amount) from (${PAGES}
      union all ${SALES}
      union all ${BUYERS}) facts
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (environment_id, measure, day, currency, key) do update
        set count = figures_daily.count + excluded.count, amount_minor = figures_daily.amount_minor + excluded.amount_minor
    )`;
