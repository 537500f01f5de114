import { type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stripe: StripeDouble;
beforeAll(async () => {
  stripe = await startStripeDouble();
});
afterAll(() => stripe?.close());

const keys = (secret: string) => ({
  STRIPE_API_BASE: stripe.url,
  STRIPE_SECRET_KEY: secret,
  STRIPE_PUBLISHABLE_KEY: TEST_KEYS.publishable,
});

const blockOf = async (shop: LiveShop, id: string) =>
  (await shop.call('GET', `/s2s/v1/orders/${id}`)).body.payment_blocked;

describe('live without a provider', () => {
  let shop: LiveShop;
  beforeAll(async () => {
    shop = await startLiveShop({ workers: false });
  });
  afterAll(() => shop?.close());

  it('takes the order, and API and page say what is missing', async () => {
    const body = { player_id: 'mika', items: [{ sku: 'gems' }], price_decimal: 4.99, currency: 'EUR' };
    const made = await shop.call('POST', '/s2s/v1/orders', body);
    expect(made).toMatchObject({ status: 201, body: { payment_blocked: { code: 'no_payment_provider' } } });
    expect((made.body.payment_blocked as { message: string }).message).toContain('Payment provider');
    expect(await blockOf(shop, String(made.body.order_id))).toMatchObject({ code: 'no_payment_provider' });
    const order = await shop.order();
    const page = await shop.page(order);
    expect(page).toContain('connected a payment provider yet');
    expect(page.split('<script')[0]).not.toMatch(/<form method="post"|stripe/i);
    await shop.post(order, '/pay', { method: 'card' });
    expect(await shop.paymentsOf(order)).toEqual([]);
  });

  it('a free order needs none', async () => {
    const order = await shop.order({ price_decimal: 0 });
    expect(await blockOf(shop, order.order_id)).toBeUndefined();
    expect(await shop.page(order)).toContain('data-state="claim"');
  });
});

describe('live with Stripe', () => {
  let shop: LiveShop;
  beforeAll(async () => {
    shop = await startLiveShop({ env: keys(TEST_KEYS.secret) });
  });
  afterAll(() => shop?.close());

  it.each([
    [
      'a currency that it does not take',
      { currency: 'IRR', price_decimal: 100 },
      'currency_unsupported',
      'accept payments in this currency',
    ],
    ['an amount under its minimum', { price_decimal: 0.1 }, 'amount_below_minimum', 'This amount is too small'],
    ['an amount over its maximum', { price_decimal: 1_000_000 }, 'amount_above_maximum', 'This amount is too large'],
  ])('%s is shown by API and page before a player pays', async (_what, body, code, words) => {
    const order = await shop.order(body);
    expect(await blockOf(shop, order.order_id)).toMatchObject({ code });
    const page = await shop.page(order);
    expect(page).toContain('data-state="not_connected"');
    expect(page).toContain(words);
  });

  it('shows the provider’s form with what the rule allows, the likeliest first', async () => {
    const order = await shop.order({ country: 'NL' });
    expect(await blockOf(shop, order.order_id)).toBeUndefined();
    const page = await shop.page(order);
    const options = JSON.parse(/data-options="([^"]+)"/.exec(page)![1]!.replaceAll('&quot;', '"'));
    expect(options).toMatchObject({
      amount: 499,
      currency: 'eur',
      savable: { card: 'on_session', link: 'off_session' },
    });
    expect(options.order.slice(0, 2)).toEqual(['ideal', 'card']);
    expect(new Set(options.types).size).toBe(options.types.length);
    expect(options.types).not.toContain('apple_pay');
    expect(page).toContain(`data-key="${TEST_KEYS.publishable}"`);
    expect(page).not.toContain(TEST_KEYS.secret);
  });

  it('takes no card number, whatever a browser sends', async () => {
    const order = await shop.order();
    const card = { card_number: '4242 4242 4242 4242', card_expiry: '12 / 40', card_cvc: '123', postal_code: '1' };
    const answer = await shop.post(order, '/pay', { method: 'card', ...card });
    expect(answer.status).toBe(422);
    expect(await shop.paymentsOf(order)).toEqual([]);
  });

  it('a kept card that Stripe has no more is told so, and not offered again', async () => {
    const first = await shop.order({ player_id: 'kept' });
    const provider_token = stripe.token('pm_card_visa', { save: true });
    await shop.post(first, '/pay', { method: 'card', provider_token, save_method: 'on', email: 'kept@example.com' });
    await shop.until(first, 'paid');
    await shop.later(2);
    const next = await shop.order({ player_id: 'kept' });
    const saved = /name="saved" value="(svm_\w+)"/.exec(await shop.page(next))?.[1] ?? '';
    expect(saved).not.toBe('');
    for (const [id, method] of stripe.store.methods) if (method.customer !== null) stripe.store.methods.delete(id);
    await shop.post(next, '/pay', { saved });
    await shop.until(next, 'created');
    expect(await shop.paymentsOf(next)).toMatchObject([{ status: 'declined', response_code: 'saved_method_gone' }]);
    const page = await shop.page(next);
    expect(page).toContain('This saved card can no longer be used');
    expect(page).not.toContain('name="saved"');
  });

  it('a token that Stripe never made pays nothing and leaves the order payable', async () => {
    const order = await shop.order();
    await shop.post(order, '/pay', { method: 'card', provider_token: 'ctoken_nobody' });
    await shop.until(order, 'created');
    expect(await shop.paymentsOf(order)).toMatchObject([{ status: 'declined' }]);
  });
});

describe('with keys that Stripe does not know', () => {
  let shop: LiveShop;
  beforeAll(async () => {
    shop = await startLiveShop({ env: keys('sk_test_Mistyped0001') });
  });
  afterAll(() => shop?.close());

  it('no player is charged, and the page says that the shop is not set up', async () => {
    const order = await shop.order();
    await shop.post(order, '/pay', { method: 'card', provider_token: stripe.token() });
    await shop.until(order, 'created');
    expect(await shop.page(order)).toContain('a problem with the shop’s payment provider');
    expect(await shop.paymentsOf(order)).toMatchObject([{ response_code: 'provider_key_invalid' }]);
  });
});
