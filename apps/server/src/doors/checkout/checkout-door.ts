import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../../db/db.ts';
import { findIcon } from '../../domain/game/game.sql.ts';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import { answerSimulator } from '../../domain/purchase/checkout/player-steps.ts';
import type { CheckoutEvent } from '../../domain/reporting/counters/checkout-counters.sql.ts';
import { createTelemetry, type Telemetry } from '../../domain/reporting/counters/checkout-counters.ts';
import { AppError } from '../../kit/app-error.ts';
import { systemClock } from '../../kit/clock.ts';
import { createTtlCache } from '../../kit/ttl-cache.ts';
import {
  backToPage,
  type CheckoutShop,
  FORM_BYTES,
  openCheckout,
  refuseToken,
  showError,
  showPage,
  showReceipt,
  startAndWait,
  type TokenRoute,
} from './checkout-pages.ts';
import { mountLive } from './live-door.ts';
import { mountPaying } from './paying.ts';
import { mountStatus } from './status.ts';

/** What only the browser sees. Everything else is counted where it happens. */
const FROM_BROWSER: ReadonlySet<unknown> = new Set(['method_chosen', 'left'] satisfies CheckoutEvent[]);
const EVENT_BYTES = 64;

/** One word in a beacon, which a browser sends even while it leaves. No cookie, no address, nothing of the player is kept. */
export function mountEvents(app: FastifyInstance, shop: CheckoutShop): void {
  const { seal, counters, environmentOf, eventLimiter } = shop;
  // Beacons are plain text; the forms of the page never are, so this stays in a scope of its own.
  app.addContentTypeParser('text/plain', { parseAs: 'string', bodyLimit: EVENT_BYTES }, (_request, body, done) =>
    done(null, body),
  );

  app.post<TokenRoute>('/c/:token/events', { bodyLimit: EVENT_BYTES }, async (request, reply) => {
    const named = readCheckoutToken(seal, request.params.token);
    const environment = named && (await environmentOf(named.environmentId));
    if (!environment) throw refuseToken(shop, request);
    const { body } = request;
    if (!FROM_BROWSER.has(body)) return reply.code(400).send();
    const allowance = eventLimiter.take(named.orderId);
    if (!allowance.allowed) return reply.code(429).header('retry-after', String(allowance.resetSeconds)).send();
    counters.count({ environmentId: environment.id, mode: environment.mode }, body as CheckoutEvent);
    return reply.code(204).send();
  });
}

const ICON_NAME = /^([0-9a-f]{32})\.png$/;

/** An address never gets another picture; only its removal must be noticed. */
const ICON_CACHE = { clock: systemClock, freshMs: 60_000, absentMs: 1_000, maxEntries: 50 } as const;

const ICON_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The games' uploaded icons, for payment pages and the dashboard. */
function mountIcons(app: FastifyInstance, db: Queryable): void {
  const read = createTtlCache({ load: id => findIcon(db, id), ...ICON_CACHE });
  app.get<{ Params: { name: string } }>('/icons/:name', async (request, reply) => {
    const id = ICON_NAME.exec(request.params.name)?.[1];
    const png = id === undefined ? null : await read(id);
    if (!png) throw new AppError('not_found');
    return reply.headers(ICON_HEADERS).type('image/png').send(png);
  });
}

function mountLooking(app: FastifyInstance, shop: CheckoutShop, telemetry: Telemetry): void {
  app.get<TokenRoute>('/c/:token', async (request, reply) => {
    const opened = await openCheckout(shop, request);
    telemetry.looked(opened);
    return showPage(shop, opened, reply);
  });

  app.get<TokenRoute>('/c/:token/receipt', async (request, reply) =>
    showReceipt(await openCheckout(shop, request), reply),
  );
}

/** A form's address that is opened like a page, by a restored tab or from the history, leads to the page. */
function mountFormAddresses(app: FastifyInstance, shop: CheckoutShop): void {
  for (const part of ['pay', 'claim', 'challenge', 'give-up', 'forget']) {
    app.get<TokenRoute>(`/c/:token/${part}`, async (request, reply) =>
      backToPage(await openCheckout(shop, request), reply),
    );
  }
}

/** Where the simulator's bank asks its question. The page itself shows it; only the answer comes here. */
function mountChallenge(app: FastifyInstance, shop: CheckoutShop): void {
  const path = '/c/:token/challenge';

  app.post<TokenRoute & { Body: { result?: string } }>(path, { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const opened = await openCheckout(shop, request);
    const answer = request.body?.result === 'complete' ? 'complete' : 'fail';
    await startAndWait(shop, answerSimulator(shop, opened, answer), 'challenge');
    return backToPage(opened, reply);
  });
}

/** What a player may see and do. In a scope of its own: only here forms are read, and errors are pages. */
export function registerCheckout(app: FastifyInstance, shop: CheckoutShop): void {
  app.register(async scope => {
    await scope.register(formbody, { bodyLimit: FORM_BYTES });
    scope.setErrorHandler(showError);
    const telemetry = createTelemetry(shop);
    for (const mountPart of [mountLooking, mountStatus, mountPaying, mountChallenge, mountFormAddresses, mountLive])
      mountPart(scope, shop, telemetry);
    scope.register(async inner => mountEvents(inner, shop));
    mountIcons(scope, shop.db);
  });
}
