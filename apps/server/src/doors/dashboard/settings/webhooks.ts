import { Readable } from 'node:stream';
import { dashboardEndpoints as calls, EVENT_CLASSES, EVENTS, LIMITS } from '@coinslot/contract';
import { listExams } from '../../../domain/webhook/conformance/exam.sql.ts';
import { examFile, examView, readExam, startExam } from '../../../domain/webhook/conformance/start-exam.ts';
import { readReplayProgress, replayEvents, sendTestEvent } from '../../../domain/webhook/delivery/resend.ts';
import { checkPasted, revealSecret, rotateSecret } from '../../../domain/webhook/endpoints/manage-secrets.ts';
import {
  createSubscription,
  patchSubscription,
  readSubscription,
  removeSubscription,
} from '../../../domain/webhook/endpoints/manage-subscriptions.ts';
import { listSubscriptions } from '../../../domain/webhook/endpoints/subscription.sql.ts';
import { eventWarnings } from '../../../domain/webhook/endpoints/subscription.ts';
import { deliverySummary } from '../../../domain/webhook/endpoints/webhook-views.ts';
import { fromUnix } from '../../../http/paging.ts';
import { createRateLimiter, tooManyRequests } from '../../../http/rate-limit.ts';
import { systemClock, unixOrNull } from '../../../kit/clock.ts';
import type { DashboardMount, DashboardShop } from '../define-route.ts';
import { dashboardWebhook, dashboardWebhooks } from './webhook-view.ts';

/** Enough for a developer at work; too few to scan a network for open ports with. */
const TESTS_PER_MINUTE = 30;

function mountReading(mount: DashboardMount, shop: DashboardShop): void {
  const { db } = shop;

  mount(calls.listDashboardWebhooks, async context => ({
    data: await dashboardWebhooks(
      shop,
      context,
      await listSubscriptions(db, context.environment.id, null, LIMITS.webhooks),
    ),
    event_classes: EVENT_CLASSES.map(({ name, description, kinds }) => ({
      name,
      description,
      kinds: kinds.map(kind => ({ kind, description: EVENTS[kind].description })),
    })),
  }));

  mount(calls.getDashboardWebhook, async (context, { params }) =>
    dashboardWebhook(shop, context, await readSubscription(db, context.environment.id, params.webhook_id)),
  );

  mount(calls.checkSignature, ({ environment }, { params, body }) =>
    checkPasted(shop, environment, params.webhook_id, body),
  );

  mount(calls.getReplayProgress, async ({ environment }, { params, query }) => {
    const span = { since: new Date(query.since * 1000), until: fromUnix(query.until) };
    const { isCapped, ...counts } = await readReplayProgress(db, environment.id, params.webhook_id, span);
    return { ...counts, is_capped: isCapped };
  });
}

function mountChanges(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.createDashboardWebhook, async (context, { body }) => ({
    ...(await dashboardWebhook(
      shop,
      context,
      await createSubscription(shop, context.actor, context.environment, body),
    )),
    ...eventWarnings(body.events),
  }));

  mount(calls.patchDashboardWebhook, async (context, { params, body }) => {
    const changed = await patchSubscription(shop, context.actor, context.environment, params.webhook_id, body);
    return { ...(await dashboardWebhook(shop, context, changed)), ...eventWarnings(body.events) };
  });

  mount(calls.deleteDashboardWebhook, async ({ environment, actor }, { params }) =>
    removeSubscription(shop, actor, environment, params.webhook_id),
  );

  mount(calls.rotateDashboardSecret, async ({ environment, actor }, { params }) => {
    const { subscription, secret } = await rotateSecret(shop, actor, environment, params.webhook_id);
    return {
      secret,
      secret_source: 'dedicated' as const,
      previous_secret: null,
      previous_secret_until: unixOrNull(subscription.previousSecretUntil),
    };
  });

  mount(calls.revealDashboardSecret, async ({ environment, actor }, { params }) => {
    const { secret, isDedicated, previous } = await revealSecret(shop, actor, environment, params.webhook_id);
    return {
      secret,
      secret_source: isDedicated ? ('dedicated' as const) : ('s2s_key' as const),
      previous_secret: previous?.secret ?? null,
      previous_secret_until: previous && unixOrNull(previous.until),
    };
  });
}

export function mountWebhooks(mount: DashboardMount, shop: DashboardShop): void {
  mountReading(mount, shop);
  mountChanges(mount, shop);

  const tests = createRateLimiter({ limit: TESTS_PER_MINUTE, windowMs: 60_000, maxKeys: 10_000, clock: systemClock });

  mount(calls.testDashboardWebhook, async ({ environment, actor }, { params }) => {
    const allowance = tests.take(environment.id);
    if (!allowance.allowed) throw tooManyRequests(allowance);
    return deliverySummary(await sendTestEvent(shop, actor, environment, params.webhook_id));
  });

  mount(calls.replayDashboardWebhook, async ({ environment, actor }, { params, body }) => ({
    replayed: await replayEvents(shop, actor, environment, params.webhook_id, body),
  }));
}

export function mountExams(mount: DashboardMount, shop: DashboardShop): void {
  mount(calls.listExams, async ({ environment }) => ({
    data: (await listExams(shop.db, environment.id)).map(examView),
  }));

  mount(calls.startExam, async ({ environment, actor }, { body }) =>
    examView(await startExam(shop, actor, environment, body)),
  );

  mount(calls.getExam, async ({ environment }, { params }) =>
    examView(await readExam(shop.db, environment.id, params.exam_id)),
  );

  mount(calls.getExamReport, async ({ environment }, { params, setHeader }) => {
    const exam = await readExam(shop.db, environment.id, params.exam_id);
    setHeader('content-disposition', `attachment; filename="${exam.id}.md"`);
    return Readable.from([examFile(exam)]);
  });
}
