import type { Job } from '../../jobs/jobs.sql.ts';
import { NOTIFY_OWNERS_JOB } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { type NoticeSubject, notifyMembers } from './notify-members.ts';
import { notifyOwners } from './notify-owners.ts';
import { sendReceipt } from './send-receipt.ts';

function environmentOf({ id, environmentId }: Job): string {
  if (environmentId === null) throw new Error(`job ${id} has no environment`);
  return environmentId;
}

/** Modules below this one enqueue these by name, in the transaction that gives cause. */
export const notificationJobs = (shop: Pick<Shop, 'db' | 'mailer' | 'checkoutUrlOf' | 'publicUrl'>) => ({
  'receipt.send': (job: Job): Promise<void> => sendReceipt(shop, environmentOf(job), String(job.payload.paymentId)),
  [NOTIFY_OWNERS_JOB]: (job: Job): Promise<void> => notifyOwners(shop, String(job.payload.auditId)),
  'notice.send': (job: Job): Promise<void> => notifyMembers(shop, environmentOf(job), job.payload as NoticeSubject),
});
