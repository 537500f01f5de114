import type { Db, Tx } from '../db/db.ts';
import { insertJob, type Job } from '../jobs/jobs.sql.ts';
import { isEmail } from '../kit/email.ts';
import { claimMail, insertMail, type NewMail, updateMailKept, updateMailTried } from './mail.sql.ts';
import type { MailContent } from './mail-content.ts';
import { type Mailer, MailRefused } from './mailer.ts';

export interface Mailing {
  db: Db;
  /** Null without a mail server: mails stay in the database for an operator to read. */
  mailer: Mailer | null;
}

// Shorter than the lease of a job, so that a worker can send the mail when it takes over from a dead one.
const CLAIM = { leaseSeconds: 45, oldAfterSeconds: 3 * 24 * 3600 };
const ERROR_LONGEST = 500;

/**
 * Makes one attempt, and throws when another one is worth it. The attempt is recorded after the mail server has accepted
 * the mail, so a crash between the two sends it again, with the same Message-ID.
 */
export async function sendMail({ db, mailer }: Mailing, id: string, remade: MailContent | null = null): Promise<void> {
  if (!mailer) return updateMailKept(db, id);
  const mail = await claimMail(db, id, CLAIM, remade);
  // The mail is sent or failed, or another job is sending it.
  if (!mail) return;
  if (!isEmail(mail.recipient)) {
    return updateMailTried(db, id, { status: 'failed', error: 'The recipient is not a mail address.' });
  }
  try {
    await mailer.send(mail);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, ERROR_LONGEST);
    const isOver = error instanceof MailRefused || mail.isOld;
    await updateMailTried(db, id, { status: isOver ? 'failed' : 'queued', error: reason });
    if (isOver) return;
    throw error;
  }
  await updateMailTried(db, id, { status: 'sent', error: null });
}

export type MailToQueue = Omit<NewMail, 'subject'> & { content: MailContent };

/** Writes in the caller's transaction, so the mail is sent exactly when that commits. */
export async function queueMail(tx: Tx, mail: MailToQueue): Promise<void> {
  const { id: mailId, isNew } = await insertMail(tx, { ...mail, subject: mail.content.subject });
  if (isNew) insertJob(tx, { name: 'mail.send', environmentId: mail.environmentId, payload: { mailId } });
}

export const mailJobs = (mailing: Mailing) => ({
  'mail.send': (job: Job): Promise<void> => sendMail(mailing, String(job.payload.mailId)),
});
