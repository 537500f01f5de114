import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { answerSimulator } from '../../domain/purchase/checkout/player-steps.ts';
import { createTelemetry, type Telemetry } from '../../domain/reporting/counters/page-telemetry.ts';
import {
  backToPage,
  type CheckoutShop,
  FORM_BYTES,
  openCheckout,
  showError,
  showPage,
  showReceipt,
  type TokenRoute,
} from './checkout-pages.ts';
import { mountIcons } from './icons.ts';
import { mountLive } from './live-door.ts';
import { mountEvents } from './page-events.ts';
import { mountPaying } from './paying.ts';
import { startAndWait } from './start-and-wait.ts';
import { mountStatus } from './status.ts';

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
