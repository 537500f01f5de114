import type { Role } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { fragment, sql } from '../../db/sql.ts';
import { type RowOf, table, typed } from '../../db/table.ts';
import { emailKey } from '../../kit/email.ts';

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
    u.email_verified_at is not null as "isVerified", u.totp_confirmed_at is not null as "totpEnabled",
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

export const findMemberByEmail = (db: Queryable, companyId: string, email: string): Promise<string | null> =>
  db.queryValue(sql('member_find_by_email')`
    select m.user_id as "userId"
    from users u
    join members m on m.user_id = u.id and m.company_id = ${companyId}
    where u.email_key = ${emailKey(email)}`);

/** Every change of the members waits for this, so that two owners cannot remove each other. */
export const lockCompany = (tx: Tx, companyId: string): Promise<void> =>
  tx.execute(sql('company_lock')`select id from companies where id = ${companyId} for no key update`);

export const findOwnerCount = (tx: Tx, companyId: string): Promise<number> =>
  tx.queryValue(sql('member_count_owners')`
    select count(user_id)::int as owners from members where company_id = ${companyId} and role = 'owner'`);

export const updateMemberRole = (tx: Tx, companyId: string, userId: string, role: Role): void =>
  tx.write(sql('member_update_role')`
    update members set role = ${role} where company_id = ${companyId} and user_id = ${userId}`);

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
