import type { Job } from '../../jobs/jobs.sql.ts';
import { NOTIFY_OWNERS_JOB } from '../audit/audit.ts';
import { type NoticeSubject, notifyMembers } from './notify-members.ts';
import { notifyOwners } from './notify-owners.ts';
import { type ReceiptDeps, sendReceipt } from './send-receipt.ts';

function environmentOf({ id, environmentId }: Job): string {
  if (environmentId === null) throw new Error(`job ${id} has no environment`);
  return environmentId;
}

/** Modules below this one enqueue these by name, in the transaction that gives cause. */
export const notificationJobs = (deps: ReceiptDeps) => ({
  'receipt.send': (job: Job): Promise<void> => sendReceipt(deps, environmentOf(job), String(job.payload.paymentId)),
  [NOTIFY_OWNERS_JOB]: (job: Job): Promise<void> => notifyOwners(deps, String(job.payload.auditId)),
  'notice.send': (job: Job): Promise<void> => notifyMembers(deps, environmentOf(job), job.payload as NoticeSubject),
});
