import { type Queryable, type RowOf, renamed, sql, type Tx, table, typed } from '../../../db/statement.ts';
import { ENVIRONMENT_COLUMNS, type EnvironmentRow, environmentOf } from '../environment.sql.ts';
import type { Environment } from '../environment.ts';
import { type LockedEnvironment, lockEnvironment } from '../lock-environment.sql.ts';

const KEYS = table('s2s_keys', {
  environmentId: 'text',
  id: 'text',
  label: 'text',
  keyHash: 'bytea',
  sealed: renamed('key_sealed', typed<Buffer>('bytea')),
  createdBy: 'text?',
  createdAt: 'timestamptz',
  lastUsedAt: 'timestamptz?',
  revokedAt: 'timestamptz?',
});

const LISTED = KEYS.pick('id, label, sealed, createdAt, lastUsedAt, revokedAt');
const NEW = KEYS.pick('environmentId, id, label, keyHash, sealed, createdBy');

export interface KeyFacts extends RowOf<typeof LISTED> {
  /** E-mail address of who made it. */
  createdBy: string | null;
}

/** Oldest first, as the oldest that was not revoked signs webhooks. */
export const listKeys = (db: Queryable, environmentId: string): Promise<KeyFacts[]> =>
  db.query(sql('s2s_key_list')`
    select ${LISTED.of('k')}, u.email as "createdBy"
    from s2s_keys k
    left join users u on u.id = k.created_by
    where k.environment_id = ${environmentId}
    order by k.id limit 200`);

/** Keys of one environment are made and revoked one after the other. */
export async function lockEnvironmentKeys(
  tx: Tx,
  environmentId: string,
): Promise<{ locked: LockedEnvironment<'writer'>; keys: KeyFacts[] }> {
  const locked = await lockEnvironment(tx, environmentId);
  return { locked, keys: await listKeys(tx, environmentId) };
}

export const updateKeyRevoked = (tx: Tx, environment: LockedEnvironment<'writer'>, keyId: string): Promise<Date> =>
  tx.queryValue(sql('s2s_key_update_revoked')`
    update s2s_keys set revoked_at = app_now() where environment_id = ${environment.id} and id = ${keyId}
    returning revoked_at as "revokedAt"`);

/** Whether some webhook has no secret of its own, so that an S2S key signs for it. */
export const findSignsWithKey = (db: Queryable, environmentId: string): Promise<boolean> =>
  db.queryValue(sql('s2s_key_find_signs')`
    select exists (select 1 from webhook_subscriptions
                   where environment_id = ${environmentId} and secret_sealed is null) as signs`);

export const insertKey = (tx: Tx, key: RowOf<typeof NEW>): Promise<void> =>
  tx.execute(sql('s2s_key_insert')`
    insert into s2s_keys (${NEW.names}, created_at) values (${NEW.values(key)}, app_now())`);

export interface FoundKey {
  keyId: string;
  keyHash: Buffer;
  /** Whether the last use on record is so old that this one should be written. */
  isUseStale: boolean;
  environment: Environment;
}

/** The one statement without a tenant: the key itself names the tenant. */
export async function findKeyByHash(db: Queryable, keyHash: Buffer): Promise<FoundKey | null> {
  const row = await db.queryOne<EnvironmentRow & Omit<FoundKey, 'environment'>>(sql('s2s_key_find')`
    select k.id as "keyId", k.key_hash as "keyHash",
           coalesce(k.last_used_at <= app_now() - interval '1 minute', true) as "isUseStale",
           ${ENVIRONMENT_COLUMNS}
    from s2s_keys k
    join environments e on e.id = k.environment_id
    join games g on g.id = e.game_id
    where k.key_hash = ${keyHash} and k.revoked_at is null`);
  if (!row) return null;
  return { keyId: row.keyId, keyHash: row.keyHash, isUseStale: row.isUseStale, environment: environmentOf(row) };
}

/** Asks again whether it is time, because other processes see the same key. */
export const updateKeyUse = (db: Queryable, environmentId: string, keyId: string): Promise<void> =>
  db.execute(sql('s2s_key_update_use')`
    update s2s_keys set last_used_at = app_now()
    where environment_id = ${environmentId} and id = ${keyId}
      and coalesce(last_used_at <= app_now() - interval '1 minute', true)`);
