import { type BudgetKind, dashboardEndpoints as calls } from '@coinslot/contract';
import { INVITATIONS_A_DAY } from '../../../domain/company/invite.ts';
import { countGamesAndKeys } from '../../../domain/game/game.sql.ts';
import { FREE_RECEIPTS_A_DAY } from '../../../domain/notification/send-receipt.ts';
import { countRecentExams } from '../../../domain/webhook/conformance/exam.sql.ts';
import { type Counted, KB_IN_MB, WINDOW_MS } from '../../../http/limits/budgets.ts';
import { findMailsOfToday } from '../../../mail/mail-quota.sql.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

const budgetView = (kind: BudgetKind, used: number, most: number, windowSeconds: number | null) => ({
  kind,
  // What was refused was counted too.
  used: most === 0 ? used : Math.min(used, most),
  most: most === 0 ? null : most,
  window_seconds: windowSeconds,
});

/** What the company may use, and what it has used. */
export function mountBudgets(mount: DashboardMount, shop: DashboardShop): void {
  const { db, budgets, streamCounts } = shop;
  const { limits } = budgets;

  const counted = async (kind: BudgetKind, what: Counted, most: number, companyId: string) =>
    budgetView(kind, most === 0 ? 0 : await budgets.usedOf(db, what, companyId), most, WINDOW_MS[what] / 1000);

  const megabytes = async (companyId: string): Promise<number> =>
    limits.storagePerDay === 0 ? 0 : Math.ceil((await budgets.usedOf(db, 'storage', companyId)) / KB_IN_MB);

  mount(calls.listBudgets, async ({ company: { id } }) => {
    const { games, keys } = await countGamesAndKeys(db, id);
    return {
      data: [
        await counted('requests', 'requests', limits.requestsPerMinute, id),
        await counted('provider_calls', 'providerCalls', limits.providerCallsPerHour, id),
        await counted('sandbox_orders', 'sandboxOrders', limits.sandboxOrdersPerDay, id),
        budgetView('storage_mb', await megabytes(id), limits.storagePerDay, DAY_SECONDS),
        budgetView('games', games, limits.games, null),
        budgetView('keys', keys, limits.keys, null),
        budgetView('streams', await streamCounts.count(id), limits.streams, null),
        budgetView('exams', await countRecentExams(db, id), limits.examsPerHour, HOUR_SECONDS),
        budgetView(
          'invitations',
          await findMailsOfToday(db, `invitations ${id}`),
          INVITATIONS_A_DAY.company,
          DAY_SECONDS,
        ),
        budgetView('free_receipts', await findMailsOfToday(db, `receipts ${id}`), FREE_RECEIPTS_A_DAY, DAY_SECONDS),
      ],
    };
  });
}
