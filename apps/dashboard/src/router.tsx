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
import { withAllTexts } from './texts/texts.ts';
import { PageSkeleton } from './ui/reading.tsx';

const page = <Key extends string>(load: () => Promise<Record<Key, RouteComponent>>, name: Key): RouteComponent =>
  lazyRouteComponent(patiently(load), name) as RouteComponent;

/** Says more than the first page does. */
const later = <Key extends string>(load: () => Promise<Record<Key, RouteComponent>>, name: Key): RouteComponent =>
  page(withAllTexts(load), name);

/** Path → page. Each page is a chunk of its own, loaded when it is first opened. */
const PAGES: readonly (readonly [path: string, component: RouteComponent])[] = [
  ['/', page(() => import('./pages/home/home-page.tsx'), 'HomePage')],
  ['transactions', later(() => import('./pages/transactions/transactions-page.tsx'), 'TransactionsPage')],
  ['transactions/$paymentId', later(() => import('./pages/transactions/transaction-page.tsx'), 'TransactionPage')],
  ['transactions/$paymentId/dispute', later(() => import('./pages/disputes/dispute-page.tsx'), 'DisputePage')],
  ['orders', later(() => import('./pages/orders/orders-page.tsx'), 'OrdersPage')],
  ['orders/$orderId', later(() => import('./pages/orders/order-page.tsx'), 'OrderPage')],
  ['attention', later(() => import('./pages/attention/attention-page.tsx'), 'AttentionPage')],
  ['grants', later(() => import('./pages/orders/grants-page.tsx'), 'GrantsPage')],
  ['players', later(() => import('./pages/players/players-page.tsx'), 'PlayersPage')],
  ['players/$playerId', later(() => import('./pages/players/player-page.tsx'), 'PlayerPage')],
  ['items', later(() => import('./pages/items/items-page.tsx'), 'ItemsPage')],
  ['items/$sku', later(() => import('./pages/items/item-page.tsx'), 'ItemPage')],
  ['integration/keys', later(() => import('./pages/integration/keys-page.tsx'), 'KeysPage')],
  ['integration/webhooks', later(() => import('./pages/integration/webhooks-page.tsx'), 'WebhooksPage')],
  ['integration/webhooks/$webhookId', later(() => import('./pages/integration/webhook-page.tsx'), 'WebhookPage')],
  ['integration/deliveries', later(() => import('./pages/integration/deliveries-page.tsx'), 'DeliveriesPage')],
  ['integration/deliveries/$deliveryId', later(() => import('./pages/integration/delivery-page.tsx'), 'DeliveryPage')],
  ['integration/sandbox', later(() => import('./pages/integration/sandbox-page.tsx'), 'SandboxPage')],
  ['integration/exam', later(() => import('./pages/exam/exam-page.tsx'), 'ExamPage')],
  ['integration/exam/$examId', later(() => import('./pages/exam/exam-detail-page.tsx'), 'ExamDetailPage')],
  ['settings/company', later(() => import('./pages/settings/company-page.tsx'), 'CompanyPage')],
  ['settings/methods', later(() => import('./pages/settings/methods/methods-page.tsx'), 'MethodsPage')],
  ['settings/provider', later(() => import('./pages/settings/provider-page.tsx'), 'ProviderPage')],
  ['settings/reconciliation', later(() => import('./pages/settings/reconciliation-page.tsx'), 'ReconciliationPage')],
  ['settings/reconciliation/$day', later(() => import('./pages/settings/payouts-page.tsx'), 'PayoutsPage')],
  ['settings/appearance', later(() => import('./pages/settings/appearance/appearance-page.tsx'), 'AppearancePage')],
  ['settings/receipts', later(() => import('./pages/settings/receipts-page.tsx'), 'ReceiptsPage')],
  ['settings/grant-rules', later(() => import('./pages/settings/grant-rules-page.tsx'), 'GrantRulesPage')],
  ['settings/team', later(() => import('./pages/settings/team-page.tsx'), 'TeamPage')],
  ['settings/audit', later(() => import('./pages/settings/audit-page.tsx'), 'AuditPage')],
  ['settings/profile', later(() => import('./pages/profile/profile-page.tsx'), 'ProfilePage')],
];

const ENTRANCES: typeof PAGES = [
  ['/sign-in', later(() => import('./pages/entrance/sign-in-page.tsx'), 'SignInPage')],
  ['/register', later(() => import('./pages/entrance/register-page.tsx'), 'RegisterPage')],
  ['/forgot', later(() => import('./pages/entrance/forgot-page.tsx'), 'ForgotPage')],
  ['/reset', later(() => import('./pages/entrance/reset-page.tsx'), 'ResetPage')],
  ['/confirm-email', later(() => import('./pages/entrance/confirm-email-page.tsx'), 'ConfirmEmailPage')],
  ['/invitation', later(() => import('./pages/entrance/invitation-page.tsx'), 'InvitationPage')],
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
