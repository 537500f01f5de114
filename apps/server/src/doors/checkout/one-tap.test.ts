import { type LiveOrder, type LiveShop, startLiveShop } from '@coinslot/testing/live-shop';
import { type PaypalDouble, startPaypalDouble } from '@coinslot/testing/paypal-double/paypal-double';
import { type StripeDouble, startStripeDouble, TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { upsertMethodSwitch, upsertRoute } from '../../domain/payment/merchant-accounts/company-choices.sql.ts';
import { METHODS, type PaymentMethod } from '../../domain/payment/methods/method-table.ts';
import type { GatewayAbilities } from '../../domain/payment/methods/methods.ts';
import { PAYPAL_ABILITIES } from '../../domain/payment/providers/paypal/paypal-provider.ts';
import { keptFor, STRIPE_ABILITIES } from '../../domain/payment/providers/stripe/account/stripe-account.ts';
import { SAVE_METHOD_JOB } from '../../domain/payment/saved-methods/save-method.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';

let stripe: StripeDouble;
let paypal: PaypalDouble;
let shop: LiveShop;

const savableBy = ({ methods, changes }: GatewayAbilities): PaymentMethod[] =>
  METHODS.map(method => ({ ...method, ...changes[method.id] })).filter(({ id, canSave }) => canSave && methods.has(id));

const BY_STRIPE = savableBy(STRIPE_ABILITIES);
const WAIT = { timeout: 60_000 };

beforeAll(async () => {
  [stripe, paypal] = await Promise.all([startStripeDouble(), startPaypalDouble()]);
  shop = await startLiveShop({
    env: {
      STRIPE_API_BASE: stripe.url,
      STRIPE_SECRET_KEY: TEST_KEYS.secret,
      STRIPE_PUBLISHABLE_KEY: TEST_KEYS.publishable,
      STRIPE_WEBHOOK_SECRET: TEST_KEYS.callback,
      PAYPAL_API_BASE: paypal.url,
      PAYPAL_MODE: 'sandbox',
      PAYPAL_CLIENT_ID: paypal.keys.clientId,
      PAYPAL_CLIENT_SECRET: paypal.keys.secret,
    },
  });
  stripe.callBack({ url: `${shop.url}/gateways/stripe`, secret: TEST_KEYS.callback }, { auto: true });
  await shop.database.db.transaction(async tx => {
    for (const { id } of BY_STRIPE) await upsertMethodSwitch(tx, shop.account.companyId, id, true);
    await upsertRoute(tx, shop.account.companyId, 'paypal', 'paypal');
  });
});
afterAll(async () => {
  await shop?.close();
  await Promise.all([stripe?.close(), paypal?.close()]);
});

const savedIn = (page: string): string => /name="saved" value="(svm_\w+)"/.exec(page)?.[1] ?? '';

/** Where and in what the method can be used. */
const buyer = ({ id, currencies, countries }: PaymentMethod, player_id = `p-${id}`): Record<string, unknown> => {
  const currency = currencies === 'any' ? 'EUR' : currencies[0]!;
  const price_decimal = currency === 'KRW' ? 5_000 : 4.99;
  return { player_id, currency, price_decimal, country: countries === 'any' ? 'DE' : countries[0] };
};

const paymentOf = async (order: LiveOrder): Promise<string> =>
  String((await shop.paymentsOf(order)).at(-1)!.payment_id);

/** What the player and the bank do at Stripe until the money is there. */
async function finishAtStripe(order: LiveOrder): Promise<void> {
  const intent = stripe.intentOf(await paymentOf(order));
  if (intent.status === 'requires_action') stripe.authenticate(intent, true);
  if (intent.status === 'processing') stripe.arrive(intent, true);
  await shop.until(order, 'paid');
}

async function keepByStripe(method: PaymentMethod, player_id?: string): Promise<void> {
  const order = await shop.order(buyer(method, player_id));
  const token = stripe.token(method.id === 'card' ? 'pm_card_visa' : method.id, { save: keptFor(method.id)! });
  const posted = await shop.post(order, '/pay', { method: method.id, provider_token: token, save_method: 'on' });
  expect(posted.status).toBe(303);
  await finishAtStripe(order);
}

/** The next order of the same player, with what the page offers to pay it by one tap. */
async function offered(method: PaymentMethod, player_id?: string): Promise<{ order: LiveOrder; saved: string }> {
  const order = await shop.order(buyer(method, player_id));
  let saved = '';
  await expect.poll(async () => (saved = savedIn(await shop.page(order))), WAIT).not.toBe('');
  return { order, saved };
}

const keptAtStripe = (): string[] =>
  [...new Set(stripe.store.methods.values())].filter(({ customer }) => customer !== null).map(({ id }) => id);

describe('what can be saved pays the next order by one tap, until it is removed here and there', () => {
  it.each(BY_STRIPE)('$id, held by Stripe', async method => {
    await keepByStripe(method);
    const { order, saved } = await offered(method);
    const [kept] = keptAtStripe();
    await shop.post(order, '/pay', { saved });
    const intent = stripe.intentOf(await paymentOf(order));
    expect(intent).toMatchObject({ payment_method: kept, next_action: null, payment_method_types: [method.id] });
    await finishAtStripe(order);
    expect(await shop.paymentsOf(order)).toMatchObject([{ status: 'succeeded', method: method.id, gateway: 'stripe' }]);
    const last = await shop.order(buyer(method));
    await shop.post(last, '/forget', { saved });
    expect(savedIn(await shop.page(last))).toBe('');
    await expect.poll(keptAtStripe, WAIT).toEqual([]);
    expect((await shop.post(last, '/pay', { saved })).status).toBe(422);
  });

  it.each(savableBy(PAYPAL_ABILITIES))('$id, held by PayPal', async method => {
    const first = await shop.order(buyer(method));
    await shop.post(first, '/pay', { method: 'paypal', save_method: 'on' });
    paypal.approve(await paymentOf(first));
    await fetch(`${first.checkout_url}/return`, { redirect: 'manual' });
    await shop.until(first, 'paid');
    const { order, saved } = await offered(method);
    await shop.post(order, '/pay', { saved });
    await shop.until(order, 'paid');
    expect(await shop.paymentsOf(order)).toMatchObject([{ method: 'paypal', gateway: 'paypal' }]);
    const last = await shop.order(buyer(method));
    await shop.post(last, '/forget', { saved });
    expect(savedIn(await shop.page(last))).toBe('');
    await expect.poll(() => paypal.store.vault.size, WAIT).toBe(0);
    expect((await shop.post(last, '/pay', { saved })).status).toBe(422);
  });
});

it('what the studio no longer offers is not taken by one tap either (row 266)', async () => {
  const method = BY_STRIPE.find(({ id, canSwitchOff }) => id !== 'card' && canSwitchOff)!;
  const turn = (enabled: boolean) =>
    shop.database.db.transaction(tx => upsertMethodSwitch(tx, shop.account.companyId, method.id, enabled));
  await keepByStripe(method, 'p-off');
  const { order, saved } = await offered(method, 'p-off');
  await turn(false);
  await expect.poll(async () => savedIn(await shop.page(order)), WAIT).toBe('');
  expect((await shop.post(order, '/pay', { saved })).status).toBe(422);
  expect(await shop.paymentsOf(order)).toEqual([]);
  await turn(true);
  await expect.poll(async () => savedIn(await shop.page(order)), WAIT).toBe(saved);
  await shop.post(order, '/forget', { saved });
  await expect.poll(keptAtStripe, WAIT).toEqual([]);
});

describe('no copy stays with the provider that no player can remove', () => {
  const card = BY_STRIPE.find(({ id }) => id === 'card')!;

  it('a card that is saved again is removed there under its older name', async () => {
    await keepByStripe(card, 'p-again');
    const before = keptAtStripe();
    await offered(card, 'p-again');
    await keepByStripe(card, 'p-again');
    await expect.poll(keptAtStripe, WAIT).toHaveLength(1);
    expect(keptAtStripe()).not.toEqual(before);
    const { order, saved } = await offered(card, 'p-again');
    await shop.post(order, '/pay', { saved });
    await shop.until(order, 'paid');
    await shop.post(await shop.order(buyer(card, 'p-again')), '/forget', { saved });
    await expect.poll(keptAtStripe, WAIT).toEqual([]);
  });

  it('a card is removed there when the game refused the purchase that it was saved with', async () => {
    shop.game.answerAlways({ status: 409, body: '{"code":"declined"}' });
    const order = await shop.order(buyer(card, 'p-refused'));
    const token = stripe.token('pm_card_visa', { save: keptFor('card')! });
    await shop.post(order, '/pay', { method: 'card', provider_token: token, save_method: 'on' });
    await shop.until(order, 'rejected');
    shop.game.answerAlways(null);
    await offered(card, 'p-refused');
    // As if the method had not been saved before the game's answer came.
    await shop.database.db.transaction(async tx => {
      await tx.query(sql('test_forget')`delete from saved_methods where player_id = 'p-refused'`);
      const payload = { paymentId: await paymentOf(order) };
      insertJob(tx, { name: SAVE_METHOD_JOB, environmentId: shop.account.live.environmentId, payload });
    });
    await expect.poll(keptAtStripe, WAIT).toEqual([]);
    expect(savedIn(await shop.page(await shop.order(buyer(card, 'p-refused'))))).toBe('');
  });

  it('an erased player’s card is removed there', async () => {
    await keepByStripe(card, 'p-erased');
    const { order } = await offered(card, 'p-erased');
    expect(keptAtStripe()).toHaveLength(1);
    await shop.call('POST', `/s2s/v1/orders/${order.order_id}/cancel`);
    expect((await shop.call('DELETE', '/s2s/v1/players/p-erased')).status).toBe(200);
    await expect.poll(keptAtStripe, WAIT).toEqual([]);
  });

  it('a card that was detached there is told as gone, and not offered again', async () => {
    await keepByStripe(card, 'p-detached');
    const { order, saved } = await offered(card, 'p-detached');
    for (const id of keptAtStripe()) stripe.store.methods.get(id)!.customer = null;
    await shop.post(order, '/pay', { saved });
    await shop.until(order, 'created');
    expect(await shop.paymentsOf(order)).toMatchObject([{ status: 'declined', response_code: 'saved_method_gone' }]);
    expect(savedIn(await shop.page(order))).toBe('');
  });
});
