import type { FastifyInstance } from 'fastify';
import { compressAnswer } from './compress-answer.ts';
import type { DashboardShop } from './dashboard-context.ts';
import { createGate } from './dashboard-gate.ts';
import { type DashboardMount, dashboardMount } from './define-route.ts';
import { mountCompany } from './people/company.ts';
import { mountProfile } from './people/profile.ts';
import { mountRegistration } from './people/registration.ts';
import { mountSecurity } from './people/security.ts';
import { mountSession } from './people/session.ts';
import { mountTeam } from './people/team.ts';
import { serveApp } from './serve-app.ts';
import { mountAppearance } from './settings/appearance.ts';
import { mountGameSettings } from './settings/game-settings.ts';
import { mountMethods } from './settings/methods.ts';
import { mountProvider } from './settings/provider.ts';
import { mountSandboxTools } from './settings/sandbox-tools.ts';
import { mountExams, mountWebhooks } from './settings/webhooks.ts';
import { mountAttention } from './shop/attention.ts';
import { mountBulk } from './shop/bulk.ts';
import { mountItems, mountPlayers } from './shop/catalog.ts';
import { mountGrants } from './shop/grants.ts';
import { mountHome } from './shop/home.ts';
import { mountDeliveries, mountOrders } from './shop/orders.ts';
import { mountReconciliation } from './shop/reconciliation.ts';
import { mountDisputes, mountTransactions } from './shop/transactions.ts';

/** One file for each part of the dashboard, each with a line from endpoint to use case. */
const PARTS: readonly ((mount: DashboardMount, shop: DashboardShop) => void)[] = [
  mountSession,
  mountRegistration,
  mountProfile,
  mountSecurity,
  mountCompany,
  mountTeam,
  mountGameSettings,
  mountAppearance,
  mountHome,
  mountTransactions,
  mountOrders,
  mountBulk,
  mountAttention,
  mountDisputes,
  mountGrants,
  mountPlayers,
  mountItems,
  mountWebhooks,
  mountDeliveries,
  mountProvider,
  mountReconciliation,
  mountMethods,
  mountSandboxTools,
  mountExams,
];

/** Everything that studio members may see and do. */
export function mountDashboard(app: FastifyInstance, shop: DashboardShop): void {
  void app.register(async scope => {
    scope.addHook('onSend', compressAnswer);
    const mount = dashboardMount(scope, createGate(shop), shop);
    for (const mountPart of PARTS) mountPart(mount, shop);
  });
  serveApp(app);
}
