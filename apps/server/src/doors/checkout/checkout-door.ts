import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { answerSimulator } from '../../domain/purchase/checkout/player-steps.ts';
import { createTelemetry, type Telemetry } from '../../domain/reporting/counters/page-telemetry.ts';
import {
  backToPage,
  type CheckoutDeps,
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

function mountLooking(app: FastifyInstance, deps: CheckoutDeps, telemetry: Telemetry): void {
  app.get<TokenRoute>('/c/:token', async (request, reply) => {
    const opened = await openCheckout(deps, request);
    telemetry.looked(opened);
    return showPage(deps, opened, reply);
  });

  app.get<TokenRoute>('/c/:token/receipt', async (request, reply) =>
    showReceipt(await openCheckout(deps, request), reply),
  );
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
  const { purchasing, simulator } = deps;
  const path = '/c/:token/challenge';

  app.post<TokenRoute & { Body: { result?: string } }>(path, { bodyLimit: FORM_BYTES }, async (request, reply) => {
    const opened = await openCheckout(deps, request);
    const answer = request.body?.result === 'complete' ? 'complete' : 'fail';
    await startAndWait(purchasing, answerSimulator(purchasing, simulator, opened, answer), 'challenge');
    return backToPage(opened, reply);
  });
}

/** What a player may see and do. In a scope of its own: only here forms are read, and errors are pages. */
export function registerCheckout(app: FastifyInstance, deps: CheckoutDeps): void {
  app.register(async scope => {
    await scope.register(formbody, { bodyLimit: FORM_BYTES });
    scope.setErrorHandler(showError);
    const telemetry = createTelemetry(deps);
    for (const mountPart of [mountLooking, mountStatus, mountPaying, mountChallenge, mountFormAddresses, mountLive])
      mountPart(scope, deps, telemetry);
    scope.register(async inner => mountEvents(inner, deps));
    mountIcons(scope, deps.purchasing.db);
  });
}
