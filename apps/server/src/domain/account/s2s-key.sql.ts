import type { Queryable, Tx } from '../../db/db.ts';
import { fragment, sql } from '../../db/sql.ts';

export interface KeyFacts {
  id: string;
  label: string;
  sealed: Buffer;
  /** E-mail address of who made it. */
  createdBy: string | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const KEY_COLUMNS = fragment`k.id, k.label, k.key_sealed as sealed, u.email as "createdBy", k.created_at as "createdAt",
  k.last_used_at as "lastUsedAt", k.revoked_at as "revokedAt"`;

/** Oldest first, as the oldest that was not revoked signs webhooks. */
export const listKeys = (db: Queryable, environmentId: string): Promise<KeyFacts[]> =>
  db.query(sql('s2s_key_list')`
    select ${KEY_COLUMNS}
    from s2s_keys k
    left join users u on u.id = k.created_by
    where k.environment_id = ${environmentId}
    order by k.id limit 200`);

/** Keys of one environment are made and revoked one after the other. */
export async function lockEnvironmentKeys(tx: Tx, environmentId: string): Promise<KeyFacts[]> {
  await tx.query(sql('s2s_key_lock_environment')`
    select id from environments where id = ${environmentId} for no key update`);
  return listKeys(tx, environmentId);
}

export async function updateKeyRevoked(tx: Tx, environmentId: string, keyId: string): Promise<Date> {
  const [row] = await tx.query<{ revokedAt: Date }>(sql('s2s_key_update_revoked')`
    update s2s_keys set revoked_at = app_now() where environment_id = ${environmentId} and id = ${keyId}
    returning revoked_at as "revokedAt"`);
  return row!.revokedAt;
}

/** Whether some webhook has no secret of its own, so that an S2S key signs for it. */
export async function findSignsWithKey(db: Queryable, environmentId: string): Promise<boolean> {
  const [row] = await db.query<{ signs: boolean }>(sql('s2s_key_find_signs')`
    select exists (select 1 from webhook_subscriptions
                   where environment_id = ${environmentId} and secret_sealed is null) as signs`);
  return row!.signs;
}
