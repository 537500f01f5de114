import type { Queryable } from '../../db/db.ts';
import type { Environment } from '../account/environment.ts';
import type { Order } from '../order/order.ts';
import { listAttempts } from '../webhook/attempt.sql.ts';
import { listDeeds, listEventsOfOrder, listItemDeliveries, listPaymentsOfOrder, listReceipts } from './timeline.sql.ts';
import type { OrderStory } from './timeline.ts';

/** What the tables know about one order. */
export async function readStory(db: Queryable, environment: Environment, order: Order): Promise<OrderStory> {
  const { id: environmentId, companyId } = environment;
  const orderId = order.id;
  const [events, deliveries, payments] = await Promise.all([
    listEventsOfOrder(db, environmentId, orderId),
    listItemDeliveries(db, environmentId, orderId),
    listPaymentsOfOrder(db, environmentId, orderId),
  ]);
  const deliveryIds = deliveries.map(({ id }) => id);
  const paymentIds = payments.map(({ id }) => id);
  const [attempts, receipts, deeds] = await Promise.all([
    listAttempts(db, environmentId, deliveryIds),
    listReceipts(db, environmentId, paymentIds),
    listDeeds(db, companyId, environmentId, [orderId, ...paymentIds, ...deliveryIds]),
  ]);
  return { orderCreatedAt: order.createdAt, events, deliveries, payments, attempts, receipts, deeds };
}
