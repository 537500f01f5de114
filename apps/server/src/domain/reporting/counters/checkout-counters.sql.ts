import { type Queryable, sql } from '../../../db/statement.ts';

/**
 * What a studio wants to know of its payment page: how many orders were opened, how often a player began to type a card,
 * sent the form, was asked by the bank, and left before the end. Numbers alone, so that no player is tracked.
 */
export type CheckoutEvent = 'opened' | 'method_chosen' | 'submitted' | 'challenge_shown' | 'left';

export interface CheckoutCount {
  environmentId: string;
  event: CheckoutEvent;
  count: number;
}

/** Adds to what is there. Sorted, so that two processes take the rows in one order and never wait for each other in a ring. */
export const insertCheckoutCounts = (db: Queryable, counts: readonly CheckoutCount[]): Promise<void> =>
  db.execute(sql('checkout_counters_add')`
    insert into checkout_counters (environment_id, day, kind, count)
    select c.environment_id, (app_now() at time zone 'utc')::date, c.kind, c.count
    from unnest(${counts.map(it => it.environmentId)}::text[], ${counts.map(it => it.event)}::text[],
                ${counts.map(it => it.count)}::bigint[]) as c (environment_id, kind, count)
    order by c.environment_id, c.kind
    on conflict (environment_id, day, kind) do update set count = checkout_counters.count + excluded.count`);
