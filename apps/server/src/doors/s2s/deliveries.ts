import * as contract from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { findDelivery } from '../../domain/webhook/delivery.sql.ts';
import { retryDelivery } from '../../domain/webhook/resend.ts';
import { mount } from '../../http/mount.ts';
import { AppError } from '../../kit/app-error.ts';
import { deliveryViews } from './delivery-view.ts';
import type { S2sDeps, S2sDoor } from './s2s-deps.ts';

export function mountDeliveries(app: FastifyInstance, deps: S2sDeps, door: S2sDoor): void {
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
