import { fragment, type Queryable, type RowOf, sql, type Tx, table } from '../../db/statement.ts';
import { emailKey } from '../../kit/email.ts';

const USERS = table('users', {
  id: 'text',
  email: 'text',
  emailVerifiedAt: 'timestamptz?',
  name: 'text',
  locale: 'text?',
  passwordHash: 'text',
  totpSealed: 'bytea?',
  totpConfirmedAt: 'timestamptz?',
  totpLastStep: 'bigint',
  createdAt: 'timestamptz',
});

export interface User extends RowOf<typeof USERS> {
  passkeys: number;
}

const USER_COLUMNS = fragment`${USERS.columns}, (select count(1)::int from passkeys p where p.user_id = users.id) as passkeys`;

export const findUserByEmail = (db: Queryable, email: string): Promise<User | null> =>
  db.queryOne(sql('user_find_by_email')`
    select ${USER_COLUMNS} from users where email_key = ${emailKey(email)}`);

export const findUser = (db: Queryable, userId: string): Promise<User | null> =>
  db.queryOne(sql('user_find')`select ${USER_COLUMNS} from users where id = ${userId}`);

export const lockUser = (tx: Tx, userId: string): Promise<User> =>
  tx.queryFirst(sql('user_lock')`
    select ${USER_COLUMNS} from users where id = ${userId} for no key update`);

export const updateUserPassword = (tx: Tx, userId: string, passwordHash: string): void =>
  tx.write(sql('user_update_password')`update users set password_hash = ${passwordHash} where id = ${userId}`);

/** The new address has just answered. */
export const updateUserEmail = (tx: Tx, userId: string, email: string): Promise<void> =>
  tx.execute(sql('user_update_email')`
    update users set email = ${email}, email_key = ${emailKey(email)}, email_verified_at = app_now() where id = ${userId}`);

export const updateEmailVerified = (tx: Tx, userId: string): void =>
  tx.write(sql('user_update_email_verified')`
    update users set email_verified_at = coalesce(email_verified_at, app_now()) where id = ${userId}`);

export const updateUserProfile = (tx: Tx, { id, name, locale }: Pick<User, 'id' | 'name' | 'locale'>): void =>
  tx.write(sql('user_update_profile')`update users set name = ${name}, locale = ${locale} where id = ${id}`);

export const updateTotpStarted = (tx: Tx, userId: string, sealed: Buffer): void =>
  tx.write(sql('user_update_totp_started')`
    update users set totp_sealed = ${sealed}, totp_confirmed_at = null, totp_last_step = 0 where id = ${userId}`);

export const updateTotpConfirmed = (tx: Tx, userId: string): void =>
  tx.write(sql('user_update_totp_confirmed')`
    update users set totp_confirmed_at = app_now() where id = ${userId}`);

export const updateTotpStep = (tx: Tx, userId: string, step: number): void =>
  tx.write(sql('user_update_totp_step')`update users set totp_last_step = ${step} where id = ${userId}`);

export const updateTotpOff = (tx: Tx, userId: string): void =>
  tx.write(sql('user_update_totp_off')`
    update users set totp_sealed = null, totp_confirmed_at = null, totp_last_step = 0 where id = ${userId}`);

export const insertRecoveryCodes = (tx: Tx, userId: string, hashes: Buffer[]): void =>
  tx.write(sql('recovery_code_insert')`
    insert into recovery_codes (user_id, code_hash) select ${userId}, hash from unnest(${hashes}::bytea[]) as given (hash)`);

/** True when it was there: of two requests with one code, one gets it. */
export const deleteRecoveryCode = (tx: Tx, userId: string, hashes: Buffer[]): Promise<boolean> =>
  tx.queryAny(sql('recovery_code_delete')`
    delete from recovery_codes where user_id = ${userId} and code_hash = any(${hashes}::bytea[]) returning user_id`);

export const deleteRecoveryCodes = (tx: Tx, userId: string): void =>
  tx.write(sql('recovery_code_delete_all')`delete from recovery_codes where user_id = ${userId}`);

export const findRecoveryCodeCount = (db: Queryable, userId: string): Promise<number> =>
  db.queryValue(sql('recovery_code_count')`
    select count(code_hash)::int as left from recovery_codes where user_id = ${userId}`);

export interface NewUser {
  id: string;
  email: string;
  passwordHash: string;
  name: string;
  locale: string | null;
  /** A link that was sent to the address led here, or the operator's own shell. */
  isVerified: boolean;
  /** By what the user is found in place of the address. */
  key?: string;
}

export const insertUser = (tx: Tx, user: NewUser): Promise<void> => {
  const { id, email, passwordHash, name, locale, isVerified, key = emailKey(email) } = user;
  return tx.execute(sql('user_insert')`
    insert into users (id, email, email_key, email_verified_at, password_hash, name, locale, created_at)
    values (${id}, ${email}, ${key}, case when ${isVerified} then app_now() end, ${passwordHash}, ${name},
            ${locale}, app_now())`);
};
