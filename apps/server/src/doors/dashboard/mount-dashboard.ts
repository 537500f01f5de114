import type { FastifyInstance } from 'fastify';
import { mountChanges } from './changes.ts';
import { mountCompany } from './company.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { createGate } from './dashboard-gate.ts';
import { type DashboardMount, dashboardMount } from './dashboard-mount.ts';
import { mountDeliveries } from './deliveries.ts';
import { mountGameSettings } from './game-settings.ts';
import { mountGrants } from './grants.ts';
import { mountHome } from './home.ts';
import { mountItems } from './items.ts';
import { mountMethods } from './methods.ts';
import { mountOrders } from './orders.ts';
import { mountPlayers } from './players.ts';
import { mountProfile } from './profile.ts';
import { mountProvider } from './provider.ts';
import { mountReconciliation } from './reconciliation.ts';
import { mountRegistration } from './registration.ts';
import { serveApp } from './serve-app.ts';
import { mountSession } from './session.ts';
import { mountTeam } from './team.ts';
import { mountTransactions } from './transactions.ts';
import { mountWebhooks } from './webhooks.ts';

/** One file for each part of the dashboard, each with a line from endpoint to use case. */
const PARTS: readonly ((mount: DashboardMount, deps: DashboardDeps) => void)[] = [
  mountSession,
  mountRegistration,
  mountProfile,
  mountCompany,
  mountTeam,
  mountGameSettings,
  mountHome,
  mountTransactions,
  mountOrders,
  mountGrants,
  mountPlayers,
  mountItems,
  mountWebhooks,
  mountDeliveries,
  mountProvider,
  mountReconciliation,
  mountMethods,
  mountChanges,
];

/** Everything the studio's people may see and do. */
export function mountDashboard(app: FastifyInstance, deps: DashboardDeps): void {
  const mount = dashboardMount(app, createGate(deps));
  for (const mountPart of PARTS) mountPart(mount, deps);
  serveApp(app);
}
