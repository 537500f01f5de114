import type { AttentionView } from '@coinslot/contract';
import { fragment, type Queryable, sql } from '../../../db/statement.ts';
import { findOrder } from '../../order/order.sql.ts';
import { PAYMENTS } from '../../payment/payment-row.ts';
import type { Purchase } from '../engine/purchase.ts';

/** What a mark on a payment is about: the same code again at another time is another cause. */
export const PAYMENT_CAUSE = fragment`(p.attention->>'code') || ' ' || (p.attention->>'since')`;

/** Whose list it is, and which part of it. */
export interface AttentionScope {
  environmentId: string;
  companyId: string;
  userId: string;
  view: AttentionView;
}

/** Newest first, by the index that holds nothing else. */
export async function listNeedingAttention(
  db: Queryable,
  { environmentId, companyId, userId, view }: AttentionScope,
  beforeId: string | null,
  limit: number,
): Promise<Purchase[]> {
  const payments = await PAYMENTS.all(
    db.query(sql('attention_list')`
      select ${PAYMENTS.of('p')} from payments p
      left join attention_marks m on m.company_id = ${companyId} and m.subject_id = p.id and m.cause = ${PAYMENT_CAUSE}
      where p.environment_id = ${environmentId} and p.attention is not null
        and (${beforeId}::text is null or p.id < ${beforeId})
        and coalesce(m.snoozed_until > app_now(), false) = (${view}::text = 'snoozed')
        and (${view}::text <> 'mine' or m.assignee_id = ${userId})
      order by p.id desc limit ${limit}`),
  );
  const orders = await Promise.all(payments.map(({ orderId }) => findOrder(db, environmentId, orderId)));
  return payments.map((payment, i) => ({ payment, order: orders[i]!.order }));
}

/** More than studio members go through one by one; beyond it only "many" matters. */
export const MOST_LISTED = 1_000;

/** What is open and what is snoozed. */
export interface InboxCounts {
  open: number;
  snoozed: number;
}

export const findAttentionCounts = (
  db: Queryable,
  { environmentId, companyId }: Pick<AttentionScope, 'environmentId' | 'companyId'>,
): Promise<InboxCounts> =>
  db.queryFirst(sql('attention_find_counts')`
    select count(*) filter (where not snoozed)::int as open, count(*) filter (where snoozed)::int as snoozed
    from (
      select coalesce(m.snoozed_until > app_now(), false) as snoozed from payments p
      left join attention_marks m on m.company_id = ${companyId} and m.subject_id = p.id and m.cause = ${PAYMENT_CAUSE}
      where p.environment_id = ${environmentId} and p.attention is not null limit ${MOST_LISTED}) found`);

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
