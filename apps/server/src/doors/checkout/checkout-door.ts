import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import type { Queryable } from '../../db/db.ts';
import { findIcon } from '../../domain/game/game.sql.ts';
import { answerSimulator } from '../../domain/purchase/checkout/player-steps.ts';
import { AppError } from '../../kit/app-error.ts';
import { systemClock } from '../../kit/clock.ts';
import { createTtlCache } from '../../kit/ttl-cache.ts';
import {
  backToPage,
  type CheckoutShop,
  FORM_BYTES,
  openCheckout,
  showError,
  showPage,
  showReceipt,
  startAndWait,
  type TokenRoute,
} from './checkout-pages.ts';
import { mountLive } from './live-door.ts';
import { createPageEvents, mountEvents, type PageEvents } from './page-events.ts';
import { mountPaying } from './paying.ts';
import { mountStatus } from './status.ts';

const ICON_NAME = /^([0-9a-f]{32})\.png$/;

/** An address never gets another picture; only its removal must be noticed. */
const ICON_CACHE = { clock: systemClock, freshMs: 60_000, absentMs: 1_000, maxEntries: 50 } as const;

const ICON_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  // Mails are read in browsers too, and a preview is a page without an origin.
  'cross-origin-resource-policy': 'cross-origin',
} as const;

/** The games' uploaded icons, for payment pages, mails and the dashboard. */
function mountIcons(app: FastifyInstance, db: Queryable): void {
  const read = createTtlCache({ load: id => findIcon(db, id), ...ICON_CACHE });
  app.get<{ Params: { name: string } }>('/icons/:name', async (request, reply) => {
    const id = ICON_NAME.exec(request.params.name)?.[1];
    const png = id === undefined ? null : await read(id);
    if (!png) throw new AppError('not_found');
    return reply.headers(ICON_HEADERS).type('image/png').send(png);
  });
}

function mountLooking(app: FastifyInstance, shop: CheckoutShop, events: PageEvents): void {
  app.get<TokenRoute>('/c/:token', async (request, reply) => {
    const opened = await openCheckout(shop, request);
    events.looked(opened, request.headers['user-agent']);
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
    const events = createPageEvents(shop);
    for (const mountPart of [mountLooking, mountStatus, mountPaying, mountChallenge, mountFormAddresses, mountLive])
      mountPart(scope, shop, events);
    scope.register(async inner => mountEvents(inner, shop));
    mountIcons(scope, shop.db);
  });
}
