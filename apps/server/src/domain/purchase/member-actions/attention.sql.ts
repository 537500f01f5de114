import { type Queryable, sql } from '../../../db/statement.ts';
import { findOrder } from '../../order/order.sql.ts';
import { PAYMENTS } from '../../payment/payment-row.ts';
import type { Purchase } from '../engine/purchase.ts';

/** Newest first, by the index that holds nothing else. */
export async function listNeedingAttention(
  db: Queryable,
  environmentId: string,
  beforeId: string | null,
  limit: number,
): Promise<Purchase[]> {
  const payments = await PAYMENTS.all(
    db.query(sql('attention_list')`
      select ${PAYMENTS.columns} from payments
      where environment_id = ${environmentId} and attention is not null
        and (${beforeId}::text is null or id < ${beforeId})
      order by id desc limit ${limit}`),
  );
  const orders = await Promise.all(payments.map(({ orderId }) => findOrder(db, environmentId, orderId)));
  return payments.map((payment, i) => ({ payment, order: orders[i]!.order }));
}

/** More than studio members go through one by one; beyond it only "many" matters. */
const MOST_LISTED = 1_000;

export const findAttentionCount = (db: Queryable, environmentId: string): Promise<number> =>
  db.queryValue(sql('attention_find_count')`
    select count(*) as count from (
      select 1 from payments where environment_id = ${environmentId} and attention is not null limit ${MOST_LISTED}) found`);

export interface AttentionCount {
  code: string;
  count: number;
}

/** More than a studio handles one by one. Only real money is counted. */
const MOST_COUNTED = 10_000;

export const countNeedingAttention = (db: Queryable): Promise<AttentionCount[]> =>
  db.query(sql('attention_count')`
    select a.code, count(*)::int as count
    from (select environment_id, attention->>'code' as code from payments where attention is not null
          limit ${MOST_COUNTED}) a
    join environments e on e.id = a.environment_id and e.mode = 'live'
    group by a.code`);
