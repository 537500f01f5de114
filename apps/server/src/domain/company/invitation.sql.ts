import type { Role } from '@coinslot/contract';
import { fragment, type Queryable, type RowOf, sql, type Tx, table, typed } from '../../db/statement.ts';
import { emailKey } from '../../kit/email.ts';

const INVITATIONS = table('invitations', {
  companyId: 'text',
  id: 'text',
  email: 'text',
  role: typed<Role>('text'),
  createdAt: 'timestamptz',
  sentAt: 'timestamptz',
  expiresAt: 'timestamptz',
});

export interface Invitation extends RowOf<typeof INVITATIONS> {
  companyName: string;
  invitedBy: string;
  isExpired: boolean;
}

const SELECTED = fragment`select ${INVITATIONS.of('i')}, c.name as "companyName", u.email as "invitedBy",
    i.expires_at <= app_now() as "isExpired"
  from invitations i join companies c on c.id = i.company_id join users u on u.id = i.invited_by`;

type NewInvitation = Pick<Invitation, 'companyId' | 'id' | 'email' | 'role' | 'invitedBy'> & {
  tokenHash: Buffer;
  livesSeconds: number;
};

/** One for each address: a second one changes the first and makes its link useless. */
export const insertInvitation = (tx: Tx, one: NewInvitation): Promise<string> =>
  tx.queryValue(sql('invitation_insert')`
    insert into invitations (company_id, id, email, email_key, role, token_hash, invited_by, created_at, sent_at, expires_at)
    values (${one.companyId}, ${one.id}, ${one.email}, ${emailKey(one.email)}, ${one.role}, ${one.tokenHash}, ${one.invitedBy}, app_now(), app_now(),
            app_now() + make_interval(secs => ${one.livesSeconds}))
    on conflict (company_id, email_key) do update
      set role = excluded.role, token_hash = excluded.token_hash, invited_by = excluded.invited_by,
          sent_at = excluded.sent_at, expires_at = excluded.expires_at
    returning id`);

export const listInvitations = (db: Queryable, companyId: string): Promise<Invitation[]> =>
  db.query(sql('invitation_list')`
    ${SELECTED}
    where i.company_id = ${companyId}
    order by i.id desc limit 1000`);

export const findInvitation = (db: Queryable, companyId: string, id: string): Promise<Invitation | null> =>
  db.queryOne(sql('invitation_find')`
    ${SELECTED}
    where i.company_id = ${companyId} and i.id = ${id}`);

export const findInvitationByToken = (db: Queryable, tokenHash: Buffer): Promise<Invitation | null> =>
  db.queryOne(sql('invitation_find_by_token')`
    ${SELECTED}
    where i.token_hash = ${tokenHash} and i.expires_at > app_now()`);

/** Works once: of two requests at the same time, one gets it. */
export async function deleteInvitation(tx: Tx, companyId: string, id: string, tokenHash: Buffer | null) {
  const rows = await tx.query(sql('invitation_delete')`
    delete from invitations
    where company_id = ${companyId} and id = ${id} and (${tokenHash}::bytea is null or token_hash = ${tokenHash}::bytea)
    returning id`);
  return rows.length > 0;
}

/** What a member has offered in the company's name ends with the right to offer it. */
export const deleteInvitationsOfSender = (tx: Tx, companyId: string, userId: string): Promise<{ email: string }[]> =>
  tx.query(sql('invitation_delete_of_sender')`
    delete from invitations where company_id = ${companyId} and invited_by = ${userId} returning email`);
