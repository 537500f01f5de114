import { type Queryable, sql, words } from '../../../db/statement.ts';
import { paymentStatusesThatAre } from '../payment.ts';

const COUNTED = words(paymentStatusesThatAre('counts_as_attempt'));

export interface AttemptsOf {
  environmentId: string;
  orderId: string;
  playerId: string;
  payerNetwork: string | null;
  ofOrder: number;
  /** Null: no limit, as in sandbox. */
  ofPlayer: number | null;
  ofNetwork: number | null;
}

/**
 * How long until another attempt is allowed; null: now. Of each limit the attempt that used it up is looked for, and it lapses
 * an hour after its beginning. Every attempt that was begun counts, however it ended but for money: each is calls to the provider.
 */
export const findAttemptWait = (db: Queryable, of: AttemptsOf): Promise<number | null> =>
  db.queryValue(sql('payment_find_attempt_wait')`
    select extract(epoch from max(t.until) - app_now())::float8 from (
      (select created_at + interval '1 hour' as until from payments
        where environment_id || '' = ${of.environmentId} and order_id = ${of.orderId}
          and created_at > app_now() - interval '1 hour'
        order by created_at desc offset ${of.ofOrder - 1} limit 1)
      union all
      (select created_at + interval '1 hour' from payments
        where ${of.ofPlayer !== null}::boolean and environment_id = ${of.environmentId} and player_id = ${of.playerId}
          and status in (${COUNTED}) and created_at > app_now() - interval '1 hour'
        order by created_at desc offset ${(of.ofPlayer ?? 1) - 1} limit 1)
      union all
      (select created_at + interval '1 hour' from payments
        where ${of.ofNetwork !== null}::boolean and environment_id = ${of.environmentId}
          and payer_network = ${of.payerNetwork} and payer_network is not null
          and status in (${COUNTED}) and created_at > app_now() - interval '1 hour'
        order by created_at desc offset ${(of.ofNetwork ?? 1) - 1} limit 1)
    ) as t`);
