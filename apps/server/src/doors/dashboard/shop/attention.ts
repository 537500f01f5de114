import { dashboardEndpoints as calls, type DashboardLocale } from '@coinslot/contract';
import { checkViews } from '../../../domain/payment/provider-health/broken-checks.ts';
import { listFailingChecks } from '../../../domain/payment/provider-health/provider-check.sql.ts';
import { findAttentionCount, listNeedingAttention } from '../../../domain/purchase/member-actions/attention.sql.ts';
import { attentionItem } from '../../../domain/purchase/member-actions/attention-view.ts';
import { actAsMember } from '../../../domain/purchase/refund/refund-guard.ts';
import { pageBy } from '../../../http/paging.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import type { DashboardShop } from '../dashboard-context.ts';
import type { DashboardMount } from '../define-route.ts';

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
  mount(calls.listAttention, async ({ environment, role, language }, { query }) => {
    const connections =
      environment.mode === 'live' ? await brokenConnections(shop, environment.companyId, language) : [];
    const page = await pageBy(
      query,
      'pay',
      (beforeId, limit) => listNeedingAttention(shop.db, environment.id, beforeId, limit),
      rows => rows.map(purchase => attentionItem(role, purchase)),
      ({ payment }) => payment.id,
    );
    const count = await findAttentionCount(shop.db, environment.id);
    return { ...page, count: count + connections.length, connections };
  });

  mount(calls.actOnAttention, async ({ actor, environment, role }, { params, body }) => {
    const { action, reason = null, password, answer } = body;
    const act = { paymentId: params.payment_id, action, reason, password, answer };
    return attentionItem(role, await actAsMember(shop.purchasing, actor, environment, act));
  });
}
