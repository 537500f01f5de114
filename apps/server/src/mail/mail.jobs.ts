import type { Job } from '../jobs/jobs.sql.ts';
import { type MailDeps, sendMail } from './send-mail.ts';

export const mailJobs = (deps: MailDeps) => ({
  'mail.send': (job: Job): Promise<void> => sendMail(deps, String(job.payload.mailId)),
});
