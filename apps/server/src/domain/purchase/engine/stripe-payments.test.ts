import { gate } from '@coinslot/testing/gate';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const CREATE = /^POST \/v1\/payment_intents$/;
const CAPTURE = /^POST \/v1\/payment_intents\/\w+\/capture$/;
const LEASE_OVER = 60;
let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});

afterEach(() => {
  shop.game.answerAlways({ status: 200 });
  shop.stripe.faults.clear();
});

afterAll(() => shop?.close());

const asked = (orderId: string) =>
  shop.game.requests
    .filter(request => request.body?.event_data.order_id === orderId)
    .map(request => request.body!.event_type);

async function payment(orderId: string): Promise<Record<string, unknown>> {
  const id = await shop.lastPayment(orderId);
  return (await shop.call('GET', `/s2s/v1/payments/${id}`, undefined, { key: shop.account.live.s2sKey })).body;
}

describe('a live payment', () => {
  it('is reserved, asked for, granted and captured, with the facts of the card', async () => {
    const order = await shop.order();
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid', amount: 499 });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    expect(await payment(order)).toMatchObject({
      status: 'succeeded',
      gateway: 'stripe',
      method: 'card',
      brand: 'visa',
      last4: '4242',
      country: 'US',
    });
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    expect(intent).toMatchObject({
      amount: 499,
      currency: 'usd',
      payment_method_options: { card: { capture_method: 'manual' } },
      customer: expect.stringMatching(/^cus_/),
      metadata: { order_id: order, environment_id: shop.environmentId },
    });
  });

  it('makes one customer for each player of the game', async () => {
    const before = shop.stripe.store.customers.size;
    await Promise.all(['kim', 'kim', 'lee'].map(async player => shop.payBy(await shop.order({ player_id: player }))));
    const made = [...shop.stripe.store.customers.values()].slice(before).map(({ metadata }) => metadata.player_id);
    expect(made).toHaveLength(2);
    expect(new Set(made)).toEqual(new Set(['kim', 'lee']));
  });

  it('is released when the game refuses', async () => {
    shop.game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    const order = await shop.order();
    await shop.payBy(order);
    await shop.later(1);
    expect(await shop.read(order)).toMatchObject({ status: 'rejected' });
    expect(await shop.money(order)).toEqual(['authorized', 'canceled']);
  });

  it('by a wallet is called by the wallet’s name', async () => {
    const order = await shop.order();
    await shop.payBy(order, 'pm_card_applePay');
    expect(await payment(order)).toMatchObject({ method: 'apple_pay', status: 'succeeded' });
  });

  it.each([
    ['pm_card_chargeDeclined', 'generic_decline', 'The bank declined and gave no reason'],
    ['pm_card_chargeDeclinedInsufficientFunds', 'insufficient_funds', 'Insufficient funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'Expired card'],
  ])('that is declined (%s) is a record, and the order stays payable (row 3)', async (method, code, words) => {
    const order = await shop.order();
    await shop.payBy(order, method);
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
    expect(await payment(order)).toMatchObject({
      status: 'declined',
      response_code: code,
      response_description: words,
    });
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });
});

describe('a challenge', () => {
  it('leaves the order pending until the player has answered the bank', async () => {
    const order = await shop.order();
    await shop.payBy(order, 'pm_card_threeDSecure2Required');
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    expect(await payment(order)).toMatchObject({ status: 'requires_action' });
    shop.stripe.authenticate(shop.stripe.intentOf(await shop.lastPayment(order)), true);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  });

  it('that fails declines, and the intent can take no money later', async () => {
    const order = await shop.order();
    await shop.payBy(order, 'pm_card_threeDSecure2Required');
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    shop.stripe.authenticate(intent, false);
    await shop.hear(order);
    expect(await payment(order)).toMatchObject({
      status: 'declined',
      response_description: '3-D Secure authentication failed',
    });
    expect(intent.status).toBe('canceled');
    expect(await shop.money(order)).toEqual([]);
  });

  it('from which the player walked away is ended there before the order is free again (row 7)', async () => {
    const order = await shop.order();
    await shop.payBy(order, 'pm_card_threeDSecure2Required');
    await shop.payBy(order);
    expect(await shop.paymentsOf(order)).toHaveLength(1);
    await shop.later(16 * 60);
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
    expect(shop.stripe.intentOf(await shop.lastPayment(order)).status).toBe('canceled');
  });
});

describe('a method that cannot reserve', () => {
  it('captures first, and pays back when the game refuses', async () => {
    shop.game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    const order = await shop.order({ currency: 'EUR' });
    await shop.payWith(order, { kind: 'redirect', method: 'ideal' });
    expect(await payment(order)).toMatchObject({ status: 'requires_action', method: 'ideal' });
    shop.stripe.authenticate(shop.stripe.intentOf(await shop.lastPayment(order)), true);
    await shop.hear(order);
    await shop.later(1);
    expect(await shop.read(order)).toMatchObject({ status: 'rejected' });
    expect(await shop.money(order)).toEqual(['captured', 'refunded']);
  });

  it('captures once and completes when the game grants', async () => {
    const order = await shop.order({ currency: 'EUR' });
    await shop.payWith(order, { kind: 'redirect', method: 'ideal' });
    shop.stripe.authenticate(shop.stripe.intentOf(await shop.lastPayment(order)), true);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['captured']);
  });

  it('and takes days leaves the order pending past its 24 hours, and completes when the money comes', async () => {
    const order = await shop.order({ currency: 'MXN', price_decimal: 100 });
    await shop.payWith(order, { kind: 'redirect', method: 'oxxo' });
    expect(await payment(order)).toMatchObject({ status: 'pending', method: 'oxxo' });
    await shop.later(2 * 86_400);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    shop.stripe.arrive(shop.stripe.intentOf(await shop.lastPayment(order)), true);
    await shop.later(3_700);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['captured']);
  });

  it('and never comes releases the order', async () => {
    const order = await shop.order({ currency: 'EUR' });
    await shop.payWith(order, { kind: 'redirect', method: 'sepa_debit' });
    shop.stripe.arrive(shop.stripe.intentOf(await shop.lastPayment(order)), false);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
    expect(await shop.money(order)).toEqual([]);
  });
});

describe('an outcome that is not known', () => {
  it.each([
    ['the answer is lost', { kind: 'lose_answer' }],
    ['it is done and answered with 500', { kind: 'answer_after', status: 500 }],
  ] as const)('when %s is asked for and never charged again (rows 1, 2)', async (_, fault) => {
    const order = await shop.order();
    shop.stripe.faults.plan(CREATE, fault);
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    await shop.later(LEASE_OVER);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    expect(asked(order)).toEqual(['item.add']);
  });

  it.each([
    ['by its own id, among 600 of the same minutes', 0, 1],
    ['in the minutes of its making, without a search, behind 600 newer ones', null, 3_600],
  ])('is found %s (row 152)', async (_, searchLagSeconds, laterSeconds) => {
    const order = await shop.order();
    shop.stripe.faults.plan(CREATE, { kind: 'lose_answer' });
    await shop.payBy(order);
    const { intents } = shop.stripe.store;
    const lost = shop.stripe.intentOf(await shop.lastPayment(order));
    for (let i = 0; i < 600; i++) {
      const id = `pi_newer${laterSeconds}x${i}`;
      intents.set(id, { ...lost, id, metadata: { payment_id: `pay_newer${i}` }, created: lost.created + laterSeconds });
    }
    shop.stripe.settings.searchLagSeconds = searchLagSeconds;
    shop.stripe.settings.largestPage = 10;
    await shop.later(LEASE_OVER);
    Object.assign(shop.stripe.settings, { searchLagSeconds: 60, largestPage: 100 });
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    for (const id of intents.keys()) if (id.startsWith('pi_newer')) intents.delete(id);
  });

  it.each([
    ['the request is lost', { kind: 'lose_request' }],
    ['it is refused with 500', { kind: 'answer', status: 500 }],
    ['it meets a lock', { kind: 'answer', status: 409 }],
  ] as const)('when %s gives the order back without a charge', async (_, fault) => {
    const order = await shop.order();
    shop.stripe.faults.plan(CREATE, fault);
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    await shop.later(LEASE_OVER);
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
    expect(await shop.money(order)).toEqual([]);
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });

  it('is not charged by a request that arrives after it was given up', async () => {
    const order = await shop.order();
    const late = gate();
    shop.stripe.faults.plan(CREATE, { kind: 'delay_before', until: late.opened });
    const paying = shop.payBy(order);
    await expect.poll(() => shop.stripe.requests.at(-1)).toBe('POST /v1/payment_intents');
    await shop.later(LEASE_OVER);
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
    late.open();
    await paying;
    expect(await shop.money(order)).toEqual([]);
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
  });

  it('stays open while Stripe is down, and is settled when it is back', async () => {
    const order = await shop.order();
    shop.stripe.faults.plan(CREATE, { kind: 'lose_answer' });
    shop.stripe.faults.plan(/^GET \/v1\/payment_intents/, { kind: 'answer', status: 500 }, 2);
    await shop.payBy(order);
    await shop.later(LEASE_OVER);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    await shop.later(60);
    await shop.later(600);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });

  it('of a capture is asked for again and captured once', async () => {
    for (const fault of [
      { kind: 'lose_answer' },
      { kind: 'lose_request' },
      { kind: 'answer_after', status: 500 },
    ] as const) {
      const order = await shop.order();
      shop.stripe.faults.plan(CAPTURE, fault);
      await shop.payBy(order);
      expect(await shop.read(order)).toMatchObject({ status: 'authorized' });
      await shop.later(LEASE_OVER);
      expect(await shop.read(order)).toMatchObject({ status: 'paid' });
      expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    }
  });
});

describe('what a player does twice', () => {
  it('charges once: two clicks, two tabs, two cards (rows 5, 6)', async () => {
    const order = await shop.order();
    await Promise.all(Array.from({ length: 8 }, () => shop.payBy(order)));
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.paymentsOf(order)).toHaveLength(1);
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });
});

describe('what Stripe will not take', () => {
  it.each([
    [{ price_decimal: 0.1 }, 'amount_below_minimum'],
    [{ currency: 'BTN', price_decimal: 100 }, 'currency_unsupported'],
    [{ currency: 'KWD', price_decimal: 1.001 }, 'amount_not_exact'],
  ])('%j is said in words of its own', async (body, code) => {
    const order = await shop.order(body);
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
    expect(await payment(order)).toMatchObject({ status: 'declined', response_code: code });
  });

  it('because it is busy can be tried again at once (429)', async () => {
    const order = await shop.order();
    shop.stripe.faults.plan(CREATE, { kind: 'answer', status: 429 });
    await shop.payBy(order);
    expect(await payment(order)).toMatchObject({ status: 'declined', response_code: 'provider_busy' });
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  });

  it('is a token of the other mode', async () => {
    const order = await shop.order();
    await shop.payWith(order, { kind: 'provider_token', token: shop.stripe.token('pm_card_visa', { live: true }) });
    expect(await payment(order)).toMatchObject({ status: 'declined', response_code: 'provider_key_wrong_mode' });
  });

  it('is card data: it is refused before it leaves', async () => {
    const order = await shop.order();
    const card = { number: '4242424242424242', expiryMonth: 1, expiryYear: 2040, cvc: '123', postalCode: '1' };
    await shop.payWith(order, { kind: 'card', card });
    expect(await payment(order)).toMatchObject({ status: 'declined', response_code: 'method_unavailable' });
  });

  it('is a króna with hidden decimals: it is counted as Stripe counts', async () => {
    const order = await shop.order({ currency: 'ISK', price_decimal: 500 });
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid', amount: 500 });
    expect(shop.stripe.intentOf(await shop.lastPayment(order)).amount).toBe(50_000);
  });
});
