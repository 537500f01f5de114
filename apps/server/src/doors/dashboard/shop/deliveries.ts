import { dashboardEndpoints as calls } from '@coinslot/contract';
import { readDeliveryFigures } from '../../../domain/reporting/figures/read-attempts.ts';
import { deliveryList, readDeliveryDetail } from '../../../domain/reporting/lists/deliveries.ts';
import { retryDelivery } from '../../../domain/webhook/delivery/resend.ts';
import { deliverySummary } from '../../../domain/webhook/endpoints/webhook-views.ts';
import { type DashboardDeps, type EnvironmentContext, listsOf } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';
import { answerPage } from '../list-answers.ts';

export function mountDeliveries(mount: DashboardMount, deps: DashboardDeps): void {
  const { db, clock } = deps;
  const detail = ({ environment, role }: EnvironmentContext, id: string) =>
    readDeliveryDetail(db, { environmentId: environment.id, role }, id);

  mount(calls.listDashboardDeliveries, (context, { query }) =>
    answerPage(deps, context, deliveryList, query, deliverySummary),
  );

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
