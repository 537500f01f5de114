import { type Queryable, sql } from '../../../apps/server/src/db/statement.ts';
import type { CheckoutEvent } from '../../../apps/server/src/domain/reporting/counters/checkout-counters.sql.ts';

interface CheckoutDay {
  /** `2026-05-04`, in UTC. */
  day: string;
  event: CheckoutEvent;
  count: number;
}

/** What players did on the payment page from one day to another, both included; days without anything are not listed. */
export const listCheckoutCounters = (
  db: Queryable,
  environmentId: string,
  from: string,
  to: string,
): Promise<CheckoutDay[]> =>
  db.query(sql('test_checkout_counters')`
    select to_char(day, 'YYYY-MM-DD') as day, kind as event, count
    from checkout_counters
    where environment_id = ${environmentId} and day between ${from}::date and ${to}::date
    order by checkout_counters.day, kind`);
