import type { TestBrowser } from '@coinslot/testing/dashboard';
import type { LiveOrder } from '@coinslot/testing/live-shop';
import type { PaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import type { StripeDouble } from '@coinslot/testing/stripe-double/stripe-double';
import { startTwoProviderShop, type TwoProviderShop } from '@coinslot/testing/two-provider-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let paypal: PaypalDouble;
let stripe: StripeDouble;
let shop: TwoProviderShop;
let owner: TestBrowser;

const ORDERS = /^POST \/v2\/checkout\/orders$/;
const INTENTS = /^POST \/v1\/payment_intents$/;
const CUSTOMERS = /^POST \/v1\/customers$/;

beforeAll(async () => {
  shop = await startTwoProviderShop({ PROVIDER_REPEATS: '0' });
  ({ paypal, stripe, owner } = shop);
});

afterEach(async () => {
  paypal.faults.clear();
  stripe.faults.clear();
  await routed(null);
});

afterAll(() => shop?.close());

const offered = `currency=EUR&country=DE&amount=499`;

/** Pages know within seconds. */
async function routed(provider: string | null): Promise<void> {
  await owner.call('PATCH', shop.ofCompany('/methods/paypal'), { route: provider });
  await expect
    .poll(async () => {
      const { body } = await owner.call<{ methods: { id: string; provider: string }[] }>(
        'GET',
        `/games/${shop.account.gameId}/live/offer?${offered}`,
      );
      return body.methods.find(({ id }) => id === 'paypal')?.provider;
    })
    .toBe(provider ?? 'paypal');
}

/** The page goes on after four seconds, whatever the providers do. */
const WAIT = { timeout: 60_000 };

const times = (double: PaypalDouble | StripeDouble, pattern: RegExp, fault: object): void => {
  for (let i = 0; i < 10; i++) double.faults.plan(pattern, fault as never);
};

const pay = async (order: LiveOrder): Promise<void> => {
  expect((await shop.post(order, '/pay', { method: 'paypal' })).status).toBe(303);
};

/** The newest last. */
const attempts = async (order: LiveOrder): Promise<Record<string, unknown>[]> =>
  (await shop.paymentsOf(order)).toReversed();

describe('a payment whose connection is down', () => {
  it.each([
    ['has too much to do', { kind: 'answer', status: 429 }],
    ['answers with 503', { kind: 'answer', status: 503 }],
    ['breaks off', { kind: 'lose_request' }],
  ])('is begun once at another in the same click, when the first %s (row 183)', async (_, fault) => {
    const order = await shop.order();
    times(paypal, ORDERS, fault);
    await pay(order);
    await expect
      .poll(() => attempts(order), WAIT)
      .toMatchObject([
        { gateway: 'paypal', status: 'declined', response_code: 'provider_busy' },
        { gateway: 'stripe', status: 'requires_action', method: 'paypal' },
      ]);
    expect(await shop.page(order)).toContain('data-state="challenge"');
  });

  it('goes from Stripe to PayPal too, whatever was typed before (row 183)', async () => {
    await routed('stripe');
    const order = await shop.order({ player_id: 'another' });
    times(stripe, CUSTOMERS, { kind: 'answer', status: 502 });
    await pay(order);
    await expect
      .poll(() => attempts(order), WAIT)
      .toMatchObject([
        { gateway: 'stripe', status: 'declined', response_code: 'provider_busy' },
        { gateway: 'paypal', status: 'requires_action' },
      ]);
  });

  it('is never begun at another where its outcome is not known (row 183)', async () => {
    await routed('stripe');
    for (const kind of ['lose_request', 'lose_answer']) {
      const order = await shop.order();
      const before = paypal.exchanges.length;
      times(stripe, INTENTS, { kind });
      await pay(order);
      expect(await attempts(order)).toMatchObject([{ gateway: 'stripe', status: 'pending' }]);
      expect(paypal.exchanges).toHaveLength(before);
      stripe.faults.clear();
    }
  });

  it('is tried at one other connection and no further (row 183)', async () => {
    const order = await shop.order({ player_id: 'third' });
    times(paypal, ORDERS, { kind: 'answer', status: 503 });
    times(stripe, CUSTOMERS, { kind: 'answer', status: 503 });
    await pay(order);
    await expect
      .poll(() => attempts(order), WAIT)
      .toMatchObject([
        { gateway: 'paypal', status: 'declined' },
        { gateway: 'stripe', status: 'declined', response_code: 'provider_busy' },
      ]);
    expect(await shop.statusOf(order)).toBe('created');
  });

  it('stays where it is when the company has turned failover off', async () => {
    await owner.call('PATCH', shop.ofCompany('/providers'), { fails_over: false });
    times(paypal, ORDERS, { kind: 'answer', status: 503 });
    await expect
      .poll(
        async () => {
          const order = await shop.order({ player_id: 'patient' });
          await pay(order);
          return (await attempts(order)).length;
        },
        { interval: 1_000 },
      )
      .toBe(1);
    await owner.call('PATCH', shop.ofCompany('/providers'), { fails_over: true });
  });
});
