import * as contract from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import { listDeliveries } from '../../domain/webhook/delivery/attempt.sql.ts';
import { retryDelivery } from '../../domain/webhook/delivery/resend.ts';
import { readDelivery, readDeliveryView, readDeliveryViews } from '../../domain/webhook/endpoints/webhook-views.ts';
import { type Page, type PageQuery, pageOf } from '../../http/paging.ts';
import type { S2sMount, S2sShop } from './s2s-shop.ts';

interface DeliveryQuery extends PageQuery {
  webhook_id?: string;
  order_id?: string;
  status?: contract.DeliveryStatus;
  event_type?: contract.EventKind;
}

export const deliveryPage = (db: Db, environmentId: string, query: DeliveryQuery): Promise<Page<contract.Delivery>> =>
  pageOf(
    query,
    'dlv',
    (beforeId, limit) =>
      listDeliveries(db, environmentId, {
        subscriptionId: query.webhook_id ?? null,
        orderId: query.order_id ?? null,
        status: query.status ?? null,
        kind: query.event_type ?? null,
        beforeId,
        limit,
      }),
    rows => readDeliveryViews(db, environmentId, rows),
  );

export function mountDeliveries(mount: S2sMount, shop: S2sShop): void {
  mount(contract.listAllDeliveries, ({ query, context: { environment } }) =>
    deliveryPage(shop.db, environment.id, query),
  );

  mount(contract.getDelivery, async ({ params, context: { environment } }) => {
    const delivery = await readDelivery(shop.db, environment.id, params.delivery_id);
    return readDeliveryView(shop.db, environment.id, delivery);
  });

  mount(contract.retryDelivery, async ({ params, context: { environment } }) => {
    const delivery = await retryDelivery(shop, null, environment, params.delivery_id);
    return readDeliveryView(shop.db, environment.id, delivery);
  });
}
