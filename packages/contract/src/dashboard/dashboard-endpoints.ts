import { attentionEndpoints } from './attention.ts';
import { companyEndpoints } from './company.ts';
import type { DashboardEndpoint, RoutesOf } from './dashboard-endpoint.ts';
import { deliveryEndpoints } from './deliveries.ts';
import { gameSettingsEndpoints } from './game-settings.ts';
import { homeEndpoints } from './home.ts';
import { itemEndpoints } from './items.ts';
import { methodEndpoints } from './methods.ts';
import { orderEndpoints } from './orders.ts';
import { budgetEndpoints } from './people/budgets.ts';
import { mailEndpoints } from './people/mails.ts';
import { ssoEndpoints } from './people/sso.ts';
import { playerEndpoints } from './players.ts';
import { profileEndpoints } from './profile.ts';
import { providerEndpoints } from './provider.ts';
import { bulkEndpoints } from './purchases/bulk.ts';
import { disputeEndpoints } from './purchases/disputes.ts';
import { figureEndpoints } from './purchases/figures.ts';
import { viewEndpoints } from './purchases/views.ts';
import { reconciliationEndpoints } from './reconciliation.ts';
import { sandboxToolEndpoints } from './sandbox-tools.ts';
import { securityEndpoints } from './security.ts';
import { sessionEndpoints } from './session.ts';
import { transactionEndpoints } from './transactions.ts';
import { webhookEndpoints } from './webhooks.ts';

/** Every call the dashboard's browser app can make. Not in `/openapi.json`, because only that app can rely on it. */
export const dashboardEndpoints = {
  ...sessionEndpoints,
  ...profileEndpoints,
  ...securityEndpoints,
  ...companyEndpoints,
  ...budgetEndpoints,
  ...mailEndpoints,
  ...ssoEndpoints,
  ...gameSettingsEndpoints,
  ...homeEndpoints,
  ...transactionEndpoints,
  ...orderEndpoints,
  ...attentionEndpoints,
  ...disputeEndpoints,
  ...figureEndpoints,
  ...bulkEndpoints,
  ...viewEndpoints,
  ...playerEndpoints,
  ...itemEndpoints,
  ...webhookEndpoints,
  ...deliveryEndpoints,
  ...methodEndpoints,
  ...providerEndpoints,
  ...reconciliationEndpoints,
  ...sandboxToolEndpoints,
} as const satisfies Record<string, DashboardEndpoint>;

export type DashboardRoutes = RoutesOf<typeof dashboardEndpoints>;
export type DashboardRoute = keyof DashboardRoutes;
