import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { listAllDeliveries } from '../../domain/webhook/attempt.sql.ts';
import { findDelivery } from '../../domain/webhook/delivery.sql.ts';
import { retryDelivery } from '../../domain/webhook/resend.ts';
import { mount } from '../../http/mount.ts';
import { pageOf } from '../../http/paging.ts';
import { AppError } from '../../kit/app-error.ts';
import { deliveryViews } from './delivery-view.ts';
import type { S2sDeps, S2sDoor } from './s2s-deps.ts';

export function mountDeliveries(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
  mount(
    app,
    contract.listAllDeliveries,
    ({ query, context: { environment } }) =>
      pageOf(
        query,
        'dlv',
        (beforeId, limit) =>
          listAllDeliveries(deps.db, environment.id, {
            subscriptionId: query.webhook_id ?? null,
            orderId: query.order_id ?? null,
            status: query.status ?? null,
            kind: query.event_type ?? null,
            beforeId,
            limit,
          }),
        delivery => delivery.id,
        rows => deliveryViews(deps.db, environment.id, rows),
      ),
    door,
  );

  mount(
    app,
    contract.getDelivery,
    async ({ params, context: { environment } }) => {
      const delivery = await findDelivery(deps.db, environment.id, params.delivery_id);
      if (!delivery) throw new AppError('delivery_not_found');
      const [view] = await deliveryViews(deps.db, environment.id, [delivery]);
      return view!;
    },
    door,
  );

  mount(
    app,
    contract.retryDelivery,
    async ({ params, context: { environment } }) => {
      const delivery = await retryDelivery(deps, environment.id, params.delivery_id);
      const [view] = await deliveryViews(deps.db, environment.id, [delivery]);
      return view!;
    },
    door,
  );
}
