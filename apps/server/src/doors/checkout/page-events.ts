import type { FastifyInstance } from 'fastify';
import { checkoutState } from '../../domain/fulfillment/checkout/checkout.ts';
import type { FulfillmentDeps } from '../../domain/fulfillment/fulfillment-deps.ts';
import { emitOpened } from '../../domain/fulfillment/save-purchase.ts';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import type { CheckoutEvent } from '../../domain/report/figures/checkout-counters.sql.ts';
import type { CheckoutCounters } from '../../domain/report/figures/checkout-counters.ts';
import { createOnce } from '../../kit/collections.ts';
import { type CheckoutDeps, refuseToken, type TokenRoute } from './checkout-pages.ts';
import type { PageFacts } from './page-view.ts';

/** What only the browser sees. Everything else is counted where it happens. */
const FROM_BROWSER: ReadonlySet<unknown> = new Set(['method_chosen', 'left'] satisfies CheckoutEvent[]);
const EVENT_BYTES = 64;
/** Far more orders than are paid at one time; one that is forgotten costs a statement, not a wrong number. */
const LOOKS_REMEMBERED = 50_000;

export interface Telemetry {
  /** The page is shown. A reload is no second opening and no second challenge. */
  looked(opened: PageFacts): void;
  submitted(opened: PageFacts): void;
}

export function createTelemetry(deps: { fulfillment: FulfillmentDeps; counters: CheckoutCounters }): Telemetry {
  const { fulfillment, counters } = deps;
  const once = createOnce(LOOKS_REMEMBERED);
  const count = ({ order: { environmentId }, mode }: PageFacts, event: CheckoutEvent): void =>
    counters.count({ environmentId, mode }, event);

  async function open(opened: PageFacts): Promise<void> {
    try {
      // The database decides which opening was first: another process may have shown the page before.
      if (await emitOpened(fulfillment, opened.order)) count(opened, 'opened');
    } catch (error) {
      once.forget(opened.order.id);
      throw error;
    }
  }

  return {
    looked(opened) {
      const { order, payment } = opened;
      const isUntouched = order.version === 1 && payment === null;
      if (isUntouched && once.isFirst(order.id)) fulfillment.background(open(opened), 'checkout.opened');
      if (payment && checkoutState(opened) === 'challenge' && once.isFirst(payment.id))
        count(opened, 'challenge_shown');
    },
    submitted: opened => count(opened, 'submitted'),
  };
}

/** One word in a beacon, which a browser sends even while it leaves. No cookie, no address, nothing of the player is kept. */
export function mountEvents(app: FastifyInstance, deps: CheckoutDeps): void {
  const { fulfillment, counters, environmentOf, eventLimiter } = deps;
  // Beacons are plain text; the forms of the page never are, so this stays in a scope of its own.
  app.addContentTypeParser('text/plain', { parseAs: 'string', bodyLimit: EVENT_BYTES }, (_request, body, done) =>
    done(null, body),
  );

  app.post<TokenRoute>('/c/:token/events', { bodyLimit: EVENT_BYTES }, async (request, reply) => {
    const named = readCheckoutToken(fulfillment.seal, request.params.token);
    const environment = named && (await environmentOf(named.environmentId));
    if (!environment) throw refuseToken(deps, request);
    const { body } = request;
    if (!FROM_BROWSER.has(body)) return reply.code(400).send();
    const allowance = eventLimiter.take(named.orderId);
    if (!allowance.allowed) return reply.code(429).header('retry-after', String(allowance.resetSeconds)).send();
    counters.count({ environmentId: environment.id, mode: environment.mode }, body as CheckoutEvent);
    return reply.code(204).send();
  });
}
