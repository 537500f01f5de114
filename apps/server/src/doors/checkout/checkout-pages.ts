import { chooseLanguage, PAGE_HEADERS, renderPage } from '@coinslot/checkout-page';
import { ERRORS } from '@coinslot/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type CheckoutFacts, findCheckout } from '../../domain/fulfilment/checkout.sql.ts';
import type { FulfilmentDeps } from '../../domain/fulfilment/fulfilment-deps.ts';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import type { Gateway } from '../../domain/payment/gateways/gateway.ts';
import type { Simulator } from '../../domain/payment/gateways/simulator/simulator.ts';
import { asAppError } from '../../http/problem.ts';
import { addressKey, type RateLimiter, tooManyRequests } from '../../http/rate-limit.ts';
import { AppError } from '../../kit/app-error.ts';
import { type PageFacts, pageView, type RefusedForm } from './page-view.ts';

export interface CheckoutDeps {
  fulfilment: FulfilmentDeps;
  /** Who takes the money in each mode; null while live has no provider. */
  gatewayOf: (mode: 'live' | 'sandbox') => Gateway | null;
  simulator: Simulator;
  publicUrl: string;
  /** Slows down whoever tries tokens. */
  guessLimiter: RateLimiter;
}

export type TokenRoute = { Params: { token: string } };

export interface Opened extends CheckoutFacts {
  /** The page's own path. */
  base: string;
  page: PageFacts;
}

/** Reads the order that a token names. A wrong token costs no look at the database. */
export async function openCheckout(deps: CheckoutDeps, request: FastifyRequest<TokenRoute>): Promise<Opened> {
  const { fulfilment, guessLimiter, gatewayOf } = deps;
  const { token } = request.params;
  const named = readCheckoutToken(fulfilment.seal, token);
  const facts = named && (await findCheckout(fulfilment.db, named.environmentId, named.orderId));
  if (!facts) {
    const allowance = guessLimiter.take(addressKey(request.ip));
    throw allowance.allowed ? new AppError('not_found') : tooManyRequests(allowance);
  }
  const base = `/c/${token}`;
  const page: PageFacts = {
    ...facts,
    base,
    sandbox: facts.mode === 'sandbox',
    hasProvider: gatewayOf(facts.mode) !== null,
    acceptLanguage: request.headers['accept-language'] ?? null,
  };
  return { ...facts, base, page };
}

export const showPage = (opened: Opened, reply: FastifyReply, refused: RefusedForm | null = null): FastifyReply =>
  reply
    .code(refused ? 422 : 200)
    .headers(PAGE_HEADERS)
    .send(renderPage(pageView(opened.page, refused)));

/** After a form always the page by GET, so that back and reload never send it again. */
export const backToPage = (opened: Opened, reply: FastifyReply): FastifyReply => reply.redirect(opened.base, 303);

/** A player gets a page, never a problem document. */
export function showError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code } = asAppError(error);
  // Whatever is our fault is a passing one to a player: the page looks again by itself.
  const status = ERRORS[code].status < 500 ? ERRORS[code].status : 503;
  if (status === 503) {
    request.log.error({ err: error, route: request.routeOptions.url, request_id: request.id }, 'checkout page failed');
  }
  const language = chooseLanguage(null, request.headers['accept-language'] ?? null);
  const state = code === 'not_found' ? 'not_found' : 'unavailable';
  const html = renderPage({ language, theme: 'auto', base: '', state });
  if (status === 429 || status === 503) reply.header('retry-after', '5');
  return reply.code(status).headers(PAGE_HEADERS).send(html);
}
