import { type Queryable, sql } from '../../../db/statement.ts';

/** Latency is kept in steps: an attempt of 30 ms counts in the step that ends at 50. */
export const LATENCY_STEPS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

export interface DeliveryFigureRow {
  subscriptionId: string;
  at: Date;
  latency: number;
  attempts: number;
  succeeded: number;
}

export const listDeliveryFigures = (db: Queryable, environmentId: string, from: Date): Promise<DeliveryFigureRow[]> =>
  db.query(sql('delivery_figures_list')`
    select subscription_id as "subscriptionId", at, latency, attempts, succeeded from delivery_figures
    where environment_id = ${environmentId} and at >= ${from}`);

/** The last minutes, which are not rolled up yet. Bounded: what a busy program sends in two minutes. */
export const listFreshAttempts = (db: Queryable, environmentId: string): Promise<DeliveryFigureRow[]> =>
  db.query(sql('delivery_figures_list_fresh')`
    select d.subscription_id as "subscriptionId",
           date_bin('15 minutes', a.started_at, timestamptz '2020-01-01 00:00:00Z') as at,
           width_bucket(a.duration_ms, ${LATENCY_STEPS_MS}::int[]) as latency,
           count(*) as attempts, count(*) filter (where a.status between 200 and 299) as succeeded
    from (select environment_id, delivery_id, started_at, duration_ms, status from delivery_attempts
          where started_at >= coalesce((select until_time from reader_positions where name = 'attempts'),
                                       app_now() - interval '10 minutes')
          order by started_at desc limit 20000) a
    join deliveries d on d.environment_id = a.environment_id and d.id = a.delivery_id
    where a.environment_id = ${environmentId} and d.subscription_id is not null
    group by 1, 2, 3`);
