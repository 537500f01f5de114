import { type Queryable, sql, type Tx } from '../../../db/statement.ts';

/** The order's own dates, its payments' and its deliveries', each as if it were that much older. */
export async function updatePurchaseOlder(
  tx: Tx,
  environmentId: string,
  orderId: string,
  seconds: number,
): Promise<void> {
  await tx.query(sql('advance_update_order')`
    update orders set created_at = created_at - make_interval(secs => ${seconds}),
      expires_at = expires_at - make_interval(secs => ${seconds}), granted_at = granted_at - make_interval(secs => ${seconds}),
      paid_at = paid_at - make_interval(secs => ${seconds}), version = version + 1
    where environment_id = ${environmentId} and id = ${orderId}`);
  await tx.query(sql('advance_update_payments')`
    update payments set created_at = created_at - make_interval(secs => ${seconds}),
      updated_at = updated_at - make_interval(secs => ${seconds}),
      authorized_at = authorized_at - make_interval(secs => ${seconds}),
      captured_at = captured_at - make_interval(secs => ${seconds}), version = version + 1,
      next_check_at = least(next_check_at, greatest(app_now(), next_check_at - make_interval(secs => ${seconds})))
    where environment_id = ${environmentId} and order_id = ${orderId}`);
  await tx.query(sql('advance_update_deliveries')`
    update deliveries set created_at = created_at - make_interval(secs => ${seconds}),
      next_attempt_at = next_attempt_at - make_interval(secs => ${seconds}),
      regular_at = regular_at - make_interval(secs => ${seconds}),
      give_up_at = give_up_at - make_interval(secs => ${seconds}),
      skip_seconds = skip_seconds + case when status not in ('pending', 'blocked', 'held') then 0
        else greatest(0, ${seconds} - greatest(0, coalesce(extract(epoch from next_attempt_at - app_now()), 0)::float8)) end
    where environment_id = ${environmentId} and order_id = ${orderId}`);
}

export async function listPaymentIds(db: Queryable, environmentId: string, orderId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql('advance_list_payments')`
    select id from payments where environment_id = ${environmentId} and order_id = ${orderId} order by id limit 100`);
  return rows.map(({ id }) => id);
}

/** Whether a worker has something to do for the order now. */
export const findOrderDue = (db: Queryable, environmentId: string, orderId: string): Promise<boolean> =>
  db.queryValue(sql('advance_find_due')`
    select exists (select 1 from deliveries where environment_id = ${environmentId} and order_id = ${orderId}
                   and (status = 'pending' and next_attempt_at <= app_now() or status = 'held' and event_type = 'item.add' and give_up_at <= app_now()))
        or exists (select 1 from payments where environment_id = ${environmentId} and order_id = ${orderId}
                   and next_check_at <= app_now())
        -- Granted or rejected, and the money is about to be captured or released.
        or exists (select 1 from orders o join payments p on p.environment_id = o.environment_id and p.order_id = o.id
                   where o.environment_id = ${environmentId} and o.id = ${orderId} and p.status = 'authorized'
                   and (o.granted_at is not null or o.status = 'rejected'))
        or exists (select 1 from orders where environment_id = ${environmentId} and id = ${orderId} and status = 'created'
                   and expires_at <= app_now()) as due`);
