import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { listDeliveries } from '../../domain/webhook/delivery/attempt.sql.ts';
import { retryDelivery } from '../../domain/webhook/delivery/resend.ts';
import { readDelivery, readDeliveryViews } from '../../domain/webhook/endpoints/webhook-views.ts';
import { mount } from '../../http/mount.ts';
import { pageOf } from '../../http/paging.ts';
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
          listDeliveries(deps.db, environment.id, {
            subscriptionId: query.webhook_id ?? null,
            orderId: query.order_id ?? null,
            status: query.status ?? null,
            kind: query.event_type ?? null,
            beforeId,
            limit,
          }),
        delivery => delivery.id,
        rows => readDeliveryViews(deps.db, environment.id, rows),
      ),
    door,
  );

  mount(
    app,
    contract.getDelivery,
    async ({ params, context: { environment } }) => {
      const delivery = await readDelivery(deps.db, environment.id, params.delivery_id);
      const [view] = await readDeliveryViews(deps.db, environment.id, [delivery]);
      return view!;
    },
    door,
  );

  mount(
    app,
    contract.retryDelivery,
    async ({ params, context: { environment } }) => {
      const delivery = await retryDelivery(deps, null, environment, params.delivery_id);
      const [view] = await readDeliveryViews(deps.db, environment.id, [delivery]);
      return view!;
    },
    door,
  );
}
