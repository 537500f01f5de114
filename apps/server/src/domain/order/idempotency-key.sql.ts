import { type Queryable, sql } from '../../db/statement.ts';

interface KeyedOrder {
  orderId: string;
  bodyHash: Buffer;
  warnings: string[] | null;
  isOver: boolean;
}

export const findIdempotencyKey = (db: Queryable, environmentId: string, key: string): Promise<KeyedOrder | null> =>
  db.queryOne(sql('idempotency_key_find')`
    select order_id as "orderId", body_hash as "bodyHash", warnings, created_at <= app_now() - interval '24 hours' as "isOver"
    from idempotency_keys where environment_id = ${environmentId} and key = ${key}`);

/** False: the key was taken within the last day. Creation writes its own with the order. */
export const claimIdempotencyKey = async (
  db: Queryable,
  environmentId: string,
  key: string,
  { bodyHash, orderId }: Pick<KeyedOrder, 'bodyHash' | 'orderId'>,
): Promise<boolean> => {
  const claimed = await db.queryOne<{ key: string }>(sql('idempotency_key_claim')`
    insert into idempotency_keys (environment_id, key, body_hash, order_id, created_at)
    values (${environmentId}, ${key}, ${bodyHash}, ${orderId}, app_now())
    on conflict (environment_id, key) do update set body_hash = excluded.body_hash, created_at = excluded.created_at
    where idempotency_keys.created_at <= app_now() - interval '24 hours'
    returning key`);
  return claimed !== null;
};

export const deleteIdempotencyKey = (
  db: Queryable,
  environmentId: string,
  key: string,
  orderId: string,
): Promise<void> =>
  db.execute(sql('idempotency_key_delete')`
    delete from idempotency_keys where environment_id = ${environmentId} and key = ${key} and order_id = ${orderId}`);

export async function deleteOldIdempotencyKeys(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(sql('idempotency_key_delete_old')`
    delete from idempotency_keys where (environment_id, key) in (
      select environment_id, key from idempotency_keys
      where created_at <= app_now() - interval '24 hours' order by created_at limit ${limit})
    returning key`);
  return rows.length;
}
