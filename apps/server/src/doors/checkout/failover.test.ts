import type { TestBrowser } from '@coinslot/testing/dashboard';
import type { LiveOrder } from '@coinslot/testing/live-shop';
import {
  MOLLIE_KEYS_OF_DOUBLE as KEYS,
  type MollieDouble,
  startMollieDouble,
} from '@coinslot/testing/mollie-double/mollie-double';
import type { PaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import { startTwoProviderShop, type TwoProviderShop } from '@coinslot/testing/two-provider-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let mollie: MollieDouble;
let paypal: PaypalDouble;
let shop: TwoProviderShop;
let owner: TestBrowser;

const PAYMENTS = /^POST \/v2\/payments$/;
const ORDERS = /^POST \/v2\/checkout\/orders$/;
const ANY_RULE = {
  games: null,
  account: null,
  countries: null,
  currencies: null,
  methods: null,
  min_amount: null,
  max_amount: null,
};

beforeAll(async () => {
  mollie = await startMollieDouble();
  shop = await startTwoProviderShop({
    PROVIDER_REPEATS: '0',
    MOLLIE_API_BASE: mollie.url,
    MOLLIE_API_KEY: KEYS.test,
    MOLLIE_PROFILE_ID: KEYS.profile,
  });
  ({ paypal, owner } = shop);
});

afterEach(async () => {
  for (const double of [mollie, paypal]) double.faults.clear();
  await ruled([]);
});

afterAll(async () => {
  await shop?.close();
  await mollie?.close();
});

interface Offer {
  methods: { id: string; provider: string }[];
}

const offered = async (): Promise<Offer['methods']> =>
  (await owner.call<Offer>('GET', `/games/${shop.account.gameId}/live/offer?currency=EUR&country=NL&amount=499`)).body
    .methods;
const takerOf = async (method: string): Promise<string | undefined> =>
  (await offered()).find(({ id }) => id === method)?.provider;

async function ruled(rules: object[]): Promise<void> {
  expect((await owner.call('PUT', shop.ofCompany('/routing'), { rules })).status).toBe(200);
}

/** Pages know within seconds. */
async function firstIs(provider: 'mollie' | 'paypal'): Promise<void> {
  await ruled([{ ...ANY_RULE, methods: ['paypal'], provider }]);
  await expect.poll(() => takerOf('paypal')).toBe(provider);
}

let players = 0;
const order = (): Promise<LiveOrder> => shop.order({ country: 'NL', player_id: `attacker-${++players}` });
const pay = async (one: LiveOrder, method = 'paypal'): Promise<number> =>
  (await shop.post(one, '/pay', { method })).status;
/** The newest last. */
const attempts = async (one: LiveOrder): Promise<Record<string, unknown>[]> =>
  (await shop.paymentsOf(one)).toReversed();
const back = (one: LiveOrder): Promise<Response> => fetch(`${one.checkout_url}/return`, { redirect: 'manual' });
const WAIT = { timeout: 60_000 };

describe('a payment at Mollie that is begun elsewhere', () => {
  it.each([
    ['has too much to do', { kind: 'answer', status: 429 }],
    ['is down', { kind: 'answer', status: 503 }],
    ['never hears of it', { kind: 'lose_request' }],
    ['has made it, and its answer is lost', { kind: 'lose_answer' }],
  ] as const)(
    'in the same click, once, when Mollie %s: no money moves before the player is there (row 183)',
    async (_, fault) => {
      await firstIs('mollie');
      mollie.faults.plan(PAYMENTS, fault);
      const one = await order();
      expect(await pay(one)).toBe(303);
      await expect
        .poll(() => attempts(one), WAIT)
        .toMatchObject([
          { gateway: 'mollie', status: 'declined', response_code: 'provider_busy' },
          { gateway: 'paypal', status: 'requires_action' },
        ]);
      const [first, second] = (await attempts(one)).map(({ payment_id: id }) => String(id));
      paypal.approve(second!);
      await back(one);
      await shop.until(one, 'paid');
      expect(paypal.movementsOf(second!)).toEqual(['authorized', 'captured']);
      expect(mollie.movementsOf(first!)).toEqual([]);
    },
  );

  it('is not, once the player was sent there: while Mollie does not answer, it is waited for (row 183)', async () => {
    await firstIs('mollie');
    const one = await order();
    expect(await pay(one)).toBe(303);
    const away = (await fetch(`${one.checkout_url}/continue`, { redirect: 'manual' })).headers.get('location')!;
    await fetch(`${away}?as=approves`, { redirect: 'manual' });
    mollie.faults.plan(/./, { kind: 'answer', status: 503 }, 50);
    const before = paypal.exchanges.length;
    await back(one);
    expect(await pay(one)).not.toBe(200);
    expect(await attempts(one)).toMatchObject([{ gateway: 'mollie' }]);
    expect(await shop.statusOf(one)).toBe('pending');
    expect(paypal.exchanges).toHaveLength(before);
    mollie.faults.clear();
    await back(one);
    await shop.until(one, 'paid');
    expect(await attempts(one)).toHaveLength(1);
  });
});

describe('two tabs that pay at once while the first connection is down', () => {
  it('leave one attempt to go on with, and the money moves once (row 183)', async () => {
    await firstIs('mollie');
    mollie.faults.plan(PAYMENTS, { kind: 'answer', status: 503 }, 50);
    const one = await order();
    const answers = await Promise.all([pay(one), pay(one), pay(one), pay(one)]);
    expect(new Set(answers)).toEqual(new Set([303]));
    const open = async () => (await attempts(one)).filter(({ status }) => status === 'requires_action');
    await expect.poll(async () => (await open()).length, WAIT).toBe(1);
    const ids = (await attempts(one))
      .filter(({ gateway }) => gateway === 'paypal')
      .map(({ payment_id: id }) => String(id));
    for (const id of ids) paypal.approve(id);
    await Promise.all([back(one), back(one), back(one)]);
    await shop.until(one, 'paid');
    const moved = ids.flatMap(id => paypal.movementsOf(id));
    expect(moved).toEqual(['authorized', 'captured']);
    const grants = shop.game.requests.filter(
      ({ body }) => body?.event_type === 'item.add' && body.event_data.order_id === one.order_id,
    );
    expect(grants).toHaveLength(1);
  });
});

describe('rules that leave no method', () => {
  it('show a page that says so, and take no payment from a form that is sent all the same', async () => {
    await ruled([{ ...ANY_RULE, provider: null }]);
    await expect.poll(async () => (await offered()).length).toBe(0);
    const one = await order();
    const text = await shop.page(one);
    expect(text).not.toContain('value="paypal"');
    expect(text).not.toContain('value="card"');
    expect(text).toContain('data-state="not_connected"');
    const methods = ['paypal', 'card', 'ideal'];
    for (const method of methods) expect([303, 422], method).toContain(await pay(one, method));
    expect(await attempts(one)).toEqual([]);
    expect(await shop.statusOf(one)).toBe('created');
    await firstIs('paypal');
    expect(await pay(one)).toBe(303);
  });
});

describe('a currency that the account does not take', () => {
  it('is the shop’s mistake, not the player’s: it moves nothing, and the order can still be paid', async () => {
    await firstIs('paypal');
    const fault = { kind: 'refuse', status: 422, code: 'CURRENCY_NOT_SUPPORTED' } as const;
    paypal.faults.plan(ORDERS, fault);
    const one = await order();
    expect(await pay(one)).toBe(303);
    await expect
      .poll(() => attempts(one), WAIT)
      .toMatchObject([{ gateway: 'paypal', status: 'declined', response_code: 'currency_unsupported' }]);
    expect(await shop.statusOf(one)).toBe('created');
    expect(await pay(one)).toBe(303);
    await expect.poll(async () => (await attempts(one)).at(-1)?.status, WAIT).toBe('requires_action');
  });

  it('is not offered where no account takes it', async () => {
    const one = await shop.order({ currency: 'ISK', price_decimal: 499, player_id: 'icelander' });
    const text = await shop.page(one);
    expect(text).not.toContain('value="paypal"');
    expect(await pay(one)).toBeGreaterThanOrEqual(400);
    expect(await attempts(one)).toEqual([]);
  });
});
