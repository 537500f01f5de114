import { dashboardEndpoints as calls, type ReconciliationRun } from '@coinslot/contract';
import { writeAudit } from '../../../domain/audit/audit.ts';
import { verdictOf } from '../../../domain/reconciliation/compare.ts';
import { listDifferences } from '../../../domain/reconciliation/difference.sql.ts';
import { askForDay } from '../../../domain/reconciliation/reconciliation.jobs.ts';
import { findReconciliationFacts, listRuns, type RunRow } from '../../../domain/reconciliation/reconciliation.sql.ts';
import { differenceView, resolveDifference } from '../../../domain/reconciliation/resolve-difference.ts';
import { exportBalanceDay, readBalanceDay } from '../../../domain/reporting/payouts/read-balance-day.ts';
import { assertMayExport } from '../../../http/limits/export-turns.ts';
import { pageOf } from '../../../http/paging.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';
import { answerFile } from '../list-answers.ts';

const RUNS = 60;

const runView = ({ accountId, startedAt, finishedAt, ...run }: RunRow): ReconciliationRun => ({
  ...run,
  ...onWire({ accountId, startedAt, finishedAt }, 'account_id, started_at, finished_at'),
});

export function mountReconciliation(mount: DashboardMount, shop: DashboardShop): void {
  const { db } = shop;

  const scopeOf = async (companyId: string, day: string) => ({
    companyId,
    day,
    settingsAccounts: await shop.merchantAccounts.settingsAccountsOf(companyId),
  });

  mount(calls.getBalanceDay, async ({ company }, { params }) =>
    readBalanceDay(db, await scopeOf(company.id, params.day)),
  );

  mount(calls.exportBalanceDay, async (context, { params, setHeader }) => {
    const { company, actor } = context;
    const { day } = params;
    assertMayExport(company.id);
    setHeader('content-disposition', `attachment; filename="payouts-${day}.csv"`);
    await db.transaction(async tx => {
      writeAudit(tx, actor, { companyId: company.id, kind: 'payouts.exported', after: { day } });
    });
    return answerFile(shop, context, exportBalanceDay(db, await scopeOf(company.id, day)));
  });

  mount(calls.listDifferences, ({ company }, { query }) => {
    const { state = null, day = null } = query;
    return pageOf(
      query,
      'dif',
      (beforeId, limit) => listDifferences(db, company.id, { state, day, beforeId, limit }),
      rows => rows.map(differenceView),
    );
  });

  mount(calls.listReconciliationRuns, async ({ company }) => {
    const settingsAccounts = await shop.merchantAccounts.settingsAccountsOf(company.id);
    const owner = { companyId: company.id, settingsAccounts };
    const [runs, facts] = await Promise.all([listRuns(db, owner, RUNS), findReconciliationFacts(db, owner)]);
    return { verdict: verdictOf(facts), data: runs.map(runView) };
  });

  mount(calls.runReconciliation, async ({ company, actor }, { body }) =>
    askForDay(shop, actor, { companyId: company.id, day: body.day }),
  );

  mount(calls.resolveDifference, async ({ company, actor }, { params, body }) =>
    differenceView(
      await resolveDifference(shop, actor, { companyId: company.id, id: params.difference_id, note: body.note }),
    ),
  );
}
