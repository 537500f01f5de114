import type { JobHandlers } from '../../jobs/job-worker.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { AppError, invalidField } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { PurchaseShop } from '../purchase/engine/purchase.ts';
import { reconcileDay } from './reconcile-day.ts';

const RECONCILE_JOB = 'reconcile.day';

/** A studio member wants a day compared now. It may take long, so a worker does it. */
export async function askForDay(
  { db, clock, signals, merchantAccounts }: PurchaseShop,
  actor: Actor,
  { companyId, day }: { companyId: string; day: string },
): Promise<void> {
  const startMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(startMs) || startMs > clock.nowMs())
    throw invalidField('/day', 'time_too_late', 'Must be a day that has begun.');
  const connected = await Promise.all(merchantAccounts.list.map(({ directory }) => directory.ofCompany(companyId)));
  if (connected.flat().length === 0) throw new AppError('provider_not_connected');
  await db.transaction(async tx => {
    insertJob(tx, { name: RECONCILE_JOB, environmentId: null, payload: { companyId, day } });
    writeAudit(tx, actor, { companyId, kind: 'reconciliation.requested', after: { day } });
    tx.afterCommit(() => signals.announce('jobs'));
  });
}

export const reconciliationJobs = (shop: PurchaseShop): JobHandlers => ({
  [RECONCILE_JOB]: async ({ payload }) => {
    const companyId = String(payload.companyId);
    for (const { provider, directory, fromSettings } of shop.merchantAccounts.list) {
      for (const account of await directory.ofCompany(companyId)) {
        const owner = account === fromSettings ? null : companyId;
        await reconcileDay(shop, { provider, account, companyId: owner, day: String(payload.day), again: true });
      }
    }
  },
});
