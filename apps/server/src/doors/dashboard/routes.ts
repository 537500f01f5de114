import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createGate } from './dashboard-gate.ts';
import { type DashboardMount, type DashboardShop, dashboardMount } from './define-route.ts';
import { mountBudgets } from './people/budgets.ts';
import { mountCompany } from './people/company.ts';
import { mountMails } from './people/mails.ts';
import { mountProfile, mountSecurity } from './people/profile.ts';
import { mountRegistration, mountSession } from './people/session.ts';
import { mountSso } from './people/sso.ts';
import { mountTeam } from './people/team.ts';
import { serveApp } from './serve-app.ts';
import { mountAppearance } from './settings/appearance.ts';
import { mountGameSettings, mountSandboxTools } from './settings/game-settings.ts';
import { mountMethods } from './settings/methods.ts';
import { mountProvider } from './settings/provider.ts';
import { mountExams, mountWebhooks } from './settings/webhooks.ts';
import { mountAttention, mountGrants } from './shop/attention.ts';
import { mountItems, mountPlayers } from './shop/catalog.ts';
import { mountDisputes } from './shop/disputes.ts';
import { mountHome } from './shop/home.ts';
import { mountBulk, mountDeliveries, mountOrders } from './shop/orders.ts';
import { mountReconciliation } from './shop/reconciliation.ts';
import { mountTransactions } from './shop/transactions.ts';

const pack = promisify(gzip);

/** Below this an answer fits into one packet either way. */
const LEAST_CHARACTERS = 1_200;

const takesGzip = (accepted: string | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i.test(accepted ?? '');

/**
 * Lists of fifty rows are 25 KB of repeated names: half a second on a slow network. Only what is read and holds no secret: the
 * size of a packed answer tells an attacker on the wire whether a guess beside the secret was right, so the session's answer,
 * which holds the token that allows changes, is sent as it is.
 */
async function compressAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isList = typeof payload === 'string' && payload.length >= LEAST_CHARACTERS && request.method === 'GET';
  if (!isList || reply.statusCode !== 200 || request.routeOptions.url === '/dashboard/api/session') return payload;
  void reply.header('vary', 'accept-encoding');
  if (!takesGzip(request.headers['accept-encoding'])) return payload;
  void reply.header('content-encoding', 'gzip');
  return pack(payload);
}

/** One file for each part of the dashboard, each with a line from endpoint to use case. */
const PARTS: readonly ((mount: DashboardMount, shop: DashboardShop) => void)[] = [
  mountSession,
  mountRegistration,
  mountProfile,
  mountSecurity,
  mountCompany,
  mountMails,
  mountBudgets,
  mountSso,
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

export function mountDashboard(app: FastifyInstance, shop: DashboardShop): void {
  void app.register(async scope => {
    scope.addHook('onSend', compressAnswer);
    const mount = dashboardMount(scope, createGate(shop), shop);
    for (const mountPart of PARTS) mountPart(mount, shop);
  });
  serveApp(app);
}
