import { Readable } from 'node:stream';
import type { CheckoutStatus } from '@coinslot/checkout-page';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Signals } from '../../db/signals.ts';
import { checkoutState } from '../../domain/fulfillment/checkout/checkout.ts';
import { orderKey } from '../../domain/fulfillment/fulfillment-deps.ts';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import { type CheckoutDeps, openCheckout, PRIVATE_HEADERS, type TokenRoute } from './checkout-pages.ts';
import type { PageFacts } from './page-view.ts';

const WAIT_MS = 25_000;
const LOOK_AGAIN_MS = 1_000;

interface Watch {
  /** Resolves at once when there was a call since the last time. */
  untilCalled(timeoutMs: number): Promise<void>;
  end(): void;
}

/** Listens before it looks: a change between the look and the wait must not be slept through. */
function watchOrder(signals: Signals, orderId: string): Watch {
  const key = orderKey(orderId);
  let isCalled = false;
  const end = signals.on(key, () => {
    isCalled = true;
  });
  return {
    end,
    async untilCalled(timeoutMs) {
      if (!isCalled) await signals.wait(key, timeoutMs);
      isCalled = false;
    },
  };
}

const statusOf = (page: PageFacts): CheckoutStatus => ({ version: page.order.version, state: checkoutState(page) });

/** The head and an empty line leave at once, so that no proxy on the way takes the wait for a slow server. */
async function* waitForNews(
  deps: CheckoutDeps,
  request: FastifyRequest<TokenRoute>,
  watch: Watch,
  since: PageFacts,
): AsyncGenerator<string> {
  const { clock, signals } = deps.fulfillment;
  const deadline = clock.nowMs() + WAIT_MS;
  let opened = since;
  yield '\n';
  for (;;) {
    const leftMs = deadline - clock.nowMs();
    const isNews = opened.order.version !== since.order.version || checkoutState(opened) !== checkoutState(since);
    if (leftMs <= 0 || signals.isEnding() || isNews) break;
    await watch.untilCalled(Math.min(leftMs, LOOK_AGAIN_MS));
    opened = await openCheckout(deps, request);
  }
  yield JSON.stringify(statusOf(opened));
}

/** "Is there news since version N?" Answered as soon as there is, or after a while. */
export function mountStatus(app: FastifyInstance, deps: CheckoutDeps): void {
  const { seal, signals } = deps.fulfillment;
  app.get<TokenRoute & { Querystring: { version?: string } }>('/c/:token/status', async (request, reply) => {
    const watch = watchOrder(signals, readCheckoutToken(seal, request.params.token)?.orderId ?? '');
    // However it ends: answered, refused, or left by the player.
    reply.raw.once('close', watch.end);
    const opened = await openCheckout(deps, request);
    reply.headers(PRIVATE_HEADERS).type('application/json; charset=utf-8');
    if (opened.order.version !== Number(request.query.version)) return reply.send(JSON.stringify(statusOf(opened)));
    return reply.send(Readable.from(waitForNews(deps, request, watch, opened)));
  });
}
