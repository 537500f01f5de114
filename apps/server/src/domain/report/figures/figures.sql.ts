import type { Queryable, Tx } from '../../../db/db.ts';
import { sql } from '../../../db/sql.ts';
import { NEEDS_ATTENTION } from '../../payment/payment.sql.ts';

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

/** More than anybody decides one by one; beyond it only the number matters, and that is "many". */
const MOST_HELD = 1_000;

export async function findReviewCount(db: Queryable, environmentId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql('figures_find_in_review')`
    select count(*) as count from (
      select 1 from payments
      where environment_id = ${environmentId} and ${NEEDS_ATTENTION} limit ${MOST_HELD}) held`);
  return row!.count;
}

export interface HourFigure {
  measure: 'orders' | 'opened' | 'started' | 'paid' | 'returned' | 'declined';
  hour: Date;
  key: string;
  count: number;
  amountMinor: number;
}

export const listHourFigures = (db: Queryable, environmentId: string, from: Date): Promise<HourFigure[]> =>
  db.query(sql('figures_list')`
    select measure, hour, key, count, amount_minor as "amountMinor" from figures_hourly
    where environment_id = ${environmentId}
      and measure in ('orders', 'opened', 'started', 'paid', 'returned', 'declined') and hour >= ${from}`);

export interface PaymentValue {
  facet: 'method' | 'brand' | 'country' | 'currency' | 'response_code';
  value: string;
  label: string | null;
}

export const listPaymentValues = (db: Queryable, environmentId: string): Promise<PaymentValue[]> =>
  db.query(sql('payment_values_list')`
    select facet, value, label from payment_values where environment_id = ${environmentId} order by facet, value limit 1000`);

export interface EventsPosition {
  seq: number;
  nextSeq: number | null;
  /** Nothing that began before the note is still under way. */
  isSettled: boolean;
  hasXmax: boolean;
  /** How long ago the next position was noted. */
  notedMsAgo: number | null;
}

/** One at a time: whoever comes second has nothing to do. */
export async function lockEventsPosition(tx: Tx): Promise<EventsPosition | null> {
  const [row] = await tx.query<EventsPosition>(sql('roll_up_lock_events')`
    select seq, next_seq as "nextSeq", next_xmax is not null as "hasXmax",
           coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= next_xmax, false) as "isSettled",
           extract(epoch from app_now() - next_noted_at)::float8 * 1000 as "notedMsAgo"
    from roll_up_positions where name = 'events' for update skip locked`);
  return row ?? null;
}

/** Notes how far events go now. Answers false when there is nothing new. */
export async function updateNextSeq(tx: Tx): Promise<boolean> {
  const rows = await tx.query(sql('roll_up_note_next')`
    update roll_up_positions set next_seq = newest.seq, next_noted_at = app_now(), next_xmax = null
    from (select seq from events where type <> 'order.created' order by seq desc limit 1) newest
    where name = 'events' and newest.seq > roll_up_positions.seq returning name`);
  return rows.length > 0;
}

/** Whoever has drawn a number up to the noted one has its transaction id by now, so it lies below this bound. */
export async function updateNextXmax(tx: Tx): Promise<void> {
  await tx.query(sql('roll_up_note_xmax')`
    update roll_up_positions set next_xmax = pg_snapshot_xmax(pg_current_snapshot()) where name = 'events'`);
}

export function updateEventsPosition(tx: Tx, seq: number, isDone: boolean): void {
  tx.write(sql('roll_up_move_events')`
    update roll_up_positions set seq = ${seq}, until_time = case when ${isDone} then next_noted_at else until_time end,
      next_seq = case when ${isDone} then null else next_seq end
    where name = 'events'`);
}

/** Adds the events of a span of positions to the hours they happened in. */
export async function insertEventFigures(tx: Tx, after: number, upTo: number): Promise<void> {
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

export async function insertPaymentValues(tx: Tx, after: number, upTo: number): Promise<void> {
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

/** Ids of orders hold their time, so a span of time is a span of the primary key. Null: nothing to do, or somebody is at it. */
export async function lockOrdersPosition(
  tx: Tx,
  settledAfterSeconds: number,
): Promise<{ from: Date | null; to: Date } | null> {
  const [row] = await tx.query<{ from: Date | null; to: Date }>(sql('roll_up_lock_orders')`
    select until_time as from, date_trunc('second', app_now() - make_interval(secs => ${settledAfterSeconds})) as to
    from roll_up_positions where name = 'orders' for update skip locked`);
  return row && (row.from === null || row.to > row.from) ? row : null;
}

export async function insertOrderFigures(tx: Tx, fromId: string, belowId: string): Promise<void> {
  await tx.query(sql('figures_roll_up_orders')`
    insert into figures_hourly (environment_id, measure, hour, key, count, amount_minor)
    select e.id, 'orders', o.hour, '', o.count, 0
    from environments e
    cross join lateral (
      select date_trunc('hour', created_at, 'UTC') as hour, count(*) as count from orders
      where environment_id = e.id and id >= ${fromId} and id < ${belowId} group by 1) o
    on conflict (environment_id, measure, hour, key) do update set count = figures_hourly.count + excluded.count`);
}

export function updateOrdersPosition(tx: Tx, to: Date): void {
  tx.write(sql('roll_up_move_orders')`update roll_up_positions set until_time = ${to} where name = 'orders'`);
}

/** Orders of the last moments, which are not rolled up yet. */
export const listFreshOrders = (db: Queryable, environmentId: string, fromId: string): Promise<HourFigure[]> =>
  db.query(sql('figures_list_fresh_orders')`
    select 'orders' as measure, date_trunc('hour', created_at, 'UTC') as hour, '' as key, count(*) as count,
           0::bigint as "amountMinor"
    from orders where environment_id = ${environmentId} and id >= ${fromId} group by 2`);

/** Back to the beginning. First the positions: whoever rolls up holds one, and what it adds must be there to be deleted. */
export async function deleteFigures(tx: Tx): Promise<void> {
  await tx.query(sql('roll_up_restart')`
    update roll_up_positions set seq = 0, next_seq = null, next_xmax = null, until_time = null where name is not null`);
  await tx.query(sql('figures_delete')`delete from figures_hourly where environment_id is not null`);
  await tx.query(sql('payment_values_delete')`delete from payment_values where environment_id is not null`);
  await tx.query(sql('delivery_figures_delete')`delete from delivery_figures where environment_id is not null`);
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

export interface RolledUpUntil {
  events: Date | null;
  orders: Date | null;
  now: Date;
}

export async function findRolledUpUntil(db: Queryable): Promise<RolledUpUntil> {
  const [row] = await db.query<RolledUpUntil>(sql('roll_up_find_until')`
    select max(until_time) filter (where name = 'events') as events, max(until_time) filter (where name = 'orders') as orders,
           app_now() as now
    from roll_up_positions`);
  return row!;
}
