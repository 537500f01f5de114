import { fragment, type Queryable, sql } from '../../db/statement.ts';

export type SealedPlace =
  | 'users.totp'
  | 's2s_keys.key'
  | 'saved_methods.token'
  | 'provider_accounts.secret_key'
  | 'provider_accounts.callback_secret'
  | 'provider_charges.client_secret'
  | 'webhook_subscriptions.secret'
  | 'webhook_subscriptions.previous_secret';

export interface SealedValue {
  place: SealedPlace;
  owner: string;
  id: string;
  player: string | null;
  sealed: Buffer;
}

/** Every sealed column there is. `keys.test.ts` compares it with the schema. */
const SEALED = fragment`
  select 'users.totp' as place, id as owner, id, null::text as player, totp_sealed as sealed from users
  union all select 's2s_keys.key', environment_id, id, null, key_sealed from s2s_keys
  union all select 'saved_methods.token', environment_id, id, player_id, token_sealed from saved_methods
  union all select 'provider_accounts.secret_key', company_id, account_id, null, secret_key_sealed from provider_accounts
  union all select 'provider_accounts.callback_secret', company_id, account_id, null, callback_secret_sealed
    from provider_accounts
  union all select 'provider_charges.client_secret', environment_id, payment_id, null, client_secret_sealed
    from provider_charges
  union all select 'webhook_subscriptions.secret', environment_id, id, null, secret_sealed from webhook_subscriptions
  union all select 'webhook_subscriptions.previous_secret', environment_id, id, null, previous_secret_sealed
    from webhook_subscriptions`;

/** Lists values under other keys. It scans the tables, because it runs once in years. */
export const listSealedElsewhere = (db: Queryable, keyId: Buffer, limit: number): Promise<SealedValue[]> =>
  db.query<SealedValue>(sql('sealed_list_elsewhere')`
    select s.place, s.owner, s.id, s.player, s.sealed from (${SEALED}) as s
    where s.sealed is not null and substring(s.sealed from 2 for 4) <> ${keyId} limit ${limit}`);

export async function countSealedElsewhere(db: Queryable, keyId: Buffer): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql('sealed_count_elsewhere')`
    select count(*)::int as count from (${SEALED}) as s
    where s.sealed is not null and substring(s.sealed from 2 for 4) <> ${keyId}`);
  return row?.count ?? 0;
}

type Update = (db: Queryable, value: SealedValue, sealed: Buffer) => Promise<unknown>;

/** Each updates only the value that was read: a newer one is under the new key already. */
export const UPDATES: Record<SealedPlace, Update> = {
  'users.totp': (db, { id, sealed: before }, sealed) =>
    db.query(sql('sealed_update_totp')`
      update users set totp_sealed = ${sealed} where id = ${id} and totp_sealed = ${before}`),
  's2s_keys.key': (db, { owner, id, sealed: before }, sealed) =>
    db.query(sql('sealed_update_s2s_key')`
      update s2s_keys set key_sealed = ${sealed}
      where environment_id = ${owner} and id = ${id} and key_sealed = ${before}`),
  'saved_methods.token': (db, { owner, id, sealed: before }, sealed) =>
    db.query(sql('sealed_update_saved_method')`
      update saved_methods set token_sealed = ${sealed}
      where environment_id = ${owner} and id = ${id} and token_sealed = ${before}`),
  'provider_accounts.secret_key': (db, { owner, id, sealed: before }, sealed) =>
    db.query(sql('sealed_update_provider_key')`
      update provider_accounts set secret_key_sealed = ${sealed}
      where company_id = ${owner} and account_id = ${id} and secret_key_sealed = ${before}`),
  'provider_accounts.callback_secret': (db, { owner, id, sealed: before }, sealed) =>
    db.query(sql('sealed_update_callback_secret')`
      update provider_accounts set callback_secret_sealed = ${sealed}
      where company_id = ${owner} and account_id = ${id} and callback_secret_sealed = ${before}`),
  'provider_charges.client_secret': (db, { owner, id, sealed: before }, sealed) =>
    db.query(sql('sealed_update_client_secret')`
      update provider_charges set client_secret_sealed = ${sealed}
      where environment_id = ${owner} and payment_id = ${id} and client_secret_sealed = ${before}`),
  'webhook_subscriptions.secret': (db, { owner, id, sealed: before }, sealed) =>
    db.query(sql('sealed_update_webhook_secret')`
      update webhook_subscriptions set secret_sealed = ${sealed}
      where environment_id = ${owner} and id = ${id} and secret_sealed = ${before}`),
  'webhook_subscriptions.previous_secret': (db, { owner, id, sealed: before }, sealed) =>
    db.query(sql('sealed_update_webhook_previous')`
      update webhook_subscriptions set previous_secret_sealed = ${sealed}
      where environment_id = ${owner} and id = ${id} and previous_secret_sealed = ${before}`),
};
