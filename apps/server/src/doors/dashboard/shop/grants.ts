import { dashboardEndpoints as calls, type Grant } from '@coinslot/contract';
import { grantState } from '../../../domain/purchase/member-actions/grant-state.ts';
import {
  listOpenGrants,
  MOST_GRANTS,
  type OpenGrant,
} from '../../../domain/purchase/member-actions/open-grants.sql.ts';
import { openGrantActions, retryGrant } from '../../../domain/purchase/member-actions/order-actions.ts';
import { releaseGrant } from '../../../domain/purchase/refund/refund-guard.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { cursorOf, encodeCursor, limitOf } from '../../../http/paging.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardShop, EnvironmentContext } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

const grantView = ({ role }: EnvironmentContext, grant: OpenGrant): Grant => ({
  ...onWire(
    grant,
    'delivery_id, kind, order_id, order_status, payment_id, player_id, currency, attempts_made, last_status',
  ),
  state: grantState(grant),
  amount: grant.amountMinor,
  items: grant.items.map(({ sku, name, quantity }) => ({ sku, name, quantity })),
  since: toUnixSeconds(grant.createdAt),
  last_error: grant.lastError,
  // While it is being sent the time in the row is a lease.
  next_attempt_at: grant.isClaimed ? null : unixOrNull(grant.nextAttemptAt),
  gives_up_at: grant.kind === 'item.add' ? unixOrNull(grant.giveUpAt) : null,
  actions: openGrantActions(role, grant),
});

export function mountGrants(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listGrants, async (context, { query }) => {
    const grants = await listOpenGrants(shop.db, context.environment.id);
    const after = cursorOf(query, null) ?? '';
    const behind = grants.filter(({ deliveryId }) => deliveryId > after);
    const shown = behind.slice(0, limitOf(query));
    return {
      data: shown.map(grant => grantView(context, grant)),
      next_cursor: behind.length > shown.length ? encodeCursor(shown.at(-1)!.deliveryId) : null,
      waiting: Math.min(grants.length, MOST_GRANTS),
    };
  });

  mount(calls.retryGrant, async (context, { params }) =>
    grantView(context, await retryGrant(shop, context.actor, context.environment, params.delivery_id)),
  );

  mount(calls.releaseGrant, async (context, { params, body }) => {
    const release = { deliveryId: params.delivery_id, reason: body.reason };
    const orderId = await releaseGrant(shop.purchasing, context.actor, context.environment, release);
    return readOrderDetail(shop, context, orderId);
  });
}
