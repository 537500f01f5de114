import { AdvanceOrder, Chaos } from '../sandbox.ts';
import { named, opaqueId } from '../shape.ts';
import { Type } from '../type.ts';
import { dashboardEndpoint } from './dashboard-endpoint.ts';
import { OrderDetail } from './orders.ts';

const ENVIRONMENT = '/dashboard/api/games/{game_id}/{mode}';

export const sandboxToolEndpoints = {
  getDashboardChaos: dashboardEndpoint({
    name: 'get_chaos',
    scope: 'environment',
    role: 'viewer',
    method: 'GET',
    path: `${ENVIRONMENT}/chaos`,
    summary: 'Whether deliveries and payments of this sandbox are disturbed on purpose. Always off in live.',
    response: { status: 200, description: 'The switch.', schema: Chaos },
    errors: [],
  }),
  setDashboardChaos: dashboardEndpoint({
    name: 'set_chaos',
    scope: 'environment',
    role: 'developer',
    method: 'PUT',
    path: `${ENVIRONMENT}/chaos`,
    summary: 'Turn chaos on or off. Only in sandbox.',
    body: named('SetDashboardChaos', { enabled: Chaos.properties.enabled }, 'The chaos switch to set.'),
    response: { status: 200, description: 'The switch as it is now.', schema: Chaos },
    errors: ['sandbox_only'],
  }),
  advanceDashboardOrder: dashboardEndpoint({
    name: 'advance_order',
    scope: 'environment',
    role: 'developer',
    method: 'POST',
    path: `${ENVIRONMENT}/orders/{order_id}/advance`,
    summary: 'Make an order older, so that what is due later happens now. Only in sandbox.',
    params: Type.Object({ order_id: opaqueId('ord', 'Identifier of the order.') }),
    body: AdvanceOrder,
    response: { status: 200, description: 'The order as it is now.', schema: OrderDetail },
    errors: ['order_not_found', 'sandbox_only'],
  }),
};
