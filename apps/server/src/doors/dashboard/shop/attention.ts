import { dashboardEndpoints as calls, type Grant } from '@coinslot/contract';
import { listNeedingAttention } from '../../../domain/purchase/member-actions/attention.sql.ts';
import { attentionItems } from '../../../domain/purchase/member-actions/attention-view.ts';
import {
  listOpenGrants,
  MOST_GRANTS,
  type OpenGrant,
} from '../../../domain/purchase/member-actions/open-grants.sql.ts';
import { grantState, openGrantActions, retryGrant } from '../../../domain/purchase/member-actions/order-actions.ts';
import { actAsMember, releaseGrant } from '../../../domain/purchase/refund/refund-guard.ts';
import { differenceView } from '../../../domain/reconciliation/resolve-difference.ts';
import { markAttention } from '../../../domain/reporting/inbox/mark-attention.ts';
import {
  connectionsIn,
  countInbox,
  inboxReader,
  listConnections,
  listInboxDifferences,
} from '../../../domain/reporting/inbox/read-inbox.ts';
import { readOrderDetail } from '../../../domain/reporting/timeline/order-detail.ts';
import { cursorOf, encodeCursor, limitOf, pageBy } from '../../../http/paging.ts';
import { toUnixSeconds, unixOrNull } from '../../../kit/clock.ts';
import { onWire } from '../../../kit/on-wire.ts';
import type { DashboardMount, DashboardShop, EnvironmentContext } from '../define-route.ts';

export function mountAttention(mount: DashboardMount, shop: DashboardShop): void {
  const { db } = shop;

  mount(calls.listAttention, async (context, { query }) => {
    const { environment, actor } = context;
    const { view = 'open' } = query;
    const reader = inboxReader(context);
    const scope = { environmentId: environment.id, companyId: environment.companyId, userId: actor.userId, view };
    const [connections, differences] = await Promise.all([
      listConnections(db, reader),
      listInboxDifferences(db, reader, view),
    ]);
    const [page, counts] = await Promise.all([
      pageBy(
        query,
        'pay',
        (beforeId, limit) => listNeedingAttention(db, scope, beforeId, limit),
        rows => attentionItems(db, context, rows),
        ({ payment }) => payment.id,
      ),
      countInbox(db, reader, connections),
    ]);
    return {
      ...page,
      count: counts.open,
      snoozed: counts.snoozed,
      connections: connectionsIn(connections, view, actor.userId).map(
        ({ provider, accountId, failingSince, checks, mark }) => ({
          provider,
          account_id: accountId,
          title: shop.merchantAccounts.of(provider)?.provider.title ?? provider,
          failing_since: toUnixSeconds(failingSince),
          checks,
          mark,
        }),
      ),
      differences: differences.map(({ row, mark }) => ({ ...differenceView(row), mark })),
    };
  });

  mount(calls.actOnAttention, async (context, { params, body }) => {
    const { actor, environment } = context;
    const { action, reason = null, password, answer } = body;
    const act = { paymentId: params.payment_id, action, reason, password, answer, by: context.signedIn };
    const purchase = await actAsMember(shop.purchasing, actor, environment, act);
    return (await attentionItems(db, context, [purchase]))[0]!;
  });

  mount(calls.markAttention, ({ actor, environment }, { params, body }) => {
    const { assignee_id: assigneeId, snoozed_until: until, note } = body;
    const snoozedUntil = until ? new Date(until * 1000) : until === undefined ? undefined : null;
    return markAttention(db, actor, environment, { subjectId: params.subject_id, assigneeId, snoozedUntil, note });
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
    const release = { deliveryId: params.delivery_id, reason: body.reason, by: context.signedIn };
    const orderId = await releaseGrant(shop.purchasing, context.actor, context.environment, release);
    return readOrderDetail(shop, context, orderId);
  });
}
