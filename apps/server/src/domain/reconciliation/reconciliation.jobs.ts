import type { Db } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import type { Signals } from '../../db/signals.ts';
import type { JobHandlers } from '../../jobs/job-worker.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { AppError } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { ConnectedProvider, MerchantAccounts } from '../payment/merchant-accounts/merchant-accounts.ts';
import { type ReconciliationDeps, reconcileDay } from './reconcile-day.ts';

const RECONCILE_JOB = 'reconcile.day';

export interface AskDeps {
  db: Db;
  clock: DbClock;
  signals: Signals;
  provider: { merchantAccounts: Pick<MerchantAccounts, 'list'> };
}

/** A studio member wants a day compared now. It may take long, so a worker does it. */
export async function askForDay(
  { db, clock, signals, provider }: AskDeps,
  actor: Actor,
  { companyId, day }: { companyId: string; day: string },
): Promise<void> {
  const startMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(startMs) || startMs > clock.nowMs()) {
    const message = 'Must be a day that has begun.';
    throw new AppError('validation_failed', { issues: [{ pointer: '/day', code: 'time_too_late', message }] });
  }
  const connected = await Promise.all(
    provider.merchantAccounts.list.map(({ directory }) => directory.ofCompany(companyId)),
  );
  if (connected.every(account => account === null)) throw new AppError('provider_not_connected');
  await db.transaction(async tx => {
    insertJob(tx, { name: RECONCILE_JOB, environmentId: null, payload: { companyId, day } });
    writeAudit(tx, actor, { companyId, kind: 'reconciliation.requested', after: { day } });
    tx.afterCommit(() => signals.announce('jobs'));
  });
}

interface JobDeps extends Pick<ReconciliationDeps, 'purchasing'> {
  providers: readonly ConnectedProvider[];
}

export const reconciliationJobs = (deps: JobDeps): JobHandlers => ({
  [RECONCILE_JOB]: async ({ payload }) => {
    const companyId = String(payload.companyId);
    for (const { provider, directory, fromSettings } of deps.providers) {
      const account = await directory.ofCompany(companyId);
      if (!account) continue;
      const owner = account === fromSettings ? null : companyId;
      const { purchasing } = deps;
      await reconcileDay(
        { purchasing, provider },
        { account, companyId: owner, day: String(payload.day), again: true },
      );
    }
  },
});
