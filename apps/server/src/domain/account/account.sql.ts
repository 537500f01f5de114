import type { Role } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';
import type { Money } from '../../kit/money.ts';
import type { Environment, Mode } from './environment.ts';
import type { StoreLink } from './store-link.ts';

export interface NewUser {
  id: string;
  email: string;
  passwordHash: string;
  name: string;
  locale: string | null;
}

export async function insertUser(tx: Tx, { id, email, passwordHash, name, locale }: NewUser): Promise<void> {
  await tx.query(sql('user_insert')`
    insert into users (id, email, password_hash, name, locale, created_at)
    values (${id}, ${email}, ${passwordHash}, ${name}, ${locale}, app_now())`);
}

export async function insertCompany(tx: Tx, company: { id: string; name: string }): Promise<void> {
  await tx.query(sql('company_insert')`
    insert into companies (id, name, created_at) values (${company.id}, ${company.name}, app_now())`);
}

export async function insertMember(tx: Tx, companyId: string, userId: string, role: Role): Promise<void> {
  await tx.query(sql('member_insert')`
    insert into members (company_id, user_id, role, created_at) values (${companyId}, ${userId}, ${role}, app_now())`);
}

export interface NewGame {
  id: string;
  companyId: string;
  name: string;
  storeLink: StoreLink;
}

export async function insertGame(tx: Tx, { id, companyId, name, storeLink }: NewGame): Promise<void> {
  await tx.query(sql('game_insert')`
    insert into games (id, company_id, name, store, store_app_id, store_url, created_at)
    values (${id}, ${companyId}, ${name}, ${storeLink.store}, ${storeLink.appId}, ${storeLink.url}, app_now())`);
}

export interface NewEnvironment {
  id: string;
  gameId: string;
  mode: Mode;
  defaultPrice: Money | null;
}

export async function insertEnvironment(tx: Tx, { id, gameId, mode, defaultPrice }: NewEnvironment): Promise<void> {
  await tx.query(sql('environment_insert')`
    insert into environments (id, game_id, mode, default_price_minor, default_currency, created_at)
    values (${id}, ${gameId}, ${mode}, ${defaultPrice?.amountMinor ?? null}, ${defaultPrice?.currency ?? null}, app_now())`);
}

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

interface EnvironmentRow {
  id: string;
  gameId: string;
  gameName: string;
  companyId: string;
  mode: Mode;
  defaultPriceMinor: number | null;
  defaultCurrency: string | null;
}

function environmentOf({ defaultPriceMinor, defaultCurrency, ...row }: EnvironmentRow): Environment {
  const hasPrice = defaultPriceMinor !== null && defaultCurrency !== null;
  const defaultPrice = hasPrice ? { amountMinor: defaultPriceMinor, currency: defaultCurrency } : null;
  const { id, gameId, gameName, companyId, mode } = row;
  return { id, gameId, gameName, companyId, mode, defaultPrice };
}

export async function findEnvironment(db: Queryable, environmentId: string): Promise<Environment | null> {
  const [row] = await db.query<EnvironmentRow>(sql('environment_find')`
    select e.id, e.game_id as "gameId", g.name as "gameName", g.company_id as "companyId", e.mode,
           e.default_price_minor as "defaultPriceMinor", e.default_currency as "defaultCurrency"
    from environments e
    join games g on g.id = e.game_id
    where e.id = ${environmentId}`);
  return row ? environmentOf(row) : null;
}

export interface FoundKey {
  keyId: string;
  keyHash: Buffer;
  /** Whether the last use on record is so old that this one should be written. */
  isUseStale: boolean;
  environment: Environment;
}

/** The one statement without a tenant: the key is what tells the tenant. */
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
export async function updateKeyUse(db: Queryable, environmentId: string, keyId: string): Promise<void> {
  await db.query(sql('s2s_key_update_use')`
    update s2s_keys set last_used_at = app_now()
    where environment_id = ${environmentId} and id = ${keyId}
      and coalesce(last_used_at <= app_now() - interval '1 minute', true)`);
}
