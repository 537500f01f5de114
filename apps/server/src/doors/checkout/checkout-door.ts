import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { claimOrder } from '../../domain/fulfillment/claim-order.ts';
import { payOrder } from '../../domain/fulfillment/pay-order.ts';
import { answerChallenge } from '../../domain/fulfillment/sync-payment.ts';
import { backToPage, type CheckoutDeps, openCheckout, showError, showPage, type TokenRoute } from './checkout-pages.ts';
import { mountLive, payLive } from './live-door.ts';
import { createTelemetry, mountEvents, type Telemetry } from './page-events.ts';
import { pageState } from './page-view.ts';
import { readClaimForm, readPayForm } from './read-form.ts';
import { payAndWait, startAndWait } from './start-and-wait.ts';
import { mountStatus } from './status.ts';

const FORM_BYTES = 16 * 1024;

function mountLooking(app: FastifyInstance, deps: CheckoutDeps, telemetry: Telemetry): void {
  app.get<TokenRoute>('/c/:token', async (request, reply) => {
    const opened = await openCheckout(deps, request);
    telemetry.looked(opened);
    return showPage(deps, opened, reply);
  });
}

function mountPaying(app: FastifyInstance, deps: CheckoutDeps, telemetry: Telemetry): void {
  const { fulfillment } = deps;

  app.post<TokenRoute>('/c/:token/pay', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const opened = await openCheckout(deps, request);
    if (opened.mode === 'live') return payLive(deps, telemetry, opened, request, reply);
    if (pageState(opened.page) !== 'ready') return backToPage(opened, reply);
    const form = readPayForm(request.body, opened.now, opened.page.sandbox);
    if ('fieldErrors' in form) return showPage(deps, opened, reply, form);
    telemetry.submitted(opened);
    await payAndWait(fulfillment, onBegun =>
      payOrder(fulfillment, {
        environmentId: opened.order.environmentId,
        orderId: opened.order.id,
        gateway: deps.simulator,
        method: 'card',
        email: form.email,
        payWith: { kind: 'card', card: form.card },
        returnUrl: `${deps.publicUrl}${opened.base}`,
        onBegun,
      }),
    );
    return backToPage(opened, reply);
  });

  app.post<TokenRoute>('/c/:token/claim', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const opened = await openCheckout(deps, request);
    if (pageState(opened.page) !== 'claim') return backToPage(opened, reply);
    const form = readClaimForm(request.body);
    if ('fieldErrors' in form) return showPage(deps, opened, reply, form);
    telemetry.submitted(opened);
    const { environmentId, id: orderId } = opened.order;
    await startAndWait(fulfillment, claimOrder(fulfillment, { environmentId, orderId, email: form.email }), 'claim');
    return backToPage(opened, reply);
  });
}

/** A form's address that is opened like a page, by a restored tab or from the history, leads to the page. */
function mountFormAddresses(app: FastifyInstance, deps: CheckoutDeps): void {
  for (const part of ['pay', 'claim', 'challenge', 'give-up', 'forget']) {
    app.get<TokenRoute>(`/c/:token/${part}`, async (request, reply) =>
      backToPage(await openCheckout(deps, request), reply),
    );
  }
}

/** Where the simulator's bank asks its question. The page itself shows it; only the answer comes here. */
function mountChallenge(app: FastifyInstance, deps: CheckoutDeps): void {
  const { fulfillment, simulator } = deps;
  const path = '/c/:token/challenge';

  app.post<TokenRoute & { Body: { result?: string } }>(path, { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const opened = await openCheckout(deps, request);
    const { payment, order } = opened;
    if (payment?.status !== 'requires_action' || payment.gateway !== simulator.name) return backToPage(opened, reply);
    const ref = { environmentId: order.environmentId, paymentId: payment.id };
    const answer = request.body?.result === 'complete' ? 'complete' : 'fail';
    await startAndWait(fulfillment, answerChallenge(fulfillment, simulator, ref, answer), 'challenge');
    return backToPage(opened, reply);
  });
}

/** What a player may see and do. In a scope of its own: only here forms are read, and errors are pages. */
export function registerCheckout(app: FastifyInstance, deps: CheckoutDeps): void {
  app.register(async scope => {
    await scope.register(formbody, { bodyLimit: FORM_BYTES });
    scope.setErrorHandler(showError);
    const telemetry = createTelemetry(deps);
    for (const mountPart of [mountLooking, mountStatus, mountPaying, mountChallenge, mountFormAddresses])
      mountPart(scope, deps, telemetry);
    mountLive(scope, deps);
    scope.register(async inner => mountEvents(inner, deps));
  });
}
