import { Readable } from 'node:stream';
import type { CheckoutStatus } from '@coinslot/checkout-page';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Signals } from '../../db/signals.ts';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import { orderKey } from '../../domain/order/order.ts';
import { checkoutState } from '../../domain/purchase/checkout/checkout.ts';
import { addressKey } from '../../http/rate-limit.ts';
import { beginWait, lookAgainMs } from '../../kit/look-again.ts';
import { type CheckoutShop, openCheckout, PRIVATE_HEADERS, type TokenRoute } from './checkout-pages.ts';
import type { PageFacts } from './order-frame.ts';

const WAIT_MS = 25_000;
/** A purchase that is done changes rarely, and the signal of its change wakes the page at once. */
const LOOK_AGAIN_SETTLED_MS = 10_000;
/** Tabs of one order, and players behind one address such as a mobile network's. */
const MOST_FOR_PAGE = 8;
const MOST_FOR_ADDRESS = 2_000;

interface Watch {
  /** Resolves at once when there was a call since the last time. */
  untilCalled(timeoutMs: number): Promise<void>;
  end(): void;
  /** A newer poll took the place of this one. */
  giveUp(): void;
  isGivenUp(): boolean;
}

/** Listens before it looks: a change between the look and the wait must not be slept through. */
function watchOrder(signals: Signals, orderId: string): Watch {
  const key = orderKey(orderId);
  let isCalled = false;
  let isGivenUp = false;
  const end = signals.on(key, () => {
    isCalled = true;
  });
  return {
    end,
    giveUp() {
      isGivenUp = true;
    },
    isGivenUp: () => isGivenUp,
    async untilCalled(timeoutMs) {
      if (!isCalled) await signals.wait(key, timeoutMs);
      isCalled = false;
    },
  };
}

const statusOf = (page: PageFacts): CheckoutStatus => ({ version: page.order.version, state: checkoutState(page) });

/** The head and an empty line leave at once, so that no proxy on the way takes the wait for a slow server. */
async function* waitForChange(
  shop: CheckoutShop,
  request: FastifyRequest<TokenRoute>,
  watch: Watch,
  since: PageFacts,
): AsyncGenerator<string> {
  const { clock, signals } = shop;
  const deadline = clock.nowMs() + WAIT_MS;
  let opened = since;
  yield '\n';
  const end = beginWait();
  try {
    for (;;) {
      const leftMs = deadline - clock.nowMs();
      const isChanged = opened.order.version !== since.order.version || checkoutState(opened) !== checkoutState(since);
      if (leftMs <= 0 || signals.isEnding() || watch.isGivenUp() || isChanged) break;
      const sleepMs = checkoutState(opened) === 'done' ? Math.max(LOOK_AGAIN_SETTLED_MS, lookAgainMs()) : lookAgainMs();
      await watch.untilCalled(Math.min(leftMs, sleepMs));
      opened = await openCheckout(shop, request);
    }
  } finally {
    end();
  }
  yield JSON.stringify(statusOf(opened));
}

/** Answers whether the order has changed since version N: as soon as it has, or after a while. */
export function mountStatus(app: FastifyInstance, shop: CheckoutShop): void {
  const { seal, signals } = shop;
  app.get<TokenRoute & { Querystring: { version?: string } }>('/c/:token/status', async (request, reply) => {
    const watch = watchOrder(signals, readCheckoutToken(seal, request.params.token)?.orderId ?? '');
    // However it ends: answered, refused, or left by the player.
    reply.raw.once('close', watch.end);
    const opened = await openCheckout(shop, request);
    const leave = shop.connectionSlots.hold(
      [
        { name: `page ${opened.order.id}`, most: MOST_FOR_PAGE },
        { name: `address ${addressKey(request.ip)}`, most: MOST_FOR_ADDRESS },
      ],
      watch.giveUp,
    );
    reply.raw.once('close', leave);
    reply.headers(PRIVATE_HEADERS).type('application/json; charset=utf-8');
    if (opened.order.version !== Number(request.query.version)) return reply.send(JSON.stringify(statusOf(opened)));
    return reply.send(Readable.from(waitForChange(shop, request, watch, opened)));
  });
}
