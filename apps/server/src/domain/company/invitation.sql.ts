import type { Role } from '@coinslot/contract';
import type { Queryable, Tx } from '../../db/db.ts';
import { fragment, sql } from '../../db/sql.ts';
import { emailKey } from '../../kit/email.ts';

export interface Invitation {
  companyId: string;
  companyName: string;
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  isExpired: boolean;
  createdAt: Date;
  sentAt: Date;
  expiresAt: Date;
}

const INVITATION_COLUMNS = fragment`i.company_id as "companyId", c.name as "companyName", i.id, i.email, i.role,
  u.email as "invitedBy", i.expires_at <= app_now() as "isExpired", i.created_at as "createdAt", i.sent_at as "sentAt",
  i.expires_at as "expiresAt"`;

export interface NewInvitation {
  companyId: string;
  id: string;
  email: string;
  role: Role;
  tokenHash: Buffer;
  invitedBy: string;
  livesSeconds: number;
}

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
    select ${INVITATION_COLUMNS}
    from invitations i
    join companies c on c.id = i.company_id
    join users u on u.id = i.invited_by
    where i.company_id = ${companyId}
    order by i.id desc limit 1000`);

export const findInvitation = (db: Queryable, companyId: string, id: string): Promise<Invitation | null> =>
  db.queryOne(sql('invitation_find')`
    select ${INVITATION_COLUMNS}
    from invitations i
    join companies c on c.id = i.company_id
    join users u on u.id = i.invited_by
    where i.company_id = ${companyId} and i.id = ${id}`);

/** The token itself names the company. */
export const findInvitationByToken = (db: Queryable, tokenHash: Buffer): Promise<Invitation | null> =>
  db.queryOne(sql('invitation_find_by_token')`
    select ${INVITATION_COLUMNS}
    from invitations i
    join companies c on c.id = i.company_id
    join users u on u.id = i.invited_by
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
