import { dashboardEndpoints as calls, type Grant } from '@coinslot/contract';
import { grantActions, grantState } from '../../../domain/fulfillment/grant-state.ts';
import { listOpenGrants, MOST_GRANTS, type OpenGrant } from '../../../domain/fulfillment/open-grants.sql.ts';
import { requestRefund } from '../../../domain/fulfillment/request-refund.ts';
import { retryDelivery } from '../../../domain/webhook/resend.ts';
import { AppError } from '../../../kit/app-error.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { audited } from '../audited.ts';
import type { EnvironmentContext } from '../dashboard-context.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import type { DashboardMount } from '../define-route.ts';
import { decodeCursor, encodeCursor, limitOf } from '../list-query.ts';
import { orderDetail } from './orders.ts';
import { hasRole } from './transactions.ts';

const grantView = ({ role }: EnvironmentContext, grant: OpenGrant): Grant => ({
  delivery_id: grant.deliveryId,
  kind: grant.kind,
  state: grantState(grant),
  order_id: grant.orderId,
  order_status: grant.orderStatus,
  payment_id: grant.paymentId,
  player_id: grant.playerId,
  amount: grant.amountMinor,
  currency: grant.currency,
  items: grant.items.map(({ sku, name, quantity }) => ({ sku, name, quantity })),
  since: toUnixSeconds(grant.createdAt),
  attempts_made: grant.attemptsMade,
  last_status: grant.lastStatus,
  last_error: grant.lastError,
  // While it is being sent the time in the row is a lease.
  next_attempt_at: grant.isClaimed ? null : unixOrNull(grant.nextAttemptAt),
  gives_up_at: grant.kind === 'item.add' ? unixOrNull(grant.giveUpAt) : null,
  actions: hasRole(role, 'support') ? grantActions(grant) : [],
});

async function findGrant({ db }: DashboardDeps, environmentId: string, id: string): Promise<OpenGrant> {
  const [grant] = await listOpenGrants(db, environmentId, id);
  if (!grant) throw new AppError('delivery_not_found');
  return grant;
}

export function mountGrants(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listGrants, async (context, { query }) => {
    const grants = await listOpenGrants(deps.db, context.environment.id);
    const after = query.cursor === undefined ? '' : decodeCursor(query.cursor);
    const behind = grants.filter(({ deliveryId }) => deliveryId > after);
    const shown = behind.slice(0, limitOf(query));
    return {
      data: shown.map(grant => grantView(context, grant)),
      next_cursor: behind.length > shown.length ? encodeCursor(shown.at(-1)!.deliveryId) : null,
      waiting: Math.min(grants.length, MOST_GRANTS),
    };
  });

  mount(calls.retryGrant, async (context, { params }) => {
    const { environment } = context;
    const grant = await findGrant(deps, environment.id, params.delivery_id);
    const db = audited(deps.db, context, () => ({
      kind: 'grant.retried',
      objectId: grant.orderId,
      after: { delivery_id: grant.deliveryId },
    }));
    await retryDelivery({ ...deps, db }, environment.id, grant.deliveryId);
    const [now] = await listOpenGrants(deps.db, environment.id, grant.deliveryId);
    return grantView(context, now ?? grant);
  });

  mount(calls.releaseGrant, async (context, { params, body }) => {
    const { environment } = context;
    const grant = await findGrant(deps, environment.id, params.delivery_id);
    if (!grantActions(grant).includes('release')) {
      throw new AppError('order_wrong_status', {
        detail: `The order is ${grant.orderStatus}; its money is on its way back.`,
      });
    }
    const { actor, company } = context;
    const by = { actor, companyId: company.id, kind: 'grant.released' as const, deliveryId: grant.deliveryId };
    const input = { environmentId: environment.id, orderId: grant.orderId, reason: body.reason, by };
    await requestRefund(deps.fulfillment, input);
    return orderDetail(deps, context, grant.orderId);
  });
}
