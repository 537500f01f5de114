import { chooseLanguage, PAGE_HEADERS, renderPage } from '@coinslot/checkout-page';
import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerChallenge } from '../../domain/fulfilment/answer-challenge.ts';
import { type CheckoutFacts, findCheckout } from '../../domain/fulfilment/checkout.sql.ts';
import { claimOrder } from '../../domain/fulfilment/claim-order.ts';
import { type FulfilmentDeps, orderKey } from '../../domain/fulfilment/fulfilment-deps.ts';
import { noteOpening } from '../../domain/fulfilment/note-opening.ts';
import { payOrder } from '../../domain/fulfilment/pay-order.ts';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import type { Gateway } from '../../domain/payment/gateways/gateway.ts';
import type { Simulator } from '../../domain/payment/gateways/simulator/simulator.ts';
import { addressKey, type RateLimiter, tooManyRequests } from '../../http/rate-limit.ts';
import { AppError } from '../../kit/app-error.ts';
import { type PageFacts, pageState, pageView, type RefusedForm } from './page-view.ts';
import { readClaimForm, readPayForm } from './read-form.ts';

export interface CheckoutDeps {
  fulfilment: FulfilmentDeps;
  /** Who takes the money in each mode; null while live has no provider. */
  gatewayOf: (mode: 'live' | 'sandbox') => Gateway | null;
  simulator: Simulator;
  publicUrl: string;
  /** Slows down whoever tries tokens. */
  guessLimiter: RateLimiter;
}

const FORM_BYTES = 16 * 1024;
/** How long a posted form waits for the outcome before the page takes over the waiting. */
const PAY_WAIT_MS = 4_000;
const STATUS_WAIT_MS = 25_000;
const LOOK_AGAIN_MS = 1_000;

type Params = { Params: { token: string } };

interface Opened extends CheckoutFacts {
  token: string;
  base: string;
}

export function mountCheckout(app: FastifyInstance, deps: CheckoutDeps): void {
  const { fulfilment, publicUrl, guessLimiter } = deps;

  async function open(request: FastifyRequest<Params>): Promise<Opened> {
    const { token } = request.params;
    const named = readCheckoutToken(fulfilment.seal, token);
    const facts = named && (await findCheckout(fulfilment.db, named.environmentId, named.orderId));
    if (facts) return { ...facts, token, base: `/c/${token}` };
    const allowance = guessLimiter.take(addressKey(request.ip));
    throw allowance.allowed ? new AppError('not_found') : tooManyRequests(allowance);
  }

  const factsOf = (opened: Opened, request: FastifyRequest): PageFacts => ({
    ...opened,
    sandbox: opened.mode === 'sandbox',
    hasProvider: deps.gatewayOf(opened.mode) !== null,
    acceptLanguage: request.headers['accept-language'] ?? null,
  });

  function show(opened: Opened, request: FastifyRequest, reply: FastifyReply, refused: RefusedForm | null = null) {
    const html = renderPage(pageView(factsOf(opened, request), refused));
    return reply
      .code(refused ? 422 : 200)
      .headers(PAGE_HEADERS)
      .send(html);
  }

  const backToPage = (opened: Opened, reply: FastifyReply) => reply.redirect(opened.base, 303);

  /** The work goes on whether or not somebody waits for it: a closed tab changes nothing. */
  async function startAndWait(work: Promise<unknown>, what: string): Promise<void> {
    fulfilment.background(work, what);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>(resolve => {
      timer = setTimeout(resolve, PAY_WAIT_MS);
    });
    await Promise.race([work.catch(() => {}), limit]);
    clearTimeout(timer);
  }

  app.get<Params>('/c/:token', async (request, reply) => {
    const opened = await open(request);
    if (opened.order.version === 1 && opened.payment === null) {
      fulfilment.background(noteOpening(fulfilment, opened.order), 'checkout.opened');
    }
    return show(opened, request, reply);
  });

  app.get<Params & { Querystring: { version?: string } }>('/c/:token/status', async (request, reply) => {
    const since = Number(request.query.version);
    const deadline = fulfilment.clock.nowMs() + STATUS_WAIT_MS;
    for (;;) {
      const opened = await open(request);
      const leftMs = deadline - fulfilment.clock.nowMs();
      if (opened.order.version !== since || leftMs <= 0 || request.raw.destroyed || fulfilment.signals.isEnding()) {
        const state = pageState(factsOf(opened, request));
        return reply.header('cache-control', 'no-store').send({ version: opened.order.version, state });
      }
      await fulfilment.signals.wait(orderKey(opened.order.id), Math.min(leftMs, LOOK_AGAIN_MS));
    }
  });

  app.post<Params>('/c/:token/pay', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const opened = await open(request);
    const gateway = deps.gatewayOf(opened.mode);
    if (pageState(factsOf(opened, request)) !== 'ready' || !gateway) return backToPage(opened, reply);
    const form = readPayForm(request.body, opened.now);
    if ('fieldErrors' in form) return show(opened, request, reply, form);
    const work = payOrder(fulfilment, {
      environmentId: opened.order.environmentId,
      orderId: opened.order.id,
      gateway,
      method: 'card',
      email: form.email,
      payWith: { kind: 'card', card: form.card },
      returnUrl: `${publicUrl}${opened.base}`,
    });
    await startAndWait(work, 'payment');
    return backToPage(opened, reply);
  });

  app.post<Params>('/c/:token/claim', { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const opened = await open(request);
    if (pageState(factsOf(opened, request)) !== 'claim') return backToPage(opened, reply);
    const form = readClaimForm(request.body);
    if ('fieldErrors' in form) return show(opened, request, reply, form);
    const { environmentId, id: orderId } = opened.order;
    await startAndWait(claimOrder(fulfilment, { environmentId, orderId, email: form.email }), 'claim');
    return backToPage(opened, reply);
  });

  app.get<Params>('/c/:token/challenge', async (request, reply) => backToPage(await open(request), reply));

  app.post<Params & { Body: { result?: string } }>(
    '/c/:token/challenge',
    { bodyLimit: FORM_BYTES },
    async (request, reply) => {
      const opened = await open(request);
      if (opened.payment?.status !== 'requires_action' || opened.mode !== 'sandbox') return backToPage(opened, reply);
      const ref = { environmentId: opened.order.environmentId, paymentId: opened.payment.id };
      const answer = request.body?.result === 'complete' ? 'complete' : 'fail';
      await startAndWait(answerChallenge(fulfilment, deps.simulator, ref, answer), 'challenge');
      return backToPage(opened, reply);
    },
  );
}

/** In a scope of its own: forms are read here and nowhere else, and errors are pages, not problems. */
export function registerCheckout(app: FastifyInstance, deps: CheckoutDeps): void {
  app.register(async scope => {
    await scope.register(formbody, { bodyLimit: FORM_BYTES });
    scope.setErrorHandler((error, request, reply) => {
      const isAbsent = error instanceof AppError && error.code === 'not_found';
      const isBusy = error instanceof AppError && error.code === 'rate_limited';
      if (!isAbsent && !isBusy)
        request.log.error({ err: error, route: request.routeOptions.url }, 'checkout page failed');
      const language = chooseLanguage(null, request.headers['accept-language'] ?? null);
      const frame = { language, theme: 'auto', base: '' } as const;
      const html = renderPage({ ...frame, state: isAbsent ? 'not_found' : 'unavailable' });
      const status = isAbsent ? 404 : isBusy ? 429 : 503;
      if (!isAbsent) reply.header('retry-after', '5');
      return reply.code(status).headers(PAGE_HEADERS).send(html);
    });
    mountCheckout(scope, deps);
  });
}
