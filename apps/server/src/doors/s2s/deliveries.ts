import * as contract from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import { listDeliveries } from '../../domain/webhook/delivery/attempt.sql.ts';
import { retryDelivery } from '../../domain/webhook/delivery/resend.ts';
import { readDelivery, readDeliveryView, readDeliveryViews } from '../../domain/webhook/endpoints/webhook-views.ts';
import { type Page, type PageQuery, pageOf } from '../../http/paging.ts';
import type { S2sDeps, S2sMount } from './s2s-deps.ts';

interface DeliveryQuery extends PageQuery {
  webhook_id?: string;
  order_id?: string;
  status?: contract.DeliveryStatus;
  event_type?: contract.EventKind;
}

/** One page of the delivery log, of all webhooks or of one. */
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
    delivery => delivery.id,
    rows => readDeliveryViews(db, environmentId, rows),
  );

export function mountDeliveries(mount: S2sMount, deps: S2sDeps): void {
  mount(contract.listAllDeliveries, ({ query, context: { environment } }) =>
    deliveryPage(deps.db, environment.id, query),
  );

  mount(contract.getDelivery, async ({ params, context: { environment } }) => {
    const delivery = await readDelivery(deps.db, environment.id, params.delivery_id);
    return readDeliveryView(deps.db, environment.id, delivery);
  });

  mount(contract.retryDelivery, async ({ params, context: { environment } }) => {
    const delivery = await retryDelivery(deps, null, environment, params.delivery_id);
    return readDeliveryView(deps.db, environment.id, delivery);
  });
}
