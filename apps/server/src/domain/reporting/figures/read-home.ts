import { type Home, LIMITS } from '@coinslot/contract';
import type { Queryable } from '../../../db/db.ts';
import { toUnixSeconds } from '../../../kit/clock.ts';
import { findRates } from '../../company/company.sql.ts';
import { listOpenGrants, MOST_GRANTS } from '../../purchase/member-actions/open-grants.sql.ts';
import { listSubscriptions } from '../../webhook/endpoints/subscription.sql.ts';
import { takesItems } from '../../webhook/endpoints/subscription.ts';
import { countInbox, type InboxReader } from '../inbox/read-inbox.ts';
import { figureOf, readRecentAttempts } from './delivery-figures.ts';
import { findFiguresAge, listDayFigures, listHourFigures, listPaymentValues } from './figures.sql.ts';
import { homeFigures } from './home.ts';
import { DAY_MS, readRange, wholeSpan } from './home-range.ts';

export interface HomeQuery {
  utcOffsetMinutes: number;
  from?: string;
  to?: string;
}

export async function readHome(
  db: Queryable,
  reader: InboxReader,
  { utcOffsetMinutes, ...asked }: HomeQuery,
): Promise<Home> {
  const { id: environmentId, companyId } = reader.environment;
  const { until, now } = await findFiguresAge(db);
  const range = readRange(asked, now, utcOffsetMinutes);
  const [hourly, daily, rates, values, grants, attention, attempts, webhooks] = await Promise.all([
    listHourFigures(db, environmentId, new Date(now.getTime() - DAY_MS)),
    listDayFigures(db, environmentId, wholeSpan(range, utcOffsetMinutes)),
    findRates(db, companyId),
    listPaymentValues(db, environmentId),
    listOpenGrants(db, environmentId),
    countInbox(db, reader),
    readRecentAttempts(db, environmentId, now),
    listSubscriptions(db, environmentId, null, LIMITS.webhooks),
  ]);
  const codes = values.filter(({ facet }) => facet === 'response_code');
  const labels = new Map(codes.map(({ value, label }) => [value, label]));
  const enabled = webhooks.filter(webhook => webhook.enabled);
  const { attempts: sent, succeeded, p95_ms } = figureOf(attempts);
  return {
    as_of: toUnixSeconds(until),
    ...homeFigures({ hourly, daily, labels, rates, now, range, utcOffsetMinutes }),
    grants_waiting: Math.min(grants.length, MOST_GRANTS),
    oldest_grant_since: grants[0] ? toUnixSeconds(grants[0].createdAt) : null,
    needs_attention: attention.open,
    webhooks: {
      attempts: sent,
      succeeded,
      p95_ms,
      enabled: enabled.length,
      disabled: webhooks.length - enabled.length,
      takes_items: enabled.some(({ events }) => takesItems(events)),
    },
  };
}
