import { type Queryable, sql, type Tx } from '../../../db/statement.ts';

export type MailLinkKind = 'password_reset' | 'email_change' | 'email_verify';

export interface MailLink {
  userId: string;
  email: string;
  /** The session that asked for it; null when none did. */
  sessionId: string | null;
}

export interface NewMailLink extends MailLink {
  tokenHash: Buffer;
  kind: MailLinkKind;
  livesSeconds: number;
}

/** A new link takes the place of the one before. */
export async function insertMailLink(tx: Tx, link: NewMailLink): Promise<void> {
  const { tokenHash, userId, kind, email, sessionId, livesSeconds } = link;
  await deleteMailLinks(tx, userId, kind);
  await tx.query(sql('mail_link_insert')`
    insert into mail_links (token_hash, user_id, kind, email, session_id, created_at, expires_at)
    values (${tokenHash}, ${userId}, ${kind}, ${email}, ${sessionId}, app_now(), app_now() + make_interval(secs => ${livesSeconds}))`);
}

const deleteMailLinks = (tx: Tx, userId: string, kind: MailLinkKind): Promise<void> =>
  tx.execute(sql('mail_link_delete_of_kind')`
    delete from mail_links where user_id = ${userId} and kind = ${kind}`);

/** Of every kind: an older link must not undo what was just changed. */
export const deleteMailLinksOfUser = (tx: Tx, userId: string): Promise<void> =>
  tx.execute(sql('mail_link_delete_of_user')`delete from mail_links where user_id = ${userId}`);

/** Only reads; the use case that redeems the link deletes it with `deleteMailLink`. */
export const findMailLink = (db: Queryable, tokenHash: Buffer, kind: MailLinkKind): Promise<MailLink | null> =>
  db.queryOne(sql('mail_link_find')`
    select user_id as "userId", email, session_id as "sessionId" from mail_links
    where token_hash = ${tokenHash} and kind = ${kind} and expires_at > app_now()`);

/** Works once: of two requests at the same time, one gets it. */
export const deleteMailLink = (tx: Tx, tokenHash: Buffer, kind: MailLinkKind): Promise<MailLink | null> =>
  tx.queryOne(sql('mail_link_delete')`
    delete from mail_links where token_hash = ${tokenHash} and kind = ${kind} and expires_at > app_now()
    returning user_id as "userId", email, session_id as "sessionId"`);

export const findPendingEmail = (db: Queryable, userId: string): Promise<string | null> =>
  db.queryValue(sql('mail_link_find_pending_email')`
    select email from mail_links where user_id = ${userId} and kind = 'email_change' and expires_at > app_now()`);
