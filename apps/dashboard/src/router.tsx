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
import { patiently } from './kit/connection.ts';
import { readSearch, textFilters, writeSearch } from './kit/filters.ts';
import { readSession, SESSION_KEY } from './kit/session.ts';
import { NotFound } from './pages/not-found.tsx';
import { EnvironmentGate } from './shell/environment-gate.tsx';
import { PageFailed } from './shell/page-failed.tsx';
import { lastPlace, placeToStart } from './shell/places.ts';
import { PageSkeleton } from './ui/reading.tsx';

const page = <Key extends string>(load: () => Promise<Record<Key, RouteComponent>>, name: Key): RouteComponent =>
  lazyRouteComponent(patiently(load), name) as RouteComponent;

/** Path → page. Each page is a chunk of its own, loaded when it is first opened. */
const PAGES: readonly (readonly [path: string, component: RouteComponent])[] = [
  ['/', page(() => import('./pages/home/home-page.tsx'), 'HomePage')],
  ['transactions', page(() => import('./pages/transactions/transactions-page.tsx'), 'TransactionsPage')],
  ['transactions/$paymentId', page(() => import('./pages/transactions/transaction-page.tsx'), 'TransactionPage')],
  ['transactions/$paymentId/dispute', page(() => import('./pages/disputes/dispute-page.tsx'), 'DisputePage')],
  ['orders', page(() => import('./pages/orders/orders-page.tsx'), 'OrdersPage')],
  ['orders/$orderId', page(() => import('./pages/orders/order-page.tsx'), 'OrderPage')],
  ['attention', page(() => import('./pages/attention/attention-page.tsx'), 'AttentionPage')],
  ['grants', page(() => import('./pages/orders/grants-page.tsx'), 'GrantsPage')],
  ['players', page(() => import('./pages/players/players-page.tsx'), 'PlayersPage')],
  ['players/$playerId', page(() => import('./pages/players/player-page.tsx'), 'PlayerPage')],
  ['items', page(() => import('./pages/items/items-page.tsx'), 'ItemsPage')],
  ['items/$sku', page(() => import('./pages/items/item-page.tsx'), 'ItemPage')],
  ['integration/keys', page(() => import('./pages/integration/keys-page.tsx'), 'KeysPage')],
  ['integration/webhooks', page(() => import('./pages/integration/webhooks-page.tsx'), 'WebhooksPage')],
  ['integration/webhooks/$webhookId', page(() => import('./pages/integration/webhook-page.tsx'), 'WebhookPage')],
  ['integration/deliveries', page(() => import('./pages/integration/deliveries-page.tsx'), 'DeliveriesPage')],
  ['integration/deliveries/$deliveryId', page(() => import('./pages/integration/delivery-page.tsx'), 'DeliveryPage')],
  ['integration/sandbox', page(() => import('./pages/integration/sandbox-page.tsx'), 'SandboxPage')],
  ['integration/exam', page(() => import('./pages/exam/exam-page.tsx'), 'ExamPage')],
  ['integration/exam/$examId', page(() => import('./pages/exam/exam-detail-page.tsx'), 'ExamDetailPage')],
  ['settings/company', page(() => import('./pages/settings/company-page.tsx'), 'CompanyPage')],
  ['settings/methods', page(() => import('./pages/settings/methods-page.tsx'), 'MethodsPage')],
  ['settings/provider', page(() => import('./pages/settings/provider-page.tsx'), 'ProviderPage')],
  ['settings/reconciliation', page(() => import('./pages/settings/reconciliation-page.tsx'), 'ReconciliationPage')],
  ['settings/reconciliation/$day', page(() => import('./pages/settings/payouts-page.tsx'), 'PayoutsPage')],
  ['settings/appearance', page(() => import('./pages/settings/appearance/appearance-page.tsx'), 'AppearancePage')],
  ['settings/receipts', page(() => import('./pages/settings/receipts-page.tsx'), 'ReceiptsPage')],
  ['settings/grant-rules', page(() => import('./pages/settings/grant-rules-page.tsx'), 'GrantRulesPage')],
  ['settings/team', page(() => import('./pages/settings/team-page.tsx'), 'TeamPage')],
  ['settings/audit', page(() => import('./pages/settings/audit-page.tsx'), 'AuditPage')],
  ['settings/profile', page(() => import('./pages/profile/profile-page.tsx'), 'ProfilePage')],
];

const ENTRANCES: typeof PAGES = [
  ['/sign-in', page(() => import('./pages/entrance/sign-in-page.tsx'), 'SignInPage')],
  ['/register', page(() => import('./pages/entrance/register-page.tsx'), 'RegisterPage')],
  ['/forgot', page(() => import('./pages/entrance/forgot-page.tsx'), 'ForgotPage')],
  ['/reset', page(() => import('./pages/entrance/reset-page.tsx'), 'ResetPage')],
  ['/confirm-email', page(() => import('./pages/entrance/confirm-email-page.tsx'), 'ConfirmEmailPage')],
  ['/invitation', page(() => import('./pages/entrance/invitation-page.tsx'), 'InvitationPage')],
];

function startRoute(root: AnyRoute, queries: QueryClient): AnyRoute {
  return createRoute({
    getParentRoute: () => root,
    path: '/',
    beforeLoad: async () => {
      const session = await queries.fetchQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });
      if (!session.user) throw redirect({ to: '/sign-in' });
      const games = session.companies.flatMap(company => company.games);
      throw redirect({ to: placeToStart(games, lastPlace()) ?? '/register' });
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
      ...ENTRANCES.map(routeOf(root)),
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
