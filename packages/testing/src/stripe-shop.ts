import type { Order } from '@coinslot/contract';
import { OutcomeUnknown, type PayWith } from '../../../apps/server/src/domain/payment/providers/base/gateway.ts';
import { payOrder } from '../../../apps/server/src/domain/purchase/checkout/begin-payment.ts';
import { syncPayment } from '../../../apps/server/src/domain/purchase/engine/sync-payment.ts';
import { systemClock } from '../../../apps/server/src/kit/clock.ts';
import { type Game, startGame } from './game-receiver.ts';
import { paymentRows } from './order-rows.ts';
import { startProgram, type TestProgram } from './program.ts';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from './stripe-double/stripe-double.ts';

export interface StripeShop extends Omit<TestProgram, 'close'> {
  stripe: StripeDouble;
  game: Game;
  environmentId: string;
  /** An order of the live environment. */
  order(body?: Record<string, unknown>): Promise<string>;
  /** Gives the token to the server, as the page does. */
  payWith(orderId: string, payWith: PayWith, more?: { saveMethod?: boolean }): Promise<void>;
  payBy(orderId: string, method?: string): Promise<void>;
  read(orderId: string): Promise<Order>;
  paymentsOf(orderId: string): ReturnType<typeof paymentRows>;
  lastPayment(orderId: string): Promise<string>;
  /** Money moved at Stripe for the order's payments, in order. */
  money(orderId: string): Promise<string[]>;
  /** The player comes back, or a callback arrives. */
  hear(orderId: string): Promise<void>;
  close(): Promise<void>;
}

export interface StripeShopOptions {
  env?: Record<string, string>;
  workers?: boolean;
}

const DAY_SECONDS = 86_400;

/** The whole program in live, with Stripe's double as the provider and a game that grants. */
export async function startStripeShop(options: StripeShopOptions = {}): Promise<StripeShop> {
  // Stripe's clock goes with the shop's, which a test moves.
  let aheadSeconds = 0;
  const stripe = await startStripeDouble({ nowSeconds: () => Math.floor(systemClock.nowMs() / 1000) + aheadSeconds });
  const shop = await startProgram({
    workers: options.workers ?? false,
    replace: parts => ({ ...parts, random: () => 0.5 }),
    env: {
      STRIPE_API_BASE: stripe.url,
      // A call that gets no answer is not known at once: what follows from that is what most tests are about.
      PROVIDER_REPEATS: '0',
      STRIPE_SECRET_KEY: TEST_KEYS.secret,
      STRIPE_PUBLISHABLE_KEY: TEST_KEYS.publishable,
      STRIPE_WEBHOOK_SECRET: TEST_KEYS.callback,
      ...options.env,
    },
  });
  const { s2sKey: key, environmentId } = shop.account.live;
  const game = await startGame({ secret: key });
  const hook = { url: game.url, events: ['item.add', 'item.remove'] };
  await shop.call('POST', '/s2s/v1/webhooks', hook, { key });
  stripe.callBack({ url: `${shop.url}/gateways/stripe`, secret: TEST_KEYS.callback });
  const { db } = shop.database;
  const { purchasing } = shop.program;
  const { gateway } = shop.program.parts.live.of('stripe')!.provider;

  const lastPayment = async (orderId: string): Promise<string> => (await paymentRows(db, orderId)).at(-1)!.id;
  const payWith: StripeShop['payWith'] = async (orderId, given, more = {}) => {
    const paying = payOrder(purchasing, {
      environmentId,
      orderId,
      gateway,
      method: 'card',
      email: 'player@example.com',
      payWith: given,
      returnUrl: 'https://shop.test/c/token',
      ...more,
    }).then(({ outcome }) => outcome);
    // As at the door: what is not known is left to the workers.
    await paying.catch((error: unknown) => {
      if (!(error instanceof OutcomeUnknown)) throw error;
    });
  };
  const later = async (seconds: number): Promise<void> => {
    aheadSeconds += seconds;
    await shop.later(seconds);
  };
  // It is noon, whenever the test runs: what is done once a day is then done at the same place in every run.
  await later((DAY_SECONDS + DAY_SECONDS / 2 - (stripe.store.nowSeconds() % DAY_SECONDS)) % DAY_SECONDS);
  return {
    ...shop,
    stripe,
    game,
    environmentId,
    payWith,
    lastPayment,
    async order(body = {}) {
      const made = await shop.call<{ order_id: string }>(
        'POST',
        '/s2s/v1/orders',
        { player_id: 'player_1', items: [{ sku: 'crystals' }], price_decimal: 4.99, currency: 'USD', ...body },
        { key },
      );
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body.order_id;
    },
    payBy: (orderId, method) => payWith(orderId, { kind: 'provider_token', token: stripe.token(method) }),
    read: async orderId => (await shop.call<Order>('GET', `/s2s/v1/orders/${orderId}`, undefined, { key })).body,
    paymentsOf: orderId => paymentRows(db, orderId),
    async money(orderId) {
      const payments = await paymentRows(db, orderId);
      return payments.flatMap(({ id }) => stripe.movementsOf(id));
    },
    async hear(orderId) {
      await syncPayment(purchasing, { environmentId, paymentId: await lastPayment(orderId) });
    },
    later,
    async close() {
      await game.close();
      await shop.close();
      await stripe.close();
    },
  };
}
