import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let shop: StripeShop;

const CREATE = /^POST \/v1\/payment_intents$/;
const CAPTURE = /^POST \/v1\/payment_intents\/\w+\/capture$/;
const CUSTOMER = /^POST \/v1\/customers$/;
const ALWAYS = 20;

beforeAll(async () => {
  shop = await startStripeShop({ env: { PROVIDER_REPEATS: '3' } });
});

afterEach(() => shop.stripe.faults.clear());
afterAll(() => shop?.close());

async function payment(order: string): Promise<object> {
  const id = await shop.lastPayment(order);
  return (await shop.call('GET', `/s2s/v1/payments/${id}`, undefined, { key: shop.account.live.s2sKey })).body;
}

const callsOf = (pattern: RegExp): number => shop.stripe.requests.filter(name => pattern.test(name)).length;

describe('a call that a provider could not take for a moment', () => {
  it.each([
    ['429', { kind: 'answer', status: 429 }],
    ['502', { kind: 'answer', status: 502 }],
    ['503', { kind: 'answer', status: 503 }],
    ['a reset before it arrived', { kind: 'lose_request' }],
    ['a reset after it was done', { kind: 'lose_answer' }],
  ] as const)('is repeated under its key within the same click: %s (row 181)', async (_, fault) => {
    const order = await shop.order();
    shop.stripe.faults.plan(CREATE, fault);
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    expect(await shop.paymentsOf(order)).toHaveLength(1);
  });

  it('captures once, whether the answer or the request broke off (row 181)', async () => {
    for (const kind of ['lose_request', 'lose_answer'] as const) {
      const order = await shop.order();
      shop.stripe.faults.plan(CAPTURE, { kind });
      await shop.payBy(order);
      expect(await shop.read(order)).toMatchObject({ status: 'paid' });
      expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    }
  });

  it('is made four times at most, and then the player can try again at once: nothing was reserved (row 181)', async () => {
    const order = await shop.order({ player_id: 'new-here' });
    for (let i = 0; i < ALWAYS; i++) shop.stripe.faults.plan(CUSTOMER, { kind: 'answer', status: 503 });
    const before = callsOf(CUSTOMER);
    await shop.payBy(order);
    expect(callsOf(CUSTOMER) - before).toBe(4);
    expect(await payment(order)).toMatchObject({ status: 'declined', response_code: 'provider_busy' });
    expect(await shop.read(order)).toMatchObject({ status: 'created' });
    shop.stripe.faults.clear();
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });

  it('does not wait for hours because a provider says so: the player is told, and may try again at once (row 181)', async () => {
    const order = await shop.order({ player_id: 'in-a-hurry' });
    shop.stripe.faults.plan(CUSTOMER, { kind: 'answer', status: 429, retryAfterSeconds: 7_200 }, ALWAYS);
    const before = callsOf(CUSTOMER);
    await shop.payBy(order);
    expect(callsOf(CUSTOMER) - before).toBe(4);
    expect(await payment(order)).toMatchObject({ status: 'declined', response_code: 'provider_busy' });
    shop.stripe.faults.clear();
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  });

  it('that was done is not taken for refused when its repetition meets a provider that has too much to do (row 181)', async () => {
    const order = await shop.order();
    shop.stripe.faults.plan(CREATE, { kind: 'lose_answer' });
    for (let i = 0; i < ALWAYS; i++) shop.stripe.faults.plan(CREATE, { kind: 'answer', status: 429 });
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    shop.stripe.faults.clear();
    await expect
      .poll(async () => {
        await shop.later(4);
        return (await shop.read(order)).status;
      })
      .toBe('paid');
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });

  it('stays not known where money may be reserved, and is asked about within seconds (row 181)', async () => {
    const order = await shop.order();
    for (let i = 0; i < ALWAYS; i++) shop.stripe.faults.plan(CREATE, { kind: 'lose_request' });
    await shop.payBy(order);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    shop.stripe.faults.clear();
    await expect
      .poll(async () => {
        await shop.later(4);
        return (await shop.read(order)).status;
      })
      .toBe('created');
    expect(await shop.money(order)).toEqual([]);
  });
});
