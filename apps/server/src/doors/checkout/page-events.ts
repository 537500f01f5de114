import type { Device } from '@coinslot/contract';
import type { FastifyInstance } from 'fastify';
import { readCheckoutToken } from '../../domain/order/checkout-token.ts';
import { type Checkout, checkoutState } from '../../domain/purchase/checkout/checkout.ts';
import { emitOpened } from '../../domain/purchase/engine/save-purchase.ts';
import { createOnce } from '../../kit/collections.ts';
import { type CheckoutShop, type PageEvent, refuseToken, type TokenRoute } from './checkout-pages.ts';

/** What only the browser sees. Everything else is counted where it happens. */
const FROM_BROWSER: ReadonlySet<unknown> = new Set(['method_chosen', 'left'] satisfies PageEvent[]);
const EVENT_BYTES = 64;

/** One word in a beacon, which a browser sends even while it leaves. No cookie, no address, nothing of the player is kept. */
export function mountEvents(app: FastifyInstance, shop: CheckoutShop): void {
  const { seal, environmentOf, eventLimiter } = shop;
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
    shop.countPageEvent(body as PageEvent, environment.mode);
    return reply.code(204).send();
  });
}

/** Tablets of Apple call themselves desktops. Only a script could find out, and the page sends nothing about the player. */
const DEVICE_SIGNS: readonly (readonly [RegExp, Device])[] = [
  [/iPad|Tablet|PlayBook|Silk|Android(?!.*Mobile)/i, 'tablet'],
  [/Mobi|iPhone|iPod|Android/i, 'phone'],
  [/Windows|Macintosh|X11|Linux|CrOS/i, 'desktop'],
];

const USER_AGENT_CHARS = 300;

/** Reduces what a browser says about itself to one of four words. Nothing else of it is kept. */
export function deviceOf(userAgent: string | undefined): Device {
  const said = (userAgent ?? '').slice(0, USER_AGENT_CHARS);
  return DEVICE_SIGNS.find(([sign]) => sign.test(said))?.[1] ?? 'other';
}

/** Far more orders than are paid at one time; one that is forgotten costs a statement, not a wrong number. */
const LOOKS_REMEMBERED = 50_000;

export interface PageEvents {
  /** The page is shown. A reload is no second opening and no second challenge. */
  looked(opened: Checkout, userAgent: string | undefined): void;
  submitted(opened: Checkout): void;
}

export function createPageEvents(shop: CheckoutShop): PageEvents {
  const once = createOnce(LOOKS_REMEMBERED);

  async function open({ order, mode }: Checkout, device: Device): Promise<void> {
    try {
      // The database decides which opening was first: another process may have shown the page before.
      if (await emitOpened(shop, order, device)) shop.countPageEvent('opened', mode);
    } catch (error) {
      once.forget(order.id);
      throw error;
    }
  }

  return {
    looked(opened, userAgent) {
      const { order, payment, mode } = opened;
      const isUntouched = order.version === 1 && payment === null;
      if (isUntouched && once.isFirst(order.id)) shop.background(open(opened, deviceOf(userAgent)), 'checkout.opened');
      if (payment && checkoutState(opened) === 'challenge' && once.isFirst(payment.id))
        shop.countPageEvent('challenge_shown', mode);
    },
    submitted: ({ mode }) => shop.countPageEvent('submitted', mode),
  };
}
