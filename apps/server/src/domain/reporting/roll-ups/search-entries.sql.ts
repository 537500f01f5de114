import type { Span } from '../../../db/read-numbered.ts';
import { sql, type Tx } from '../../../db/statement.ts';

/** What was paid counts up, what was paid and went back counts down. */
export const upsertPlayerFigures = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('player_figures_roll_up')`
    insert into player_figures (environment_id, player_id, orders, last_paid_at)
    select o.environment_id, o.player_id, sum(case e.type when 'order.paid' then 1 else -1 end),
           max(to_timestamp((e.data ->> 'paid_at')::bigint))
    from events e join orders o on o.environment_id = e.environment_id and o.id = e.order_id
    where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and not e.test
      and e.type in ('order.paid', 'order.refunded', 'order.charged_back') and e.data ->> 'paid_at' is not null
    group by 1, 2 order by 1, 2
    on conflict (environment_id, player_id) do update set orders = player_figures.orders + excluded.orders,
      last_paid_at = greatest(player_figures.last_paid_at, excluded.last_paid_at)`);

export const upsertPlayerSpend = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('player_spend_roll_up')`
    insert into player_spend (environment_id, player_id, currency, amount_minor)
    select o.environment_id, o.player_id, e.data ->> 'currency',
           sum(case e.type when 'order.paid' then 1 else -1 end * (e.data ->> 'amount')::bigint)
    from events e join orders o on o.environment_id = e.environment_id and o.id = e.order_id
    where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and not e.test
      and e.type in ('order.paid', 'order.refunded', 'order.charged_back') and e.data ->> 'paid_at' is not null
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (environment_id, player_id, currency) do update
      set amount_minor = player_spend.amount_minor + excluded.amount_minor`);

/** Payments by their last four digits, players by the e-mail address of the payment. */
export const insertPaymentEntries = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('search_insert_payments')`
    insert into search_entries (environment_id, kind, term, id)
    select distinct p.environment_id, v.kind, v.term, v.id
    from events e
    join payments p on p.environment_id = e.environment_id and p.id = e.data ->> 'payment_id'
    cross join lateral (values ('last4', p.last4, p.id), ('email', lower(p.email), p.player_id)) as v (kind, term, id)
    where e.seq > ${after} and e.seq <= ${upTo} and e.type <> 'order.created' and not e.test
      and e.type in ('payment.authorized', 'payment.declined') and v.term is not null
    order by 1, 2, 3, 4
    on conflict do nothing`);

/** Orders by the skus of their items. */
export const insertItemEntries = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('search_insert_items')`
    insert into search_entries (environment_id, kind, term, id)
    select distinct o.environment_id, 'sku', lower(i ->> 'sku'), o.id
    from orders o cross join lateral json_array_elements(o.items) as i
    where o.seq > ${after} and o.seq <= ${upTo} and i ->> 'sku' is not null
    order by 1, 2, 3, 4
    on conflict do nothing`);

/** How many words of a name begin an entry. */
const MOST_WORDS = 6;
const MOST_CHARS = 120;

/** Players of new orders by name, from each of its words on, and by the e-mail address that the game gave. */
export const insertPlayerEntries = (tx: Tx, { after, upTo }: Span): Promise<void> =>
  tx.execute(sql('search_insert_players')`
    with seen as (
      select distinct environment_id, player_id from orders where seq > ${after} and seq <= ${upTo}
    ), known as (
      select p.environment_id, p.player_id, lower(p.email) as email,
             regexp_split_to_array(lower(trim(p.name)), '\\s+') as words
      from seen s join players p on p.environment_id = s.environment_id and p.player_id = s.player_id
    )
    insert into search_entries (environment_id, kind, term, id)
    select environment_id, 'email', email, player_id from known where email is not null
    union
    select k.environment_id, 'name', left(array_to_string(k.words[n:], ' '), ${MOST_CHARS}::int), k.player_id
    from known k cross join lateral generate_series(1, least(cardinality(k.words), ${MOST_WORDS}::int)) n
    where k.words is not null and k.words[n] <> ''
    order by 1, 2, 3, 4
    on conflict do nothing`);
