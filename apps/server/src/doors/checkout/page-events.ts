import type { FastifyInstance } from 'fastify';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import type { CheckoutEvent } from '../../domain/reporting/counters/checkout-counters.sql.ts';
import { type CheckoutShop, refuseToken, type TokenRoute } from './checkout-pages.ts';

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
