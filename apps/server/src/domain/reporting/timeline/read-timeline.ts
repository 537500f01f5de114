import type { DashboardLocale } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import type { Environment } from '../../game/environment.ts';
import type { Order } from '../../order/order.ts';
import { listDisputesOf } from '../../payment/disputes/dispute.sql.ts';
import { findKeptFrom } from '../../retention/retention.sql.ts';
import { readDeliveryLog } from '../../webhook/endpoints/webhook-views.ts';
import { listAudit, listEventsOfOrder, listItemDeliveries, listPaymentsOfOrder, listReceipts } from './timeline.sql.ts';
import type { OrderFacts } from './timeline.ts';

export async function readTimeline(
  db: Queryable,
  environment: Environment,
  order: Order,
  language: DashboardLocale = 'en',
): Promise<OrderFacts> {
  const { id: environmentId, companyId } = environment;
  const orderId = order.id;
  const [events, deliveries, payments] = await Promise.all([
    listEventsOfOrder(db, environmentId, orderId, language),
    listItemDeliveries(db, environmentId, orderId),
    listPaymentsOfOrder(db, environmentId, orderId),
  ]);
  const deliveryIds = deliveries.map(({ id }) => id);
  const paymentIds = payments.map(({ id }) => id);
  const [log, receipts, audit, disputes, keptFrom] = await Promise.all([
    readDeliveryLog(db, environmentId, deliveries),
    listReceipts(db, environmentId, paymentIds),
    listAudit(db, companyId, environmentId, [orderId, ...paymentIds, ...deliveryIds]),
    listDisputesOf(db, environmentId, paymentIds),
    findKeptFrom(db, 'events'),
  ]);
  return { orderCreatedAt: order.createdAt, events, deliveries, payments, log, receipts, audit, disputes, keptFrom };
}
