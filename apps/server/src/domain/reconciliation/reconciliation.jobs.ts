import type { Db } from '../../db/db.ts';
import type { DbClock } from '../../db/db-clock.ts';
import type { Signals } from '../../db/signals.ts';
import type { JobHandlers } from '../../jobs/job-worker.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { AppError } from '../../kit/app-error.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { ProviderDirectory } from '../payment/connections/provider-directory.ts';
import type { OpenedAccount } from '../payment/gateways/provider.ts';
import { reconcileDay } from './reconcile-day.ts';
import type { DueDeps } from './reconcile-due.ts';

const RECONCILE_JOB = 'reconcile.day';

export interface AskDeps {
  db: Db;
  clock: DbClock;
  signals: Signals;
  provider: { directory: Pick<ProviderDirectory, 'ofCompany'> };
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
  if (!(await provider.directory.ofCompany(companyId))) throw new AppError('provider_not_connected');
  await db.transaction(async tx => {
    insertJob(tx, { name: RECONCILE_JOB, environmentId: null, payload: { companyId, day } });
    writeAudit(tx, actor, { companyId, kind: 'reconciliation.requested', after: { day } });
    tx.afterCommit(() => signals.announce('jobs'));
  });
}

interface JobDeps extends DueDeps {
  directory: Pick<ProviderDirectory, 'ofCompany'>;
}

export const reconciliationJobs = (deps: JobDeps): JobHandlers => ({
  [RECONCILE_JOB]: async ({ payload }) => {
    const companyId = String(payload.companyId);
    const account: OpenedAccount | null = await deps.directory.ofCompany(companyId);
    if (!account) return;
    const isOwn = account !== deps.fromSettings;
    await reconcileDay(deps, { account, companyId: isOwn ? companyId : null, day: String(payload.day), again: true });
  },
});
