import { type Queryable, sql, type Tx } from '../../db/statement.ts';
import type { SsoRole, SsoSession } from './session.sql.ts';

/** Longer than the calls to the identity provider can take together. */
const ASKING_SECONDS = 60;

/** The token to ask with, for one process at a time. Null: another is asking, or the session has ended. */
export const claimSsoToken = (db: Queryable, sessionId: string): Promise<Buffer | null> =>
  db.queryValue(sql('session_claim_sso_token')`
    update sessions set sso_asking_until = app_now() + make_interval(secs => ${ASKING_SECONDS})
    where id = ${sessionId} and (sso_asking_until is null or sso_asking_until <= app_now())
    returning sso_token_sealed`);

export const releaseSsoToken = (db: Queryable, sessionId: string): Promise<void> =>
  db.execute(sql('session_release_sso_token')`update sessions set sso_asking_until = null where id = ${sessionId}`);

/** What the identity provider said last. Null: the session has ended. */
export const findSsoChecked = (
  db: Queryable,
  sessionId: string,
): Promise<Pick<SsoSession, 'role' | 'checkedSecondsAgo'> | null> =>
  db.queryOne(sql('session_find_sso_checked')`
    select sso_role as role, extract(epoch from app_now() - sso_checked_at)::float8 as "checkedSecondsAgo"
    from sessions where id = ${sessionId}`);

export const updateSsoChecked = (db: Queryable, sessionId: string, role: SsoRole, tokenSealed: Buffer): Promise<void> =>
  db.execute(sql('session_update_sso_checked')`
    update sessions set sso_role = ${role}, sso_token_sealed = ${tokenSealed}, sso_checked_at = app_now(),
      sso_asking_until = null
    where id = ${sessionId}`);

export const deleteSsoSessions = (tx: Tx, companyId: string): Promise<void> =>
  tx.execute(sql('session_delete_of_sso')`delete from sessions where sso_company_id = ${companyId}`);

export const deleteSsoSessionsOfMember = (tx: Tx, companyId: string, userId: string): void =>
  tx.write(sql('session_delete_sso_of_member')`
    delete from sessions where user_id = ${userId} and sso_company_id = ${companyId}`);
