import { json, type Queryable, type RowOf, sql, type Tx, table } from '../../../db/statement.ts';
import { emailKey } from '../../../kit/email.ts';
import type { SsoRole } from '../../user/session.sql.ts';

export const ssoSecretContext = (companyId: string): string => `company_sso.client_secret ${companyId}`;
export const ssoTokenContext = (sessionId: string): string => `sessions.sso_token ${sessionId}`;

export interface GroupRole {
  group: string;
  role: SsoRole;
}

const COMPANY_SSO = table('company_sso', {
  companyId: 'text',
  issuer: 'text',
  clientId: 'text',
  clientSecretSealed: 'bytea',
  domains: 'text[]',
  groupClaim: 'text',
  roles: json<GroupRole[]>(),
  required: 'boolean',
});

export type Sso = RowOf<typeof COMPANY_SSO>;

export const findSso = (db: Queryable, companyId: string): Promise<Sso | null> =>
  db.queryOne(sql('sso_find')`select ${COMPANY_SSO.columns} from company_sso where company_id = ${companyId}`);

export async function updateSso(tx: Tx, sso: Sso): Promise<void> {
  await deleteSso(tx, sso.companyId);
  await tx.execute(sql('sso_insert')`
    insert into company_sso (${COMPANY_SSO.names}, updated_at) values (${COMPANY_SSO.values(sso)}, app_now())`);
}

export const deleteSso = (tx: Tx, companyId: string): Promise<void> =>
  tx.execute(sql('sso_delete')`delete from company_sso where company_id = ${companyId}`);

export interface SsoLogin {
  companyId: string;
  nonce: string;
  codeVerifier: string;
}

const LOGIN_SECONDS = 600;

export const insertSsoLogin = (
  db: Queryable,
  stateHash: Buffer,
  browserHash: Buffer,
  { companyId, nonce, codeVerifier }: SsoLogin,
): Promise<void> =>
  db.execute(sql('sso_login_insert')`
    with old as (
      delete from sso_logins where state_hash in (
        select state_hash from sso_logins where expires_at <= app_now() order by expires_at limit 20 for update skip locked)
    )
    insert into sso_logins (state_hash, company_id, browser_hash, nonce, code_verifier, expires_at)
    values (${stateHash}, ${companyId}, ${browserHash}, ${nonce}, ${codeVerifier},
            app_now() + make_interval(secs => ${LOGIN_SECONDS}))`);

/** Uses the login up, whatever follows. Null: it is unknown, too old, or another browser's. */
export const deleteSsoLogin = (db: Queryable, stateHash: Buffer, browserHash: Buffer): Promise<SsoLogin | null> =>
  db.queryOne(sql('sso_login_delete')`
    delete from sso_logins where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > app_now()
    returning company_id as "companyId", nonce, code_verifier as "codeVerifier"`);

export const findSubjectUser = (
  db: Queryable,
  companyId: string,
  issuer: string,
  subject: string,
): Promise<string | null> =>
  db.queryValue(sql('sso_subject_find')`
    select user_id from sso_subjects where company_id = ${companyId} and issuer = ${issuer} and subject = ${subject}`);

/**
 * An address that an identity provider names is no account here: its user is found by company and address, and no address has a
 * space. Only who accepted an invitation of the company is the same user in both ways.
 */
export const ssoUserKey = (companyId: string, email: string): string => `${companyId} ${emailKey(email)}`;

export const findSsoUser = (db: Queryable, companyId: string, email: string): Promise<string | null> =>
  db.queryValue(sql('sso_user_find')`
    select u.id from users u left join members m on m.user_id = u.id and m.company_id = ${companyId} and not m.via_sso
    where u.email_key = ${ssoUserKey(companyId, email)} or u.email_key = ${emailKey(email)} and m.user_id is not null
    order by m.user_id is null limit 1`);

export const insertSubject = (
  tx: Tx,
  { companyId, issuer, subject, userId }: { companyId: string; issuer: string; subject: string; userId: string },
): Promise<void> =>
  tx.execute(sql('sso_subject_insert')`
    insert into sso_subjects (company_id, issuer, subject, user_id)
    values (${companyId}, ${issuer}, ${subject}, ${userId})`);

/** A member who was invited stays one; who comes by single sign-on for the first time becomes one. */
export const insertSsoMember = (tx: Tx, companyId: string, userId: string, role: SsoRole): Promise<boolean> =>
  tx.queryAny(sql('sso_member_insert')`
    insert into members (company_id, user_id, role, via_sso, created_at) values (${companyId}, ${userId}, ${role}, true, app_now())
    on conflict (company_id, user_id) do nothing returning user_id`);

/** The role that the list of the team shows. */
export const updateSsoMember = (db: Queryable, companyId: string, userId: string, role: SsoRole): Promise<void> =>
  db.execute(sql('sso_member_update')`
    update members set role = ${role} where company_id = ${companyId} and user_id = ${userId} and via_sso and role <> ${role}`);
