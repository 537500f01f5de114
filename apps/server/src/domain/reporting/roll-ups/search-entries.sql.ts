import type { Span } from '../../../db/read-numbered.ts';
import { sql, type Tx } from '../../../db/statement.ts';

/** So many characters of an id hold its kind and its time, to about a second. */
export const BUCKET_CHARS = 12;

/**
 * What was paid counts up, what was paid and went back counts down: how often a player bought, and for how much in each currency. Amount and
 * currency of an event are those of its order, whose row is read anyway.
 */
export const upsertPlayerFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('player_figures_roll_up')`
    with moved as (
      select o.environment_id, o.player_id, e.sign, o.currency, o.amount_minor as amount, e.paid_at
      from (select environment_id, order_id, case type when 'order.paid' then 1 else -1 end as sign, (data ->> 'paid_at')::bigint as paid_at
            from events
            where seq > (select ${after}::bigint) and seq <= (select ${upTo}::bigint) and type <> 'order.created' and not test
              and type in ('order.paid', 'order.refunded', 'order.charged_back') offset 0) e
      join orders o on o.environment_id = e.environment_id and o.id = e.order_id
      where e.paid_at is not null
    ), counted as (
      insert into player_figures (environment_id, player_id, orders, last_paid_at)
      select environment_id, player_id, sum(sign), max(to_timestamp(paid_at)) from moved group by 1, 2 order by 1, 2
      on conflict (environment_id, player_id) do update set orders = player_figures.orders + excluded.orders,
        last_paid_at = greatest(player_figures.last_paid_at, excluded.last_paid_at)
    )
    insert into player_spend (environment_id, player_id, currency, amount_minor)
    select environment_id, player_id, currency, sum(sign * amount) from moved group by 1, 2, 3 order by 1, 2, 3
    on conflict (environment_id, player_id, currency) do update
      set amount_minor = player_spend.amount_minor + excluded.amount_minor`);

/**
 * Enters payments by their last four digits, and players by the e-mail address of the payment. The reader of orders may enter the
 * same address at the same time. Looking for it first costs less than an insertion that meets a conflict.
 */
export const insertPaymentEntries = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('search_insert_payments')`
    with seen as materialized (
      select distinct p.environment_id, p.id, p.last4, lower(p.email) as email, p.player_id
      from events e join payments p on p.environment_id = e.environment_id and p.id = e.data ->> 'payment_id'
      where e.seq > (select ${after}::bigint) and e.seq <= (select ${upTo}::bigint) and e.type <> 'order.created' and not e.test
        and e.type in ('payment.authorized', 'payment.declined')
    ), posted as (
      insert into search_postings (environment_id, kind, term, bucket, batch, ids, count)
      select environment_id, 'last4', last4, left(id, ${BUCKET_CHARS}::int), ${upTo}, array_agg(id), count(*)
      from seen where last4 is not null group by 1, 3, 4
    )
    insert into search_entries (environment_id, kind, term, id)
    select distinct v.environment_id, 'email', v.email, v.player_id from seen v
    where v.email is not null and not exists (
      select 1 from search_entries s
      where s.environment_id = v.environment_id and s.kind = 'email' and s.term = v.email and s.id = v.player_id)
    order by 1, 3, 4
    on conflict do nothing`);

/** Orders by the skus of their items. Many orders have the same items, which are parsed once. */
export const insertItemEntries = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('search_insert_items')`
    with alike as materialized (
      select environment_id, items::text as items, left(id, ${BUCKET_CHARS}::int) as bucket, array_agg(id) as ids
      from orders where seq > (select ${after}::bigint) and seq <= (select ${upTo}::bigint) group by 1, 2, 3
    )
    insert into search_postings (environment_id, kind, term, bucket, batch, ids, count)
    select environment_id, 'sku', term, bucket, ${upTo}, array_agg(id), count(*)
    from (select a.environment_id, i.term, a.bucket, a.ids from alike a
          cross join lateral (select distinct lower(sku) as term from json_to_recordset(a.items::json) as t (sku text) where sku is not null) i) sold
    cross join lateral unnest(ids) as o (id)
    group by 1, 3, 4`);

/** How many words of a name begin an entry. */
const MOST_WORDS = 6;
const MOST_CHARS = 120;

/**
 * Enters players by name, from each of its words on, and by the e-mail address that the game gave. Only an order changes a player,
 * and writes its own time into both rows, so the players of these orders are found by the time of their last change.
 */
export const insertPlayerEntries = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('search_insert_players')`
    with span as materialized (
      select min(created_at) as first_at, max(created_at) as last_at from orders
      where seq > (select ${after}::bigint) and seq <= (select ${upTo}::bigint)
    ), known as (
      select p.environment_id, p.player_id, lower(p.email) as email,
             regexp_split_to_array(lower(trim(p.name)), '\\s+') as words
      from players p
      where p.updated_at >= (select first_at from span) and p.updated_at <= (select last_at from span)
    )
    insert into search_entries (environment_id, kind, term, id)
    select environment_id, 'email', email, player_id from known where email is not null
    union
    select k.environment_id, 'name', left(array_to_string(k.words[n:], ' '), ${MOST_CHARS}::int), k.player_id
    from known k cross join lateral generate_series(1, least(cardinality(k.words), ${MOST_WORDS}::int)) n
    where k.words is not null and k.words[n] <> ''
    order by 1, 2, 3, 4
    on conflict do nothing`);
