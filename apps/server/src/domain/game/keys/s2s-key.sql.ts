import type { Queryable, Tx } from '../../../db/db.ts';
import { fragment, sql } from '../../../db/sql.ts';
import type { Environment } from '../environment.ts';
import { type EnvironmentRow, environmentOf } from '../game.sql.ts';
import { type LockedEnvironment, lockEnvironment } from '../lock-environment.sql.ts';

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

export interface NewKey {
  environmentId: string;
  id: string;
  keyHash: Buffer;
  keySealed: Buffer;
  label: string;
  createdBy: string | null;
}

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  const { environmentId, id, keyHash, keySealed, label, createdBy } = key;
  await tx.query(sql('s2s_key_insert')`
    insert into s2s_keys (environment_id, id, key_hash, key_sealed, label, created_by, created_at)
    values (${environmentId}, ${id}, ${keyHash}, ${keySealed}, ${label}, ${createdBy}, app_now())`);
}

export interface FoundKey {
  keyId: string;
  keyHash: Buffer;
  /** Whether the last use on record is so old that this one should be written. */
  isUseStale: boolean;
  environment: Environment;
}

/** The one statement without a tenant: the key itself names the tenant. */
export async function findKeyByHash(db: Queryable, keyHash: Buffer): Promise<FoundKey | null> {
  const [row] = await db.query<EnvironmentRow & Omit<FoundKey, 'environment'>>(sql('s2s_key_find')`
    select k.id as "keyId", k.key_hash as "keyHash",
           coalesce(k.last_used_at <= app_now() - interval '1 minute', true) as "isUseStale",
           e.id, e.game_id as "gameId", g.name as "gameName", g.company_id as "companyId", e.mode,
           e.default_price_minor as "defaultPriceMinor", e.default_currency as "defaultCurrency"
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
