import { type AttentionItem, dashboardEndpoints as calls } from '@coinslot/contract';
import { hasRole } from '../../../domain/company/manage-members.ts';
import { actOnAttention } from '../../../domain/fulfillment/actions/act-on-attention.ts';
import { listNeedingAttention } from '../../../domain/fulfillment/actions/attention.sql.ts';
import { actionsFor } from '../../../domain/fulfillment/actions/attention-actions.ts';
import type { Purchase } from '../../../domain/fulfillment/purchase.ts';
import { attentionView } from '../../../domain/order/order-view.ts';
import { pageOf } from '../../../http/paging.ts';
import type { DashboardDeps, EnvironmentContext } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

const itemView = ({ role }: EnvironmentContext, purchase: Purchase): AttentionItem => ({
  payment_id: purchase.payment.id,
  order_id: purchase.order.id,
  player_id: purchase.order.playerId,
  amount: purchase.payment.amountMinor,
  currency: purchase.payment.currency,
  status: purchase.payment.status,
  order_status: purchase.order.status,
  attention: attentionView(purchase.payment.attention),
  actions: hasRole(role, 'support') ? actionsFor(purchase) : [],
});

export function mountAttention(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listAttention, (context, { query }) =>
    pageOf(
      query,
      'pay',
      (beforeId, limit) => listNeedingAttention(deps.db, context.environment.id, beforeId, limit),
      ({ payment }) => payment.id,
      rows => rows.map(purchase => itemView(context, purchase)),
    ),
  );

  mount(calls.actOnAttention, async (context, { params, body }) => {
    const purchase = await actOnAttention(deps.fulfillment, context.actor, {
      companyId: context.company.id,
      environmentId: context.environment.id,
      paymentId: params.payment_id,
      action: body.action,
      reason: body.reason ?? null,
    });
    return itemView(context, purchase);
  });
}
