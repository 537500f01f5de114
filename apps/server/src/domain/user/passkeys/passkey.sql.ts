import { type Queryable, type RowOf, sql, type Tx, table } from '../../../db/statement.ts';

const PASSKEYS = table('passkeys', {
  userId: 'text',
  id: 'text',
  credentialId: 'text',
  name: 'text',
  publicKey: 'bytea',
  counter: 'bigint',
  transports: 'text[]',
  createdAt: 'timestamptz',
  lastUsedAt: 'timestamptz?',
});

export type Passkey = RowOf<typeof PASSKEYS>;

export const listPasskeys = (db: Queryable, userId: string): Promise<Passkey[]> =>
  db.query(sql('passkey_list')`
    select ${PASSKEYS.columns} from passkeys where user_id = ${userId} order by id limit 100`);

export const findPasskeyByCredential = (db: Queryable, credentialId: string): Promise<Passkey | null> =>
  db.queryOne(sql('passkey_find_by_credential')`
    select ${PASSKEYS.columns} from passkeys where credential_id = ${credentialId}`);

export const insertPasskey = (tx: Tx, key: Omit<Passkey, 'createdAt' | 'lastUsedAt'>): Promise<void> =>
  tx.execute(sql('passkey_insert')`
    insert into passkeys (user_id, id, credential_id, name, public_key, counter, transports, created_at)
    values (${key.userId}, ${key.id}, ${key.credentialId}, ${key.name}, ${key.publicKey}, ${key.counter},
            ${key.transports}, app_now())`);

/** False when the counter went back meanwhile: of two answers with one count, one is a copy's. */
export const updatePasskeyUsed = (tx: Tx, { userId, id }: Passkey, counter: number): Promise<boolean> =>
  tx.queryAny(sql('passkey_update_used')`
    update passkeys set counter = ${counter}, last_used_at = app_now()
    where user_id = ${userId} and id = ${id} and (counter < ${counter} or ${counter} = 0 and counter = 0)
    returning id`);

export const updatePasskeyName = (tx: Tx, userId: string, id: string, name: string): Promise<string | null> =>
  tx.queryValue(sql('passkey_update_name')`
    update passkeys set name = ${name} from (
      select id as old_id, name as before from passkeys where user_id = ${userId} and id = ${id}) old
    where user_id = ${userId} and id = old_id returning before`);

export const deletePasskey = (tx: Tx, userId: string, id: string): Promise<string | null> =>
  tx.queryValue(sql('passkey_delete')`
    delete from passkeys where user_id = ${userId} and id = ${id} returning name`);

export const deletePasskeysOfUser = (tx: Tx, userId: string): void =>
  tx.write(sql('passkey_delete_of_user')`delete from passkeys where user_id = ${userId}`);

export type ChallengeKind = 'add' | 'sign_in' | 'confirm';

export interface NewChallenge {
  challengeHash: Buffer;
  kind: ChallengeKind;
  userId: string | null;
  livesSeconds: number;
}

export const insertChallenge = (db: Queryable, one: NewChallenge): Promise<void> =>
  db.execute(sql('passkey_challenge_insert')`
    with old as (
      delete from passkey_challenges where challenge_hash in (
        select challenge_hash from passkey_challenges where expires_at < app_now() order by expires_at limit 20
        for update skip locked)
    )
    insert into passkey_challenges (challenge_hash, kind, user_id, expires_at)
    values (${one.challengeHash}, ${one.kind}, ${one.userId}, app_now() + make_interval(secs => ${one.livesSeconds}))`);

/** Works once, for what and whom it was made. */
export async function deleteChallenge(db: Queryable, one: Omit<NewChallenge, 'livesSeconds'>): Promise<boolean> {
  const rows = await db.query<{ isLive: boolean }>(sql('passkey_challenge_delete')`
    delete from passkey_challenges
    where challenge_hash = ${one.challengeHash} and kind = ${one.kind} and user_id is not distinct from ${one.userId}::text
    returning expires_at > app_now() as "isLive"`);
  return rows[0]?.isLive ?? false;
}
