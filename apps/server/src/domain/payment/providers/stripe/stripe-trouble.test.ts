import type { Intent } from '@coinslot/testing/stripe-double/objects';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findChargeDetails } from '../base/provider-charge.sql.ts';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});
afterEach(() => shop.stripe.faults.clear());
afterAll(() => shop?.close());

const gateway = () => shop.program.parts.live.of('stripe')!.provider.gateway;
const ref = async (order: string) => ({
  environmentId: shop.environmentId,
  paymentId: await shop.lastPayment(order),
});
const intentOf = async (order: string): Promise<Intent> => shop.stripe.intentOf(await shop.lastPayment(order));
const detailsOf = async (order: string) => findChargeDetails(shop.database.db, await ref(order));

async function paidOrder(): Promise<string> {
  const order = await shop.order();
  await shop.payBy(order);
  expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  return order;
}

describe('what is the shop’s fault', () => {
  it('is on the payment with code, parameter and request id, and is not told as the bank’s no (row 99)', async () => {
    const order = await shop.order();
    shop.stripe.faults.plan(/^POST \/v1\/payment_intents$/, {
      kind: 'refuse',
      status: 400,
      type: 'invalid_request_error',
      code: 'parameter_unknown',
      param: 'metadata[color]',
    });
    await shop.payBy(order);
    const { body } = await shop.call<{ data: object[] }>('GET', `/s2s/v1/payments?order_id=${order}`, undefined, {
      key: shop.account.live.s2sKey,
    });
    expect(body.data).toMatchObject([{ status: 'declined', response_code: 'provider_refused' }]);
    expect(await detailsOf(order)).toMatchObject({
      refusal: { whose: 'shop', code: 'parameter_unknown', param: 'metadata[color]', requestId: 'req_double' },
    });
    const { checkout_url } = await shop.read(order);
    const page = await (await fetch(shop.url + new URL(checkout_url).pathname)).text();
    expect(page).toContain('a problem with the shop’s payment provider');
    expect(page).not.toContain('Your bank declined');
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  });
});

describe('a fault that Stripe stores', () => {
  it('when a customer is made holds the player up once, not for a day (row 97)', async () => {
    const order = await shop.order({ player_id: 'unlucky' });
    shop.stripe.faults.plan(/^POST \/v1\/customers$/, { kind: 'refuse', status: 500, type: 'api_error' });
    await shop.payBy(order);
    for (let i = 0; i < 4; i++) await shop.later(300);
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });
});

describe('a warning', () => {
  it('of fraud is heard by a callback and shown; no money moves', async () => {
    const order = await paidOrder();
    const warning = shop.stripe.warn(await intentOf(order));
    expect(await shop.stripe.sendEvents(shop.stripe.store.events.slice(-1))).toEqual([200]);
    await shop.program.workers.drain();
    expect(await gateway().lookUp(await ref(order))).toMatchObject({
      status: 'captured',
      warning: { kind: 'fraud_warning', reason: 'unauthorized_use_of_card' },
    });
    expect(await detailsOf(order)).toMatchObject({ warning: { kind: 'fraud_warning' } });
    warning.actionable = false;
    expect(await gateway().lookUp(await ref(order))).toMatchObject({ warning: null });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });

  it('that Stripe wants a person to look is there until the review is closed', async () => {
    const order = await paidOrder();
    const review = shop.stripe.review(await intentOf(order));
    expect(await gateway().lookUp(await ref(order))).toMatchObject({ warning: { kind: 'review', reason: 'rule' } });
    shop.stripe.closeReview(review);
    expect(await gateway().lookUp(await ref(order))).toMatchObject({ warning: null });
    expect(await shop.stripe.sendEvents(shop.stripe.store.events.slice(-2))).toEqual([200, 200]);
  });
});

describe('a method with rules of its own', () => {
  it('Konbini is returned with instructions by mail', async () => {
    const order = await shop.order({ currency: 'JPY', price_decimal: 500 });
    await shop.payBy(order, 'konbini');
    shop.stripe.arrive(await intentOf(order), true);
    await shop.hear(order);
    expect(await gateway().refund(await ref(order))).toMatchObject({ kind: 'charge', charge: { status: 'refunded' } });
    const [refund] = [...shop.stripe.store.refunds.values()].slice(-1);
    expect(refund).toMatchObject({ instructions_email: 'player@example.com' });
  });

  it('OXXO cannot be returned, which is final', async () => {
    const order = await shop.order({ currency: 'MXN', price_decimal: 100 });
    await shop.payBy(order, 'oxxo');
    shop.stripe.arrive(await intentOf(order), true);
    await shop.hear(order);
    expect(await gateway().refund(await ref(order))).toMatchObject({
      kind: 'refused',
      refusal: { whose: 'bank', code: 'charge_not_refundable', isFinal: true },
    });
  });

  it('Alma reserves first', async () => {
    const order = await shop.order({ currency: 'EUR', price_decimal: 80 });
    await shop.payBy(order, 'alma');
    shop.stripe.authenticate(await intentOf(order), true);
    expect(await gateway().lookUp(await ref(order))).toMatchObject({ status: 'authorized' });
  });
});

describe('an amount with three decimals', () => {
  it.each([
    [1.23, undefined],
    [1.234, { code: 'amount_not_exact' }],
  ])('of %s dinars is told when the order is made: %j', async (price_decimal, blocked) => {
    const made = await shop.call<{ payment_blocked?: object }>(
      'POST',
      '/s2s/v1/orders',
      { player_id: 'p', items: [{ sku: 'gems' }], price_decimal, currency: 'KWD' },
      { key: shop.account.live.s2sKey },
    );
    expect(made.status).toBe(201);
    if (blocked) expect(made.body.payment_blocked).toMatchObject(blocked);
    else expect(made.body.payment_blocked).toBeUndefined();
  });
});
