import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router';
import { loadWhenOnline } from './kit/connection.ts';
import { readSearch, textFilters, writeSearch } from './kit/filters.ts';
import { readSession, SESSION_KEY } from './kit/session.ts';
import { NotFound } from './pages/not-found.tsx';
import { EnvironmentGate } from './shell/environment-gate.tsx';
import { PageFailed } from './shell/page-failed.tsx';
import { lastEnvironment, startPath } from './shell/paths.ts';
import { withTexts } from './texts/texts.ts';
import { PageSkeleton } from './ui/loading.tsx';

const page = <Key extends string>(load: () => Promise<Record<Key, RouteComponent>>, name: Key): RouteComponent =>
  lazyRouteComponent(loadWhenOnline(load), name) as RouteComponent;

/** Pages about purchases, players and items. */
const shop = <Key extends string>(load: () => Promise<Record<Key, RouteComponent>>, name: Key): RouteComponent =>
  page(withTexts('shop', load), name);

/** Pages about integration, settings and the member's own account. */
const setup = <Key extends string>(load: () => Promise<Record<Key, RouteComponent>>, name: Key): RouteComponent =>
  page(withTexts('setup', load), name);

/** Each page is its own chunk, loaded when it is first opened. */
const PAGES: readonly (readonly [path: string, component: RouteComponent])[] = [
  ['/', page(() => import('./pages/home/home-page.tsx'), 'HomePage')],
  ['figures', shop(() => import('./pages/figures/figures-page.tsx'), 'FiguresPage')],
  ['transactions', shop(() => import('./pages/transactions/transactions-page.tsx'), 'TransactionsPage')],
  ['transactions/$paymentId', shop(() => import('./pages/transactions/transaction-page.tsx'), 'TransactionPage')],
  ['transactions/$paymentId/dispute', shop(() => import('./pages/disputes/dispute-page.tsx'), 'DisputePage')],
  ['orders', shop(() => import('./pages/orders/orders-page.tsx'), 'OrdersPage')],
  ['orders/$orderId', shop(() => import('./pages/orders/order-page.tsx'), 'OrderPage')],
  ['attention', shop(() => import('./pages/attention/attention-page.tsx'), 'AttentionPage')],
  ['grants', shop(() => import('./pages/orders/grants-page.tsx'), 'GrantsPage')],
  ['players', shop(() => import('./pages/players/players-page.tsx'), 'PlayersPage')],
  ['players/$playerId', shop(() => import('./pages/players/player-page.tsx'), 'PlayerPage')],
  ['items', shop(() => import('./pages/items/items-page.tsx'), 'ItemsPage')],
  ['items/$sku', shop(() => import('./pages/items/item-page.tsx'), 'ItemPage')],
  ['integration/keys', setup(() => import('./pages/integration/keys-page.tsx'), 'KeysPage')],
  ['integration/webhooks', setup(() => import('./pages/integration/webhooks-page.tsx'), 'WebhooksPage')],
  ['integration/webhooks/$webhookId', setup(() => import('./pages/integration/webhook-page.tsx'), 'WebhookPage')],
  ['integration/deliveries', setup(() => import('./pages/integration/deliveries-page.tsx'), 'DeliveriesPage')],
  ['integration/deliveries/$deliveryId', setup(() => import('./pages/integration/delivery-page.tsx'), 'DeliveryPage')],
  ['integration/sandbox', setup(() => import('./pages/integration/sandbox-page.tsx'), 'SandboxPage')],
  ['integration/exam', setup(() => import('./pages/exam/exam-page.tsx'), 'ExamPage')],
  ['integration/exam/$examId', setup(() => import('./pages/exam/exam-detail-page.tsx'), 'ExamDetailPage')],
  ['settings/company', setup(() => import('./pages/settings/company-page.tsx'), 'CompanyPage')],
  ['settings/methods', setup(() => import('./pages/settings/methods/methods-page.tsx'), 'MethodsPage')],
  ['settings/provider', setup(() => import('./pages/settings/provider-page.tsx'), 'ProviderPage')],
  ['settings/reconciliation', setup(() => import('./pages/settings/reconciliation-page.tsx'), 'ReconciliationPage')],
  ['settings/reconciliation/$day', setup(() => import('./pages/settings/payouts-page.tsx'), 'PayoutsPage')],
  ['settings/appearance', setup(() => import('./pages/settings/appearance/appearance-page.tsx'), 'AppearancePage')],
  ['settings/receipts', setup(() => import('./pages/settings/mails/receipts-page.tsx'), 'ReceiptsPage')],
  ['settings/grant-rules', setup(() => import('./pages/settings/grant-rules-page.tsx'), 'GrantRulesPage')],
  ['settings/team', setup(() => import('./pages/settings/team-page.tsx'), 'TeamPage')],
  ['settings/audit', setup(() => import('./pages/settings/audit-page.tsx'), 'AuditPage')],
  ['settings/profile', setup(() => import('./pages/profile/profile-page.tsx'), 'ProfilePage')],
];

const AUTH_PAGES: typeof PAGES = [
  ['/sign-in', setup(() => import('./pages/auth/sign-in-page.tsx'), 'SignInPage')],
  ['/register', setup(() => import('./pages/auth/register-page.tsx'), 'RegisterPage')],
  ['/forgot', setup(() => import('./pages/auth/forgot-password-page.tsx'), 'ForgotPasswordPage')],
  ['/reset', setup(() => import('./pages/auth/reset-password-page.tsx'), 'ResetPasswordPage')],
  ['/confirm-email', setup(() => import('./pages/auth/confirm-email-page.tsx'), 'ConfirmEmailPage')],
  ['/sso/$companyId/callback', setup(() => import('./pages/auth/sso-page.tsx'), 'SsoCallbackPage')],
  ['/sso/$companyId', setup(() => import('./pages/auth/sso-page.tsx'), 'SsoPage')],
  ['/invitation', setup(() => import('./pages/auth/invitation-page.tsx'), 'InvitationPage')],
];

function startRoute(root: AnyRoute, queries: QueryClient): AnyRoute {
  return createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: async () => {
      const session = await queries.fetchQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });
      if (!session.user) throw redirect({ to: session.installation_is_new ? '/register' : '/sign-in' });
      const games = session.companies.flatMap(company => company.games);
      throw redirect({ to: startPath(games, lastEnvironment()) ?? '/register' });
    },
  });
}

export function makeRouter(queries: QueryClient) {
  const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
  const environment = createRoute({
    getParentRoute: () => root,
    path: '/g/$gameId/$mode',
    component: EnvironmentGate,
    notFoundComponent: NotFound,
  });
  const routeOf =
    (parent: AnyRoute) =>
    ([path, component]: (typeof PAGES)[number]): AnyRoute =>
      createRoute({
        getParentRoute: () => parent,
        path,
        component,
        validateSearch: textFilters,
      });
  return createRouter({
    routeTree: root.addChildren([
      startRoute(root, queries),
      ...AUTH_PAGES.map(routeOf(root)),
      environment.addChildren(PAGES.map(routeOf(environment))),
    ]),
    basepath: '/dashboard',
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    defaultPreload: 'intent',
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: PageFailed,
    scrollRestoration: true,
  });
}
