import { type Queryable, type RowOf, sql, type Tx, table } from '../../db/statement.ts';

export interface SignedIn {
  sessionId: string;
  userId: string;
  email: string;
  isVerified: boolean;
  name: string;
  locale: string | null;
  totpEnabled: boolean;
  passkeys: number;
  /** Whether the user proved who they are in the last minutes. */
  isConfirmed: boolean;
  /** Whether the last sign of life on record is so old that this one should be written. */
  isSeenStale: boolean;
}

export const IDLE_SECONDS = 12 * 3600;
export const LONGEST_SECONDS = 7 * 24 * 3600;

/** How long a password or passkey that was given again is good for. */
const CONFIRMED_SECONDS = 600;

export const findSession = (db: Queryable, tokenHash: Buffer): Promise<SignedIn | null> =>
  db.queryOne(sql('session_find')`
    select s.id as "sessionId", u.id as "userId", u.email, u.email_verified_at is not null as "isVerified", u.name, u.locale,
           u.totp_confirmed_at is not null as "totpEnabled",
           (select count(1)::int from passkeys p where p.user_id = u.id) as passkeys,
           s.confirmed_at > app_now() - make_interval(secs => ${CONFIRMED_SECONDS}) as "isConfirmed",
           s.last_seen_at <= app_now() - interval '1 minute' as "isSeenStale"
    from sessions s
    join users u on u.id = s.user_id
    where s.token_hash = ${tokenHash} and s.expires_at > app_now()
      and s.last_seen_at > app_now() - make_interval(secs => ${IDLE_SECONDS})`);

export interface NewSession {
  id: string;
  userId: string;
  tokenHash: Buffer;
  ip: string;
  userAgent: string;
}

export const insertSession = (tx: Tx, { id, userId, tokenHash, ip, userAgent }: NewSession): void =>
  tx.write(sql('session_insert')`
    insert into sessions (id, user_id, token_hash, ip, user_agent, created_at, last_seen_at, confirmed_at, expires_at)
    values (${id}, ${userId}, ${tokenHash}, ${ip}, ${userAgent}, app_now(), app_now(), app_now(),
            app_now() + make_interval(secs => ${LONGEST_SECONDS}))`);

/** Asks again whether it is time, because other processes see the same session. */
export const updateSessionSeen = (db: Queryable, sessionId: string, ip: string): Promise<void> =>
  db.execute(sql('session_update_seen')`
    update sessions set last_seen_at = app_now(), ip = ${ip}
    where id = ${sessionId} and last_seen_at <= app_now() - interval '1 minute'`);

export const deleteSession = (tx: Tx, userId: string, sessionId: string): Promise<{ id: string }[]> =>
  tx.query(sql('session_delete')`
    delete from sessions where id = ${sessionId} and user_id = ${userId} returning id`);

/** All of a user but the one that is spared, if any. */
export const deleteSessionsOfUser = (tx: Tx, userId: string, sparedId: string | null): Promise<{ id: string }[]> =>
  tx.query(sql('session_delete_of_user')`
    delete from sessions where user_id = ${userId} and id is distinct from ${sparedId}::text returning id`);

/** A few at a time, with each sign-in. */
export const deleteOldSessions = (tx: Tx): void =>
  tx.write(sql('session_delete_old')`
    delete from sessions where id in (
      select id from sessions where expires_at <= app_now() order by expires_at limit 20 for update skip locked)`);

const SESSIONS = table('sessions', {
  id: 'text',
  ip: 'text',
  userAgent: 'text',
  createdAt: 'timestamptz',
  lastSeenAt: 'timestamptz',
  expiresAt: 'timestamptz',
});

export type SessionFacts = RowOf<typeof SESSIONS>;

export const listSessions = (db: Queryable, userId: string): Promise<SessionFacts[]> =>
  db.query(sql('session_list')`
    select ${SESSIONS.columns} from sessions
    where user_id = ${userId} and expires_at > app_now()
      and last_seen_at > app_now() - make_interval(secs => ${IDLE_SECONDS})
    order by id desc limit 100`);

export const updateSessionConfirmed = (db: Queryable, userId: string, sessionId: string): Promise<void> =>
  db.execute(sql('session_update_confirmed')`
    update sessions set confirmed_at = app_now() where id = ${sessionId} and user_id = ${userId}`);
