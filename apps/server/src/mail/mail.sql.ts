import { fragment, type Queryable, ROWS, type RowOf, sql, sqlForRows, type Tx, table, typed } from '../db/statement.ts';
import type { MailContent } from './mail-content.ts';
import { renderMail } from './render-mail.ts';

export type MailStatus = 'queued' | 'sent' | 'kept' | 'failed';

export interface NewMail {
  id: string;
  environmentId: string | null;
  kind: string;
  /** Names what the mail is about; one mail for each recipient. */
  about: string;
  recipient: string;
  subject: string;
  /** Null for a mail that can be rendered again at any time from rows that are kept forever. */
  content: MailContent | null;
  /** The name in From, before the address of the service; null is the service's own. */
  senderName?: string | null;
  replyTo?: string | null;
}

const MAILS = table('mails', {
  id: 'text',
  environmentId: 'text?',
  kind: 'text',
  about: 'text',
  recipient: 'text',
  subject: 'text',
  status: typed<MailStatus>('text'),
  tries: 'int',
  lastError: 'text?',
  createdAt: 'timestamptz',
  sentAt: 'timestamptz?',
});

export type MailSummary = RowOf<typeof MAILS>;

export interface Mail extends MailSummary {
  text: string;
  html: string;
  senderName: string | null;
  replyTo: string | null;
}

type NewMailRow = NewMail & { status: MailStatus };

const insertMails = sqlForRows<NewMailRow, { id: string; isNew: boolean }>('mail_insert', {
  id: 'text',
  environmentId: 'text',
  kind: 'text',
  about: 'text',
  recipient: 'text',
  subject: 'text',
  content: 'json',
  senderName: 'text',
  replyTo: 'text',
  status: 'text',
})`
  with input as (
    select n, id, environment_id, kind, about, recipient, subject, content, sender_name, reply_to, status
    from ${ROWS} as t
  ), made as (
    insert into mails (id, environment_id, kind, about, recipient, subject, content, sender_name, reply_to, status, created_at)
    select id, environment_id, kind, about, recipient, subject, content, sender_name, reply_to, status, app_now()
    from input
    on conflict (environment_id, about, recipient) do update set id = mails.id
    returning id, environment_id, about, recipient, xmax = 0 as "isNew"
  )
  select i.n, m.id, m."isNew" from made m
  join input i on i.environment_id is not distinct from m.environment_id and i.about = m.about and i.recipient = m.recipient`;

/** Inserts the mail, or returns the one that is already there about the same thing for the same recipient. */
export async function insertMail(
  db: Queryable,
  mail: NewMail,
  status: 'queued' | 'kept' = 'queued',
): Promise<{ id: string; isNew: boolean }> {
  const made = await db.queryRow(insertMails, { status, ...mail });
  return made!;
}

const insertKept = sqlForRows<NewMail>('mail_insert_kept', {
  id: 'text',
  environmentId: 'text',
  kind: 'text',
  about: 'text',
  recipient: 'text',
  subject: 'text',
  senderName: 'text',
  replyTo: 'text',
})`
  insert into mails (id, environment_id, kind, about, recipient, subject, sender_name, reply_to, status, created_at)
  select id, environment_id, kind, about, recipient, subject, sender_name, reply_to, 'kept', app_now() from ${ROWS} as t
  on conflict (environment_id, about, recipient) do nothing`;

/** Mails without content that wait for an operator. One that is there already stays as it is. */
export const insertKeptMails = (tx: Tx, mails: readonly NewMail[]): void => tx.writeRows(insertKept, mails);

interface MailRow extends Omit<Mail, 'text' | 'html'> {
  /** Null when it can be rendered again, or when it was sent and held a link that signs a user in. */
  content: MailContent | null;
}

const MAIL_COLUMNS = fragment`${MAILS.columns}, content, sender_name as "senderName", reply_to as "replyTo"`;

/** Renders a mail again that is stored without content; null when the rows that it is made from are gone. */
export type RemakeMail = (mail: Pick<MailSummary, 'environmentId' | 'about'>) => Promise<MailContent | null>;

function toMail<Row extends MailRow>(
  { content, ...row }: Row,
  remade: MailContent | null,
): Omit<Row, 'content'> & Mail {
  const said = content ?? remade;
  const { text, html } = said ? renderMail(said) : { text: '', html: '' };
  return { ...row, text, html };
}

export async function findMail(db: Queryable, id: string, remake: RemakeMail): Promise<Mail | null> {
  const [row] = await db.query<MailRow>(sql('mail_find')`select ${MAIL_COLUMNS} from mails where id = ${id}`);
  return row ? toMail(row, row.content ? null : await remake(row)) : null;
}

export interface ClaimedMail extends Mail {
  isOld: boolean;
}

/** Returns null when the mail is not queued, or another job is sending it right now. */
export async function claimMail(
  db: Queryable,
  id: string,
  { leaseSeconds, oldAfterSeconds }: { leaseSeconds: number; oldAfterSeconds: number },
  remade: MailContent | null,
): Promise<ClaimedMail | null> {
  const [row] = await db.query<MailRow & { isOld: boolean }>(sql('mail_claim')`
    update mails set claimed_until = app_now() + make_interval(secs => ${leaseSeconds}), tries = tries + 1
    where id = ${id} and status = 'queued' and (content is not null or ${remade !== null}) and (claimed_until is null or claimed_until <= app_now())
    returning ${MAIL_COLUMNS},
      created_at + make_interval(secs => ${oldAfterSeconds}) < app_now() as "isOld"`);
  return row ? toMail(row, remade) : null;
}

export const listMails = (db: Queryable, status: MailStatus | null, limit: number): Promise<MailSummary[]> =>
  db.query(sql('mail_list')`
    select ${MAILS.columns} from mails where ${status}::text is null or status = ${status}::text order by id desc limit ${limit}`);

/**
 * Records the outcome of an attempt. A mail that was sent stays sent, whatever a late second attempt reports. The content
 * of a sent mail with a sign-in link is deleted.
 */
export const updateMailTried = (
  db: Queryable,
  id: string,
  outcome: { status: MailStatus; error: string | null },
): Promise<void> =>
  db.execute(sql('mail_update_tried')`
    update mails set status = ${outcome.status}, claimed_until = null, last_error = ${outcome.error},
      sent_at = case when ${outcome.status === 'sent'}::boolean then app_now() end,
      content = case when ${outcome.status === 'sent'}::boolean and kind = 'account' then null else content end
    where id = ${id} and status <> 'sent'`);

export const updateMailKept = (db: Queryable, id: string): Promise<void> =>
  db.execute(sql('mail_update_kept')`update mails set status = 'kept' where id = ${id} and status = 'queued'`);

export interface QueuedMail {
  id: string;
  environmentId: string | null;
  about: string;
  isRemade: boolean;
}

/** Queues one mail again, or without an id all that were kept. */
export const updateMailsQueued = (db: Queryable, id: string | null): Promise<QueuedMail[]> =>
  db.query(sql('mail_update_queued')`
    update mails set status = 'queued', last_error = null
    where status in ('kept', 'failed') and (${id}::text is null and status = 'kept' or id = ${id}::text)
    returning id, environment_id as "environmentId", about, content is null as "isRemade"`);
