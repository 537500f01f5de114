import type { Tx } from '../db/db.ts';
import { insertJob } from '../jobs/jobs.sql.ts';
import { insertMail, type NewMail } from './mail.sql.ts';

/** In the caller's transaction: the mail will be sent exactly when that commits. */
export async function queueMail(tx: Tx, mail: NewMail): Promise<void> {
  const { id: mailId, isNew } = await insertMail(tx, mail);
  if (isNew) insertJob(tx, { name: 'mail.send', environmentId: mail.environmentId, payload: { mailId } });
}
