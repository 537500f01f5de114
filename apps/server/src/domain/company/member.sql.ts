import type { Role } from '@coinslot/contract';
import {
  fragment,
  type Queryable,
  ROWS,
  type RowOf,
  sql,
  sqlForRows,
  sqlUnprepared,
  type Tx,
  table,
  typed,
} from '../../db/statement.ts';
import { emailKey } from '../../kit/email.ts';
import { type AuditFilter, listAuditEntries, type StoredAuditEntry } from '../audit/audit.sql.ts';
import { ssoUserKey } from './sso/sso.sql.ts';

const MEMBERS = table('members', {
  companyId: 'text',
  userId: 'text',
  role: typed<Role>('text'),
  createdAt: 'timestamptz',
});

export interface Member extends Omit<RowOf<typeof MEMBERS>, 'companyId'> {
  email: string;
  name: string;
  isVerified: boolean;
  totpEnabled: boolean;
  passkeys: number;
  lastSeenAt: Date | null;
}

const SELECTED = fragment`select ${MEMBERS.omit('companyId').of('m')}, u.email, u.name,
    u.email_verified_at is not null and not m.via_sso as "isVerified", u.totp_confirmed_at is not null as "totpEnabled",
    (select count(1)::int from passkeys p where p.user_id = u.id) as passkeys,
    (select max(s.last_seen_at) from sessions s where s.user_id = m.user_id) as "lastSeenAt"
  from members m join users u on u.id = m.user_id`;

export const listMembers = (db: Queryable, companyId: string): Promise<Member[]> =>
  db.query(sql('member_list')`
    ${SELECTED}
    where m.company_id = ${companyId}
    order by m.created_at, m.user_id limit 1000`);

export const findMember = (db: Queryable, companyId: string, userId: string): Promise<Member | null> =>
  db.queryOne(sql('member_find')`
    ${SELECTED}
    where m.company_id = ${companyId} and m.user_id = ${userId}`);

const findMembersByEmail = sqlForRows<{ companyId: string; emailKey: string; ssoUserKey: string }, { userId: string }>(
  'member_find_by_email',
  { companyId: 'text', emailKey: 'text', ssoUserKey: 'text' },
)`
  select t.n, found.user_id as "userId" from ${ROWS} as t
  cross join lateral (
    select m.user_id from users u
    join members m on m.user_id = u.id and m.company_id = t.company_id
    where u.email_key in (t.email_key, t.sso_user_key) and (not m.via_sso or u.email_verified_at is not null) limit 1) found`;

/** A company's identity provider may name any address: it is a member's once it has answered. */
export async function findMemberByEmail(db: Queryable, companyId: string, email: string): Promise<string | null> {
  const asked = { companyId, emailKey: emailKey(email), ssoUserKey: ssoUserKey(companyId, email) };
  const found = await db.queryRow(findMembersByEmail, asked);
  return found?.userId ?? null;
}

/** Changes of a company's members, games, keys and providers wait for each other, so that two owners cannot remove each other. */
export const lockCompany = (tx: Tx, companyId: string): Promise<void> =>
  tx.execute(sql('company_lock')`select id from companies where id = ${companyId} for no key update`);

export const findOwnerCount = (tx: Tx, companyId: string): Promise<number> =>
  tx.queryValue(sql('member_count_owners')`
    select count(user_id)::int as owners from members where company_id = ${companyId} and role = 'owner'`);

export const updateMemberRole = (tx: Tx, companyId: string, userId: string, role: Role): void =>
  tx.write(sql('member_update_role')`
    update members set role = ${role} where company_id = ${companyId} and user_id = ${userId}`);

export const updateSessionsEnded = (tx: Tx, companyId: string, userId: string): void =>
  tx.write(sql('member_update_sessions_ended')`
    update members set sessions_ended_at = app_now() where company_id = ${companyId} and user_id = ${userId}`);

export const deleteMember = (tx: Tx, companyId: string, userId: string): void =>
  tx.write(sql('member_delete')`delete from members where company_id = ${companyId} and user_id = ${userId}`);

export const insertMember = (tx: Tx, companyId: string, userId: string, role: Role): Promise<void> =>
  tx.execute(sql('member_insert')`
    insert into members (company_id, user_id, role, created_at) values (${companyId}, ${userId}, ${role}, app_now())`);

/** The first company is the operator's own. */
export const isOwnerOfFirstCompany = (db: Queryable, userId: string): Promise<boolean> =>
  db.queryAny(sql('member_find_first_owner')`
    select m.user_id from members m
    where m.company_id = (select id from companies order by id limit 1) and m.user_id = ${userId} and m.role = 'owner'`);

export interface AuditPage {
  beforeId: string | null;
  limit: number;
}

/** What members did to their own accounts since they joined: sign-ins, failed ones, changed passwords. Newest first. */
const listMemberAuditEntries = (
  db: Queryable,
  companyId: string,
  { userId, kind, from, to }: AuditFilter,
  { beforeId, limit }: AuditPage,
): Promise<StoredAuditEntry[]> =>
  db.query(sqlUnprepared('audit_list_of_members')`
    select a.id, a."userId", a.actor, a.kind, a."objectId", a.before, a.after, a.ip, null as "gameId", null as mode,
           a."createdAt"
    from members m cross join lateral (
      select o.id, o.user_id as "userId", o.actor, o.kind, o.object_id as "objectId", o.before, o.after, o.ip,
             o.created_at as "createdAt"
      from audit_entries o
      where o.user_id = m.user_id and o.company_id is null and o.created_at >= m.created_at
        and (${beforeId}::text is null or o.id < ${beforeId}::text)
        and (${kind}::text is null or o.kind = ${kind}::text or starts_with(o.kind, ${kind}::text || '.'))
        and (${from}::timestamptz is null or o.created_at >= ${from}::timestamptz)
        and (${to}::timestamptz is null or o.created_at < ${to}::timestamptz)
      order by o.id desc limit ${limit}
    ) a
    where m.company_id = ${companyId} and (${userId}::text is null or m.user_id = ${userId}::text)
    order by a.id desc limit ${limit}`);

/** What was done in the company, and what its members did to their own ways in, newest first. */
export async function readCompanyAudit(
  db: Queryable,
  companyId: string,
  filter: AuditFilter,
  page: AuditPage,
): Promise<StoredAuditEntry[]> {
  const lists = await Promise.all([
    listAuditEntries(db, companyId, filter, page.beforeId, page.limit),
    listMemberAuditEntries(db, companyId, filter, page),
  ]);
  return lists
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, page.limit);
}
