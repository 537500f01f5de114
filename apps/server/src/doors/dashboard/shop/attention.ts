import { dashboardEndpoints as calls, type DashboardLocale, type Grant } from '@coinslot/contract';
import { checkViews } from '../../../domain/payment/provider-health/broken-checks.ts';
import { listFailingChecks } from '../../../domain/payment/provider-health/provider-check.sql.ts';
import { findAttentionCount, listNeedingAttention } from '../../../domain/purchase/member-actions/attention.sql.ts';
import { attentionItem } from '../../../domain/purchase/member-actions/attention-view.ts';
import {
  listOpenGrants,
  MOST_GRANTS,
  type OpenGrant,
} from '../../../domain/purchase/member-actions/open-grants.sql.ts';
import { grantState, openGrantActions, retryGrant } from '../../../domain/purchase/member-actions/order-actions.ts';
import { actAsMember, releaseGrant } from '../../../domain/purchase/refund/refund-guard.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { cursorOf, encodeCursor, limitOf, pageBy } from '../../../http/paging.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop, EnvironmentContext } from '../define-route.ts';

/** The company's providers whose daily test fails: they concern each of its games. */
async function brokenConnections(
  { db, merchantAccounts }: DashboardShop,
  companyId: string,
  language: DashboardLocale,
) {
  return (await listFailingChecks(db, companyId)).flatMap(({ provider: name, checks, failingSince }) => {
    const title = merchantAccounts.of(name)?.provider.title ?? name;
    const broken = checkViews(
      checks.filter(check => check.broken),
      language,
    );
    return failingSince ? [{ provider: name, title, failing_since: toUnixSeconds(failingSince), checks: broken }] : [];
  });
}

export function mountAttention(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listAttention, async (context, { query }) => {
    const { environment, language } = context;
    const connections =
      environment.mode === 'live' ? await brokenConnections(shop, environment.companyId, language) : [];
    const page = await pageBy(
      query,
      'pay',
      (beforeId, limit) => listNeedingAttention(shop.db, environment.id, beforeId, limit),
      rows => rows.map(purchase => attentionItem(context, purchase)),
      ({ payment }) => payment.id,
    );
    const count = await findAttentionCount(shop.db, environment.id);
    return { ...page, count: count + connections.length, connections };
  });

  mount(calls.actOnAttention, async (context, { params, body }) => {
    const { actor, environment } = context;
    const { action, reason = null, password, answer } = body;
    const act = { paymentId: params.payment_id, action, reason, password, answer };
    return attentionItem(context, await actAsMember(shop.purchasing, actor, environment, act));
  });
}

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
