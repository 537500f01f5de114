import type { Role } from '@coinslot/contract';
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
  signedInBy: SignedInBy;
  /** Null unless the company's identity provider signed the user in. */
  sso: SsoSession | null;
}

export type SignedInBy = 'password' | 'passkey' | 'sso';
export type SsoRole = Exclude<Role, 'owner'>;

/** A session by single sign-on opens one company, and nothing of the user's own account. */
export interface SsoSession {
  companyId: string;
  role: SsoRole;
  subject: string;
  /** How long ago the identity provider said that the user is still in a group with a role. */
  checkedSecondsAgo: number;
}

const IDLE_SECONDS = 12 * 3600;
const LONGEST_SECONDS = 7 * 24 * 3600;

/** How long a password or passkey that was given again is good for. */
const CONFIRMED_SECONDS = 600;

export const findSession = (db: Queryable, tokenHash: Buffer): Promise<SignedIn | null> =>
  db.queryOne(sql('session_find')`
    select s.id as "sessionId", u.id as "userId", u.email, u.email_verified_at is not null as "isVerified", u.name, u.locale,
           u.totp_confirmed_at is not null as "totpEnabled",
           (select count(1)::int from passkeys p where p.user_id = u.id) as passkeys,
           s.confirmed_at > app_now() - make_interval(secs => ${CONFIRMED_SECONDS}) as "isConfirmed",
           s.last_seen_at <= app_now() - interval '1 minute' as "isSeenStale", s.signed_in_by as "signedInBy",
           case when s.sso_company_id is not null then json_build_object('companyId', s.sso_company_id, 'role', s.sso_role,
             'subject', s.sso_subject, 'checkedSecondsAgo', extract(epoch from app_now() - s.sso_checked_at)) end as sso
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
  signedInBy: SignedInBy;
  sso?: Pick<SsoSession, 'companyId' | 'role' | 'subject'> & { tokenSealed: Buffer; isFresh: boolean };
}

/** The identity provider may have signed the user in hours ago: only a fresh proof counts as one. */
export const insertSession = (tx: Tx, { id, userId, tokenHash, ip, userAgent, signedInBy, sso }: NewSession): void =>
  tx.write(sql('session_insert')`
    insert into sessions (id, user_id, token_hash, ip, user_agent, created_at, last_seen_at, confirmed_at, expires_at,
      signed_in_by, sso_company_id, sso_role, sso_subject, sso_checked_at, sso_token_sealed)
    values (${id}, ${userId}, ${tokenHash}, ${ip}, ${userAgent}, app_now(), app_now(),
            case when ${sso?.isFresh ?? true} then app_now() else '-infinity' end,
            app_now() + make_interval(secs => ${LONGEST_SECONDS}), ${signedInBy}, ${sso?.companyId ?? null}::text,
            ${sso?.role ?? null}::text, ${sso?.subject ?? null}::text, case when ${sso !== undefined} then app_now() end,
            ${sso?.tokenSealed ?? null}::bytea)`);

/**
 * Asks again whether it is time, because other processes see the same session. A minute after a proof no request is on its way any
 * more with the token before it.
 */
export const updateSessionSeen = (db: Queryable, sessionId: string, ip: string): Promise<void> =>
  db.execute(sql('session_update_seen')`
    update sessions set last_seen_at = app_now(), ip = ${ip}, former_token_hash = null
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

/** False when another request was quicker, so that the browser has a newer token already. */
export const updateSessionToken = (
  db: Queryable,
  sessionId: string,
  { from, to }: { from: Buffer; to: Buffer },
): Promise<boolean> =>
  db.queryAny(sql('session_update_token')`
    update sessions set token_hash = ${to}, former_token_hash = token_hash, last_seen_at = app_now()
    where id = ${sessionId} and token_hash = ${from} returning id`);

/**
 * Whether a session that lives was called by this token until its proof of a moment ago. Not for longer: a browser that was never
 * given the new one, or whose session another took over, must get to the form to sign in (row 264).
 */
export const findFormerToken = (db: Queryable, tokenHash: Buffer): Promise<boolean> =>
  db.queryAny(sql('session_find_former_token')`
    select id from sessions where former_token_hash = ${tokenHash} and expires_at > app_now()
      and last_seen_at > app_now() - interval '1 minute'`);

export const updateSessionConfirmed = (db: Queryable, userId: string, sessionId: string): Promise<void> =>
  db.execute(sql('session_update_confirmed')`
    update sessions set confirmed_at = app_now() where id = ${sessionId} and user_id = ${userId}`);
