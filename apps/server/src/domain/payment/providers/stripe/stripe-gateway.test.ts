import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutcomeUnknown } from '../base/gateway.ts';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop?.close());

const gateway = () => shop.program.parts.live.of('stripe')!.provider.gateway;
const ref = async (order: string) => ({
  environmentId: shop.environmentId,
  paymentId: await shop.lastPayment(order),
});

async function savedBy(playerId: string) {
  const order = await shop.order({ player_id: playerId });
  const token = shop.stripe.token('pm_card_visa', { save: true });
  await shop.payWith(order, { kind: 'provider_token', token }, { saveMethod: true });
  return gateway().saveMethod({ ...(await ref(order)), playerId });
}

describe('a token', () => {
  const drawnWith = ['ideal', 'card', 'paypal', 'wechat_pay'];

  it.each([
    ['pm_card_visa', 'requires_capture'],
    ['ideal', 'requires_action'],
    ['wechat_pay', 'requires_action'],
  ])('of the form is good for the list that the form was drawn with: %s', async (method, status) => {
    shop.game.answerAlways({ status: 503 });
    const order = await shop.order({ player_id: 'alan' });
    const token = shop.stripe.token(method, { drawnWith });
    await shop.payWith(order, { kind: 'provider_token', token, offered: drawnWith });
    expect(shop.stripe.intentOf(await shop.lastPayment(order))).toMatchObject({
      status,
      payment_method_types: drawnWith,
    });
    shop.game.answerAlways({ status: 200 });
  });

  it('of a method that the page did not offer takes nothing', async () => {
    const order = await shop.order({ player_id: 'mallory' });
    const token = shop.stripe.token('pm_card_visa', { drawnWith: ['card'] });
    await shop.payWith(order, { kind: 'provider_token', token, offered: ['ideal'] });
    expect(await shop.paymentsOf(order)).toMatchObject([{ status: 'declined' }]);
    expect(await shop.money(order)).toEqual([]);
  });
});

describe('a capture', () => {
  it('that Stripe refuses while it still reserves the money is not known, and is asked for again', async () => {
    shop.game.answerAlways({ status: 503 });
    const order = await shop.order();
    await shop.payBy(order);
    shop.game.answerAlways({ status: 200 });
    const asked = { ...(await ref(order)), amountMinor: 1999, currency: 'EUR' };
    const { amount } = shop.stripe.intentOf(asked.paymentId);
    const kind = { kind: 'refuse', status: 400, type: 'invalid_request_error' } as const;
    shop.stripe.faults.plan(/\/capture$/, { ...kind, code: 'payment_intent_unexpected_state' });
    await expect(gateway().capture({ ...asked, amountMinor: amount })).rejects.toThrow(OutcomeUnknown);
    expect(await gateway().capture({ ...asked, amountMinor: amount })).toMatchObject({
      charge: { status: 'captured' },
    });
  });
});

describe('a saved method', () => {
  it('shows brand and last four, and pays the next order of the same player', async () => {
    const saved = await savedBy('ada');
    expect(saved).toEqual({
      token: expect.stringMatching(/^pm_/),
      accountId: 'settings',
      brand: 'visa',
      last4: '4242',
      expiryMonth: 8,
      expiryYear: 2040,
    });
    const next = await shop.order({ player_id: 'ada' });
    await shop.payWith(next, { kind: 'saved_method', token: saved.token, method: 'card' });
    await shop.later(0);
    expect(await shop.read(next)).toMatchObject({ status: 'paid' });
  });

  it('does not pay for another player of the same game (row 82)', async () => {
    const { token } = await savedBy('grace');
    const stolen = await shop.order({ player_id: 'mallory' });
    await shop.payWith(stolen, { kind: 'saved_method', token, method: 'card' });
    expect(await shop.read(stolen)).toMatchObject({ status: 'created' });
    expect(await shop.money(stolen)).toEqual([]);
  });

  it('is kept only when the player asked for it', async () => {
    const order = await shop.order({ player_id: 'linus' });
    await shop.payBy(order);
    await expect(gateway().saveMethod({ ...(await ref(order)), playerId: 'linus' })).rejects.toThrow('no method');
  });

  it('is forgotten by its own player, twice without harm, and by no other', async () => {
    const { token } = await savedBy('edsger');
    const forget = (playerId: string) =>
      gateway().forgetMethod!({ environmentId: shop.environmentId, playerId, token });
    await forget('mallory');
    expect(shop.stripe.store.methods.get(token)!.customer).not.toBeNull();
    await forget('edsger');
    await forget('edsger');
    expect(shop.stripe.store.methods.get(token)!.customer).toBeNull();
    await gateway().forgetMethod!({ environmentId: shop.environmentId, playerId: 'edsger', token: 'pm_none' });
  });
});

describe('the gateway', () => {
  it('takes nothing from sandbox, whatever keys there are', async () => {
    const environmentId = shop.account.sandbox.environmentId;
    const before = shop.stripe.requests.length;
    const charge = await gateway().authorize({
      environmentId,
      paymentId: 'pay_of_sandbox',
      orderId: 'ord_of_sandbox',
      amountMinor: 100,
      currency: 'USD',
      payWith: { kind: 'provider_token', token: shop.stripe.token() },
      returnUrl: 'https://shop.test/c/token',
    });
    expect(charge).toMatchObject({ status: 'declined', responseCode: 'provider_not_connected' });
    expect(shop.stripe.requests.length).toBe(before);
  });

  it('answers the same when the same is asked again, and moves money once', async () => {
    const order = await shop.order();
    await shop.payBy(order);
    const known = await ref(order);
    const again = { amountMinor: 499, currency: 'USD', ...known };
    expect(await gateway().capture(again)).toMatchObject({ charge: { status: 'captured' } });
    expect(await gateway().refund(known)).toMatchObject({ kind: 'charge', charge: { status: 'refunded' } });
    expect(await gateway().refund(known)).toMatchObject({ kind: 'charge', charge: { status: 'refunded' } });
    expect(await gateway().void(known)).toMatchObject({ charge: { status: 'refunded' } });
    expect((await gateway().lookUp(known))!.disputes).toEqual([]);
    expect(await shop.money(order)).toEqual(['authorized', 'captured', 'refunded']);
  });

  it('makes a new customer when the old one was deleted at Stripe', async () => {
    const first = await shop.order({ player_id: 'barbara' });
    await shop.payBy(first);
    shop.stripe.store.customers.delete(shop.stripe.intentOf(await shop.lastPayment(first)).customer!);
    const second = await shop.order({ player_id: 'barbara' });
    await shop.payBy(second);
    expect(await shop.read(second)).toMatchObject({ status: 'created' });
    await shop.payBy(second);
    await shop.later(0);
    expect(await shop.read(second)).toMatchObject({ status: 'paid' });
  });
});
