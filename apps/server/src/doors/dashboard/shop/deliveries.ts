import { dashboardEndpoints as calls, type DeliveryStatus, type EventKind } from '@coinslot/contract';
import { readDeliveryFigures } from '../../../domain/reporting/figures/read-attempts.ts';
import { listDashboardDeliveries, readDeliveryDetail } from '../../../domain/reporting/lists/list-deliveries.ts';
import { retryDelivery } from '../../../domain/webhook/delivery/resend.ts';
import { deliverySummary } from '../../../domain/webhook/endpoints/webhook-views.ts';
import { cursorOf, fromUnix, limitOf } from '../../../http/paging.ts';
import { ID_SLACK_MS } from '../../../kit/ids.ts';
import { type DashboardDeps, type EnvironmentContext, listsOf } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { boundsOf, pageView, wordsOf } from '../list-query.ts';

export function mountDeliveries(mount: DashboardMount, deps: DashboardDeps): void {
  const { db, clock } = deps;
  const detail = ({ environment, role }: EnvironmentContext, id: string) =>
    readDeliveryDetail(db, { environmentId: environment.id, role }, id);

  mount(calls.listDashboardDeliveries, async (context, { query }) => {
    const filter = {
      subscriptionId: query.webhook_id ?? null,
      kinds: wordsOf<EventKind>(query.event_type),
      statuses: wordsOf<DeliveryStatus>(query.status),
      orderId: query.order_id ?? null,
      createdFrom: fromUnix(query.created_from),
      createdTo: fromUnix(query.created_to),
      bounds: boundsOf(query, 'dlv', ID_SLACK_MS),
    };
    const options = { before: cursorOf(query, 'dlv'), limit: limitOf(query) };
    const lists = listsOf(deps, context);
    return pageView(await listDashboardDeliveries(lists, context.environment.id, filter, options), deliverySummary);
  });

  mount(calls.listDeliveryFigures, (context, { query: { span = '24h', webhook_id = null } }) => {
    const filter = { span, subscriptionId: webhook_id, now: new Date(clock.nowMs()) };
    return readDeliveryFigures(listsOf(deps, context), context.environment.id, filter);
  });

  mount(calls.getDashboardDelivery, (context, { params }) => detail(context, params.delivery_id));

  mount(calls.retryDashboardDelivery, async (context, { params }) => {
    await retryDelivery(deps, context.actor, context.environment, params.delivery_id);
    return detail(context, params.delivery_id);
  });
}
