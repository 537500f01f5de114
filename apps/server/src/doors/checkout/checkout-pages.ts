import { type CheckoutView, chooseLanguage, languageOf, pageAddress, renderCheckout } from '@coinslot/checkout-page';
import { ERRORS } from '@coinslot/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../domain/game/environment.ts';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import { PaymentNotBegunError } from '../../domain/payment/attempts/start-payment.ts';
import { listSavedMethods } from '../../domain/payment/saved-methods/saved-method.sql.ts';
import { checkoutState, readCheckout } from '../../domain/purchase/checkout/checkout.ts';
import type { PurchaseShop } from '../../domain/purchase/engine/purchase.ts';
import type { Shop } from '../../domain/shop.ts';
import type { ConnectionSlots } from '../../http/limits/connection-slots.ts';
import { timeWork } from '../../http/limits/request-work.ts';
import { asAppError } from '../../http/problem.ts';
import { addressKey, type RateLimiter, tooManyRequests } from '../../http/rate-limit.ts';
import { waitAtMost } from '../../jobs/background.ts';
import { AppError } from '../../kit/app-error.ts';
import { openKept } from './kept-fields.ts';
import type { PageFacts, RefusedForm } from './order-frame.ts';
import { packPage, takesGzip } from './pack-page.ts';
import { pageView, receiptView } from './page-view.ts';

/** How long a posted form waits for the outcome before the page takes over the waiting. */
const PAY_WAIT_MS = 4_000;

/**
 * If the database was away, nothing is on record and the player must try again. Every other error is resolved by a worker and
 * shown by the page.
 */
function throwIfNotTaken(error: unknown): void {
  if (asAppError(error).code === 'unavailable') throw error;
}

/** What came of it; null: an error, or nothing yet. */
async function goOn<T>(
  { background }: Shop,
  work: Promise<T>,
  what: string,
  judge: (error: unknown) => void,
): Promise<T | null> {
  let result: T | null = null;
  const noted = work.then(value => {
    result = value;
  });
  background(work, what);
  await waitAtMost(noted.catch(judge), PAY_WAIT_MS);
  return result;
}

/** The work goes on when the player closes the tab. */
export const startAndWait = (shop: Shop, work: Promise<unknown>, what: string): Promise<unknown> =>
  goOn(shop, work, what, throwIfNotTaken);

/** A payment that is on record: whatever becomes of it, the page shows it. */
export const waitForOutcome = <T>(shop: Shop, outcome: Promise<T>): Promise<T | null> =>
  goOn(shop, outcome, 'payment', () => {});

/**
 * How many orders were opened, how often a player began to type a card, sent the form, was asked by the bank, and left
 * before the end. Numbers for the metrics alone, so that no player is tracked.
 */
export type PageEvent = 'opened' | 'method_chosen' | 'submitted' | 'challenge_shown' | 'left';

/** The shop on the pool of the money path, and what only the pages need. */
export interface CheckoutShop extends PurchaseShop {
  /** Slows down an attacker who tries tokens. */
  guessLimiter: RateLimiter;
  countPageEvent: (event: PageEvent, mode: Mode) => void;
  /** Bounds the polls that wait for news. */
  connectionSlots: ConnectionSlots;
  /** Bounds what one page can count. */
  eventLimiter: RateLimiter;
}

export const FORM_BYTES = 16 * 1024;

export type TokenRoute = { Params: { token: string } };

/** What the player picked with the page's language switch. Text from outside: the page vets it. */
function chosenLanguageOf(request: FastifyRequest): string | null {
  const { lang } = request.query as { lang?: unknown };
  return typeof lang === 'string' ? lang : null;
}

/** The same answer for every token that opens nothing, until there are too many of them. */
export function refuseToken({ guessLimiter }: CheckoutShop, request: FastifyRequest): AppError {
  const allowance = guessLimiter.take(addressKey(request.ip));
  return allowance.allowed ? new AppError('not_found') : tooManyRequests(allowance);
}

/** Reads the order that a token names. A wrong token costs no look at the database. */
export async function openCheckout(shop: CheckoutShop, request: FastifyRequest<TokenRoute>): Promise<PageFacts> {
  const { token } = request.params;
  const named = readCheckoutToken(shop.seal, token);
  const acceptLanguage = request.headers['accept-language'] ?? null;
  const checkout = named && (await readCheckout(shop, named, acceptLanguage));
  if (!checkout) throw refuseToken(shop, request);
  const secure = shop.publicUrl.startsWith('https:');
  const chosenLanguage = chosenLanguageOf(request);
  const kept = openKept(shop.seal, checkout.order.id, (request.query as { kept?: unknown }).kept);
  return Object.assign(checkout, { base: `/c/${token}`, saved: [], acceptLanguage, chosenLanguage, secure, kept });
}

export function showPage(
  shop: CheckoutShop,
  page: PageFacts,
  reply: FastifyReply,
  refused: RefusedForm | null = null,
): FastifyReply | Promise<FastifyReply> {
  reply.code(refused ? (refused.problem === 'too_many_attempts' ? 429 : 422) : 200);
  if (page.live?.providers.some(({ abilities }) => abilities.savesMethods) && checkoutState(page) === 'ready') {
    return showWithSaved(shop, page, reply, refused);
  }
  return sendPage(reply, pageView(page, refused));
}

async function showWithSaved(
  { db }: CheckoutShop,
  page: PageFacts,
  reply: FastifyReply,
  refused: RefusedForm | null,
): Promise<FastifyReply> {
  const { environmentId, playerId } = page.order;
  const { providers } = page.live!;
  const saved = await listSavedMethods(db, environmentId, playerId, {
    gateways: providers.map(({ gateway }) => gateway.name),
    accounts: providers.flatMap(({ account }) => account?.id ?? []),
  });
  return sendPage(reply, pageView({ ...page, saved }, refused));
}

/** What a player prints. An order without a receipt shows how it stands instead. */
export function showReceipt(page: PageFacts, reply: FastifyReply): FastifyReply {
  const view = receiptView(page);
  return view ? sendPage(reply, view) : backToPage(page, reply);
}

function sendPage(reply: FastifyReply, view: CheckoutView): FastifyReply {
  const page = timeWork(reply.request, () => renderCheckout(view));
  reply.headers(page.headers).header('vary', 'accept-encoding');
  if (!takesGzip(reply.request.headers['accept-encoding'])) return reply.send(page.html);
  return reply.header('content-encoding', 'gzip').send(packPage(page.parts));
}

/** For what is no page: its address is the player's secret all the same. */
export const PRIVATE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
} as const;

/** After a form always the page by GET, so that back and reload never send it again. */
export function backToPage({ base, chosenLanguage }: PageFacts, reply: FastifyReply, kept = ''): FastifyReply {
  const address = pageAddress(base, languageOf(chosenLanguage ?? ''));
  const extra = kept === '' ? '' : `${address.includes('?') ? '&' : '?'}kept=${kept}`;
  return reply.headers(PRIVATE_HEADERS).redirect(address + extra, 303);
}

/** A player gets a page, never a problem document. */
export function showError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { code } = asAppError(error);
  // A fault of ours is temporary to a player: the page looks again by itself.
  const status = ERRORS[code].status < 500 ? ERRORS[code].status : 503;
  if (status === 503) {
    request.log.error({ err: error, route: request.routeOptions.url, request_id: request.id }, 'checkout page failed');
  }
  const chosen = chosenLanguageOf(request);
  const { language } = chooseLanguage({
    chosen,
    locale: null,
    acceptLanguage: request.headers['accept-language'] ?? null,
  });
  const { token } = request.params as { token?: string };
  if (status === 429 || status === 503) reply.header('retry-after', '5');
  return sendPage(reply.code(status), {
    language,
    chosenLanguage: languageOf(chosen ?? ''),
    theme: 'auto',
    // The page of a failed post looks again at the order, not at the address it was posted to.
    base: token === undefined ? '' : `/c/${encodeURIComponent(token)}`,
    ...(code === 'not_found'
      ? { state: 'not_found' }
      : { state: 'unavailable', notCharged: error instanceof PaymentNotBegunError }),
  });
}
