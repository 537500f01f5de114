import { dashboardEndpoints as calls, LIMITS } from '@coinslot/contract';
import { listOpenGrants, MOST_GRANTS } from '../../../domain/fulfillment/open-grants.sql.ts';
import { figureOf } from '../../../domain/report/figures/delivery-figures.ts';
import {
  findFiguresAge,
  findReviewCount,
  listHourFigures,
  listPaymentValues,
} from '../../../domain/report/figures/figures.sql.ts';
import { homeFigures, homeStart } from '../../../domain/report/figures/home.ts';
import { listSubscriptions } from '../../../domain/webhook/subscription.sql.ts';
import { takesItems } from '../../../domain/webhook/subscription.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import type { DashboardDeps } from '../dashboard-deps.ts';
import type { DashboardMount } from '../define-route.ts';
import { recentFigures } from '../settings/webhooks.ts';

export function mountHome(mount: DashboardMount, deps: DashboardDeps): void {
  const { db } = deps;

  mount(calls.getHome, async ({ environment }, { query }) => {
    const utcOffsetMinutes = query.utc_offset_minutes ?? 0;
    const { until, now } = await findFiguresAge(db);
    const [figures, values, grants, held, attempts, webhooks] = await Promise.all([
      listHourFigures(db, environment.id, homeStart(now, utcOffsetMinutes)),
      listPaymentValues(db, environment.id),
      listOpenGrants(db, environment.id),
      findReviewCount(db, environment.id),
      recentFigures(deps, environment.id),
      listSubscriptions(db, environment.id, null, LIMITS.webhooks),
    ]);
    const codes = values.filter(({ facet }) => facet === 'response_code');
    const labels = new Map(codes.map(({ value, label }) => [value, label]));
    const enabled = webhooks.filter(webhook => webhook.enabled);
    const { attempts: sent, succeeded, p95_ms } = figureOf(attempts);
    return {
      as_of: toUnixSeconds(until),
      ...homeFigures({ figures, labels, now, utcOffsetMinutes }),
      grants_waiting: Math.min(grants.length, MOST_GRANTS),
      oldest_grant_since: grants[0] ? toUnixSeconds(grants[0].createdAt) : null,
      payments_in_review: held,
      webhooks: {
        attempts: sent,
        succeeded,
        p95_ms,
        enabled: enabled.length,
        disabled: webhooks.length - enabled.length,
        takes_items: enabled.some(({ events }) => takesItems(events)),
      },
    };
  });
}
