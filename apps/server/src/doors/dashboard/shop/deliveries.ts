import {
  dashboardEndpoints as calls,
  type DeliveryDetail,
  type DeliveryStatus,
  type EventKind,
} from '@coinslot/contract';
import { listDeliveryFigures, listFreshAttempts } from '../../../domain/report/figures/delivery-figures.sql.ts';
import { figuresOver, SPANS, spanStart } from '../../../domain/report/figures/delivery-figures.ts';
import { ALL_IDS } from '../../../domain/report/lists/index-scan.sql.ts';
import { listDashboardDeliveries } from '../../../domain/report/lists/list-deliveries.ts';
import { listAttempts } from '../../../domain/webhook/attempt.sql.ts';
import { findDelivery } from '../../../domain/webhook/delivery.sql.ts';
import { deliverySummary, deliveryView } from '../../../domain/webhook/delivery-view.ts';
import { retryDelivery } from '../../../domain/webhook/resend.ts';
import { findSubscription } from '../../../domain/webhook/subscription.sql.ts';
import { AppError } from '../../../kit/app-error.ts';
import { idBound } from '../../../kit/ids.ts';
import { audited } from '../audited.ts';
import type { EnvironmentContext } from '../dashboard-context.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import type { DashboardMount } from '../define-route.ts';
import { beforeOf, type ListQuery, limitOf, pageView, wordsOf } from '../list-query.ts';
import { hasRole } from './transactions.ts';

/** Ids of deliveries are made by the clock of a process, which may differ from the database's. The time itself decides. */
const SLACK_MS = 3_600_000;

const timeOf = (seconds: number | undefined): Date | null => (seconds === undefined ? null : new Date(seconds * 1000));

const boundsOf = ({ created_from: from, created_to: to }: ListQuery) => ({
  from: from === undefined ? ALL_IDS.from : idBound('dlv', from * 1000 - SLACK_MS),
  below: to === undefined ? ALL_IDS.below : idBound('dlv', to * 1000 + SLACK_MS),
});

const RETRYABLE: readonly string[] = ['pending', 'succeeded', 'declined', 'exhausted'];

async function detailOf(
  { db }: DashboardDeps,
  { environment, role }: EnvironmentContext,
  id: string,
): Promise<DeliveryDetail> {
  const delivery = await findDelivery(db, environment.id, id);
  if (!delivery) throw new AppError('delivery_not_found');
  const [attempts, subscription] = await Promise.all([
    listAttempts(db, environment.id, [id]),
    delivery.subscriptionId === null ? null : findSubscription(db, environment.id, delivery.subscriptionId),
  ]);
  return {
    ...deliveryView(delivery, attempts),
    webhook_url: subscription?.url ?? null,
    body: delivery.body,
    actions: hasRole(role, 'support') && RETRYABLE.includes(delivery.status) ? ['retry'] : [],
  };
}

export function mountDeliveries(mount: DashboardMount, deps: DashboardDeps): void {
  const { db, clock } = deps;

  mount(calls.listDashboardDeliveries, async ({ environment }, { query }) => {
    const filter = {
      subscriptionId: query.webhook_id ?? null,
      kinds: wordsOf<EventKind>(query.event_type),
      statuses: wordsOf<DeliveryStatus>(query.status),
      orderId: query.order_id ?? null,
      createdFrom: timeOf(query.created_from),
      createdTo: timeOf(query.created_to),
      bounds: boundsOf(query),
    };
    const options = { before: beforeOf(query, 'dlv'), limit: limitOf(query) };
    return pageView(await listDashboardDeliveries(db, environment.id, filter, options), deliverySummary);
  });

  mount(calls.listDeliveryFigures, async ({ environment }, { query }) => {
    const span = query.span ?? '24h';
    const now = new Date(clock.nowMs());
    const [rolledUp, fresh] = await Promise.all([
      listDeliveryFigures(db, environment.id, spanStart(span, now)),
      listFreshAttempts(db, environment.id),
    ]);
    const rows = [...rolledUp, ...fresh].filter(
      ({ subscriptionId }) => query.webhook_id === undefined || subscriptionId === query.webhook_id,
    );
    return { step_seconds: SPANS[span].stepMs / 1000, data: figuresOver(rows, span, now) };
  });

  mount(calls.getDashboardDelivery, (context, { params }) => detailOf(deps, context, params.delivery_id));

  mount(calls.retryDashboardDelivery, async (context, { params }) => {
    const note = { kind: 'delivery.retried', objectId: params.delivery_id } as const;
    const retrying = { ...deps, db: audited(db, context, () => note) };
    await retryDelivery(retrying, context.environment.id, params.delivery_id);
    return detailOf(deps, context, params.delivery_id);
  });
}
