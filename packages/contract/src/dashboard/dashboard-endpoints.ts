import type { DashboardEndpoint, RoutesOf } from './dashboard-endpoint.ts';
import { sessionEndpoints } from './session.ts';

/** Every call the dashboard's browser app can make. Not in `/openapi.json`: it is no promise to anybody else. */
export const dashboardEndpoints = {
  ...sessionEndpoints,
} as const satisfies Record<string, DashboardEndpoint>;

export type DashboardRoutes = RoutesOf<typeof dashboardEndpoints>;
export type DashboardRoute = keyof DashboardRoutes;
