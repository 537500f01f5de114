import type { FastifyInstance } from 'fastify';
import { mountCompany } from './company.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { createGate } from './dashboard-gate.ts';
import { type DashboardMount, dashboardMount } from './dashboard-mount.ts';
import { mountGameSettings } from './game-settings.ts';
import { mountProfile } from './profile.ts';
import { mountRegistration } from './registration.ts';
import { serveApp } from './serve-app.ts';
import { mountSession } from './session.ts';
import { mountTeam } from './team.ts';

/** One file for each part of the dashboard, each with a line from endpoint to use case. */
const PARTS: readonly ((mount: DashboardMount, deps: DashboardDeps) => void)[] = [
  mountSession,
  mountRegistration,
  mountProfile,
  mountCompany,
  mountTeam,
  mountGameSettings,
];

/** Everything the studio's people may see and do. */
export function mountDashboard(app: FastifyInstance, deps: DashboardDeps): void {
  const mount = dashboardMount(app, createGate(deps));
  for (const mountPart of PARTS) mountPart(mount, deps);
  serveApp(app);
}
