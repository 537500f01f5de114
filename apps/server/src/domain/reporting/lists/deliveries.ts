import type { DeliveryDetail, DeliveryStatus, dashboardEndpoints, QueryOf, Role } from '@coinslot/contract';
import type { Db } from '../../../db/db.ts';
import { ID_SLACK_MS } from '../../../kit/ids.ts';
import { hasRole } from '../../company/manage-members.ts';
import { DELIVERIES, type Delivery } from '../../webhook/delivery/delivery.sql.ts';
import { isRetryable } from '../../webhook/delivery/resend.ts';
import { findSubscription } from '../../webhook/endpoints/subscription.sql.ts';
import { readDelivery, readDeliveryView } from '../../webhook/endpoints/webhook-views.ts';
import { defineList, wordsOf } from './define-list.ts';
import { equals, exactly, isOneOf, listIdsWithin } from './index-scan.sql.ts';

export type DeliveryQuery = Omit<QueryOf<typeof dashboardEndpoints.listDashboardDeliveries>, 'cursor' | 'limit'>;

const PROBLEMS: readonly DeliveryStatus[] = ['blocked', 'held', 'declined', 'exhausted', 'canceled'];
const PROBLEM_PREDICATE = `status in ('blocked', 'held', 'declined', 'exhausted', 'canceled')`;

export const deliveryList = defineList<DeliveryQuery, Delivery, Delivery>({
  table: 'deliveries',
  idPrefix: 'dlv',
  idSlackMs: ID_SLACK_MS,
  columns: DELIVERIES.columns.sqlText,
  filters: {
    order_id: orderId => ({
      condition: equals('order_id', orderId),
      find: (tx, scope) => listIdsWithin(tx, scope, exactly('order_id', orderId)),
    }),
    webhook_id: webhookId => ({
      condition: equals('subscription_id', webhookId),
      ranges: [{ prefix: { subscription_id: webhookId } }],
    }),
    event_type: kinds => ({ condition: isOneOf('event_type', wordsOf(kinds)) }),
    status: text => {
      const statuses = wordsOf<DeliveryStatus>(text);
      const condition = isOneOf('status', statuses);
      if (statuses.some(status => !PROBLEMS.includes(status))) return { condition };
      return { condition, ranges: statuses.map(status => ({ prefix: { status }, predicate: PROBLEM_PREDICATE })) };
    },
  },
  present: (_tx, _environmentId, rows) => rows,
});

export async function readDeliveryDetail(
  db: Db,
  { environmentId, role }: { environmentId: string; role: Role },
  id: string,
): Promise<DeliveryDetail> {
  const delivery = await readDelivery(db, environmentId, id);
  const { subscriptionId, body } = delivery;
  const [view, subscription] = await Promise.all([
    readDeliveryView(db, environmentId, delivery),
    subscriptionId === null ? null : findSubscription(db, environmentId, subscriptionId),
  ]);
  const actions = hasRole(role, 'support') && isRetryable(delivery) ? (['retry'] as const) : [];
  return { ...view, webhook_url: subscription?.url ?? null, body, actions: [...actions] };
}
