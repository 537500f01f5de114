import { dashboardEndpoints as calls } from '@coinslot/contract';
import { findAttentionCount, listNeedingAttention } from '../../../domain/fulfillment/actions/attention.sql.ts';
import { attentionItem } from '../../../domain/fulfillment/actions/attention-view.ts';
import { actAsMember } from '../../../domain/fulfillment/actions/refund-guard.ts';
import { pageOf } from '../../../http/paging.ts';
import type { DashboardDeps } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

export function mountAttention(mount: DashboardMount, deps: DashboardDeps): void {
  mount(calls.listAttention, async ({ environment, role }, { query }) => {
    const page = await pageOf(
      query,
      'pay',
      (beforeId, limit) => listNeedingAttention(deps.db, environment.id, beforeId, limit),
      ({ payment }) => payment.id,
      rows => rows.map(purchase => attentionItem(role, purchase)),
    );
    return { ...page, count: await findAttentionCount(deps.db, environment.id) };
  });

  mount(calls.actOnAttention, async ({ actor, environment, role }, { params, body }) => {
    const { action, reason = null, password, answer } = body;
    const act = { paymentId: params.payment_id, action, reason, password, answer };
    return attentionItem(
      role,
      await actAsMember({ ...deps.fulfillment, publicUrl: deps.publicUrl }, actor, environment, act),
    );
  });
}
