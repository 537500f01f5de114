import { dashboardEndpoints as calls } from '@coinslot/contract';
import { changeChaos } from '../../../domain/game/chaos/change-chaos.ts';
import { findChaos } from '../../../domain/game/chaos/chaos.sql.ts';
import { assertSandbox } from '../../../domain/game/environment.ts';
import { advanceOrder } from '../../../domain/purchase/sandbox/advance-order.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import type { DashboardShop } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

/** What a developer tries on purpose, and only with test money. */
export function mountSandboxTools(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.getDashboardChaos, async ({ environment }) => ({ enabled: await findChaos(shop.db, environment.id) }));

  mount(calls.setDashboardChaos, async ({ environment, actor }, { body }) => ({
    enabled: await changeChaos(shop, actor, environment, body.enabled),
  }));

  mount(calls.advanceDashboardOrder, async (context, { params, body }) => {
    const { environment } = context;
    // What does not exist here is not found, in live too.
    await readOrderDetail(shop, context, params.order_id);
    assertSandbox(environment, 'Only orders of sandbox can be made older.');
    await advanceOrder(shop.purchasing, {
      environmentId: environment.id,
      orderId: params.order_id,
      seconds: body.seconds,
    });
    return readOrderDetail(shop, context, params.order_id);
  });
}
