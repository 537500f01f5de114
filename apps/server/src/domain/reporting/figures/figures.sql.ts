import type { NumberedTable } from '../../../db/read-numbered.sql.ts';
import { type Queryable, sql } from '../../../db/statement.ts';

/** Every order is counted, in the order of insertion. */
export const NUMBERED_ORDERS: NumberedTable = {
  tables: ['orders'],
  newest: sql('reader_find_newest_order')`select seq from orders order by seq desc limit 1`,
};

export const findStartedCount = (db: Queryable, environmentId: string): Promise<number> =>
  db.queryValue(sql('figures_find_started')`
    select coalesce(sum(count), 0)::bigint as count from figures_hourly
    where environment_id = ${environmentId} and measure = 'started'`);

export const findOldestPaymentId = (db: Queryable, environmentId: string): Promise<string | null> =>
  db.queryValue(sql('figures_find_oldest_payment')`
    select id from payments where environment_id = ${environmentId} order by id limit 1`);

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

export interface FigureTotals {
  orders: number;
  paid: number;
  attempts: number;
}

export const findFigureTotals = (db: Queryable): Promise<FigureTotals> =>
  db.queryFirst(sql('figures_find_totals')`
    select coalesce(sum(count) filter (where measure = 'orders'), 0)::bigint as orders,
           coalesce(sum(count) filter (where measure = 'paid'), 0)::bigint as paid,
           (select coalesce(sum(attempts), 0)::bigint from delivery_figures where environment_id is not null) as attempts
    from figures_hourly where environment_id is not null`);

export interface FiguresAge {
  /** What happened before this is counted. */
  until: Date;
  now: Date;
}

/** The oldest event that is not counted yet says how far the figures go; without one they go up to now. */
export const findFiguresAge = (db: Queryable): Promise<FiguresAge> =>
  db.queryFirst(sql('roll_up_find_until')`
    select app_now() as now, coalesce((
      select created_at from events
      where seq > (select seq from reader_positions where name = 'figures') and type <> 'order.created'
      order by seq limit 1), app_now()) as until`);

/** When each of the first steps really happened; null for what did not. */
export interface Checklist {
  orderCreatedAt: Date | null;
  orderPaidAt: Date | null;
  webhookAddedAt: Date | null;
  itemGrantedAt: Date | null;
  sellerCompleteAt: Date | null;
}

/** Each reads the first row of an index, however much has happened since. */
export const findChecklist = (db: Queryable, environmentId: string): Promise<Checklist> =>
  db.queryFirst(sql('checklist_find')`
    select
      (select created_at from orders where environment_id = ${environmentId} order by id limit 1) as "orderCreatedAt",
      (select p.authorized_at from payments p
       where p.environment_id = ${environmentId} and p.authorized_at is not null
       order by p.id limit 1) as "orderPaidAt",
      (select created_at from webhook_subscriptions
       where environment_id = ${environmentId} and takes_items and listening_until is null
       order by id limit 1) as "webhookAddedAt",
      (select d.finished_at from deliveries d
       where d.environment_id = ${environmentId} and d.lane = 'items' and d.event_type = 'item.add' and d.status = 'succeeded'
       order by d.id limit 1) as "itemGrantedAt",
      (select c.seller_complete_at from companies c
       join games g on g.company_id = c.id
       join environments e on e.game_id = g.id
       where e.id = ${environmentId}) as "sellerCompleteAt"`);
