import { gate } from '@coinslot/testing/gate';
import { itemDeliveries } from '@coinslot/testing/order-rows';
import { signatureHeader } from '@coinslot/testing/stripe-double/callbacks';
import type { StripeEvent } from '@coinslot/testing/stripe-double/objects';
import { TEST_KEYS } from '@coinslot/testing/stripe-double/stripe-double';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { probeCallback } from '../../domain/payment/provider-health/callback-checks.ts';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});

afterEach(() => {
  shop.stripe.faults.clear();
  shop.game.answerAlways({ status: 200 });
});

afterAll(() => shop?.close());

/** Events of one payment, in the order in which Stripe made them. */
const eventsOf = async (order: string): Promise<StripeEvent[]> => {
  const intent = shop.stripe.intentOf(await shop.lastPayment(order));
  return shop.stripe.store.events.filter(({ data }) => {
    const object = data.object as { id: string; payment_intent?: string };
    return object.id === intent.id || object.payment_intent === intent.id;
  });
};

const work = () => shop.program.workers.drain();
const nowSeconds = () => shop.stripe.store.nowSeconds();

const post = async (body: string, header: string | null, path = '/gateways/stripe') => {
  const response = await fetch(shop.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(header !== null && { 'stripe-signature': header }) },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const kept = async (): Promise<number> => {
  const [row] = await shop.database.db.query<{ n: number }>(sql('test_provider_events')`
    select count(*)::int as n from provider_events`);
  return row!.n;
};

async function challenged(): Promise<string> {
  const order = await shop.order();
  await shop.payBy(order, 'pm_card_threeDSecure2Required');
  return order;
}

describe('the callback address', () => {
  it('is told from any other by how it refuses a call without signature', async () => {
    const { port } = new URL(shop.url);
    expect(await probeCallback(`${shop.url}/gateways/stripe`)).toBe('ours');
    expect(await probeCallback(`${shop.url}/gateways/stripe/${shop.account.companyId}/acct_Double0001`)).toBe('ours');
    expect(await probeCallback(`${shop.url}/s2s/v1/orders`)).toBe('other');
    expect(await probeCallback(`https://127.0.0.1:${port}/gateways/stripe`)).toBe('nothing');
  });
});

describe('a callback', () => {
  it('brings a payment on whose player did not come back', async () => {
    const order = await challenged();
    shop.stripe.authenticate(shop.stripe.intentOf(await shop.lastPayment(order)), true);
    expect(await shop.stripe.sendEvents(await eventsOf(order))).toEqual([200, 200]);
    await work();
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
  });

  it('that comes twenty times at once is kept once and does its work once (row 10)', async () => {
    const order = await challenged();
    shop.stripe.authenticate(shop.stripe.intentOf(await shop.lastPayment(order)), true);
    const event = (await eventsOf(order)).at(-1)!;
    const before = await kept();
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await shop.stripe.sendEvents([event]))[0]),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await work();
    expect(await kept()).toBe(before + 1);
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    expect((await itemDeliveries(shop.database.db, order)).map(({ kind }) => kind)).toEqual(['item.add']);
  });

  it('makes the same of every order of arrival', async () => {
    const order = await shop.order();
    await shop.payBy(order);
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    shop.stripe.closeDispute(shop.stripe.dispute(intent), 'lost');
    await shop.stripe.sendEvents((await eventsOf(order)).toReversed());
    await work();
    expect(await shop.read(order)).toMatchObject({ status: 'charged_back' });
    await shop.stripe.sendEvents(await eventsOf(order));
    await work();
    expect(await shop.read(order)).toMatchObject({ status: 'charged_back' });
    expect((await itemDeliveries(shop.database.db, order)).map(({ kind }) => kind)).toEqual([
      'item.add',
      'item.remove',
    ]);
  });

  it('that comes before the answer to our own call makes the same transition (row 12)', async () => {
    const order = await shop.order();
    const late = gate();
    shop.stripe.faults.plan(/^POST \/v1\/payment_intents$/, { kind: 'delay_after', until: late.opened });
    const paying = shop.payBy(order);
    await expect.poll(() => shop.stripe.store.events.at(-1)?.type).toBe('payment_intent.amount_capturable_updated');
    await shop.stripe.sendEvents([shop.stripe.store.events.at(-1)!]);
    await work();
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    late.open();
    await paying;
    await work();
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured']);
    expect((await itemDeliveries(shop.database.db, order)).map(({ kind }) => kind)).toEqual(['item.add']);
  });

  it('about a refund made at Stripe refunds the order', async () => {
    const order = await shop.order();
    await shop.payBy(order);
    shop.stripe.refundThere(shop.stripe.intentOf(await shop.lastPayment(order)));
    await shop.stripe.sendEvents(await eventsOf(order));
    await work();
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured', 'refunded']);
  });

  it('is worked on again when Stripe cannot be asked at first', async () => {
    const order = await challenged();
    shop.stripe.authenticate(shop.stripe.intentOf(await shop.lastPayment(order)), true);
    shop.stripe.faults.plan(/^GET \/v1\/payment_intents\/\w+$/, { kind: 'answer', status: 500 });
    await shop.stripe.sendEvents([(await eventsOf(order)).at(-1)!]);
    await work();
    await shop.later(60);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  });

  it('about what Coinslot did not make is taken and left alone', async () => {
    const event = { id: 'evt_foreign', object: 'event', type: 'payment_intent.succeeded' };
    const body = JSON.stringify({
      ...event,
      data: { object: { object: 'payment_intent', id: 'pi_foreign', metadata: {} } },
    });
    expect(await post(body, signatureHeader(body, TEST_KEYS.callback, nowSeconds()))).toMatchObject({ status: 200 });
  });

  it('that names a payment of ours for an intent that is not its own changes nothing', async () => {
    const order = await shop.order();
    await shop.payBy(order);
    const paymentId = await shop.lastPayment(order);
    const metadata = { payment_id: paymentId, environment_id: shop.environmentId };
    const data = { object: { object: 'payment_intent', id: 'pi_other', metadata } };
    const body = JSON.stringify({ id: 'evt_other', object: 'event', type: 'payment_intent.canceled', data });
    await post(body, signatureHeader(body, TEST_KEYS.callback, nowSeconds()));
    await work();
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  });
});

describe('a callback is refused', () => {
  const body = JSON.stringify({ id: 'evt_x', object: 'event', type: 'payment_intent.succeeded', data: { object: {} } });
  const sign = (text: string, secret = TEST_KEYS.callback, at = nowSeconds()) => signatureHeader(text, secret, at);

  const cases: [string, () => [string, string | null]][] = [
    ['without a signature', () => [body, null]],
    ['with a signature that is none', () => [body, 'nonsense']],
    ['signed with another secret', () => [body, sign(body, 'whsec_wrong')]],
    ['with a body that was changed by one byte (row 11)', () => [body.replace('evt_x', 'evt_y'), sign(body)]],
    ['with its time changed', () => [body, sign(body).replace(/^t=\d+/, `t=${nowSeconds() - 1}`)]],
    ['that is older than five minutes', () => [body, sign(body, TEST_KEYS.callback, nowSeconds() - 301)]],
    ['from the future', () => [body, sign(body, TEST_KEYS.callback, nowSeconds() + 301)]],
    ['that is no event', () => ['{"id":1}', sign('{"id":1}')]],
    ['that is no JSON', () => ['{', sign('{')]],
  ];

  it.each(cases)('%s', async (_, make) => {
    const before = await kept();
    const [sent, header] = make();
    expect(await post(sent, header)).toMatchObject({ status: 400, body: { code: 'callback_refused' } });
    expect(await kept()).toBe(before);
  });

  it('for a company that has no account, in the same words as a wrong signature', async () => {
    const { request_id: _one, ...unknown } = (await post(body, sign(body), '/gateways/stripe/cmp_none/acct_none')).body;
    const { request_id: _two, ...wrong } = (await post(body, sign(body, 'whsec_wrong'))).body;
    expect(unknown).toEqual(wrong);
  });

  it('when it is too large', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(1_100_000) });
    expect(await post(large, sign(large))).toMatchObject({ status: 413 });
  });
});

describe('money that differs from the order (row 13)', () => {
  it('is held for review and not completed', async () => {
    const order = await challenged();
    const intent = shop.stripe.intentOf(await shop.lastPayment(order));
    intent.amount = 1;
    shop.stripe.authenticate(intent, true);
    await shop.stripe.sendEvents([(await eventsOf(order)).at(-1)!]);
    await work();
    await shop.later(3_600);
    expect(await shop.read(order)).toMatchObject({ status: 'pending' });
    expect((await shop.paymentsOf(order)).at(-1)).toMatchObject({
      status: 'requires_action',
      problem: [{ key: 'amount_differs', values: { ours: '4.99 USD', theirs: '0.01 USD' } }],
    });
    expect(await shop.money(order)).toEqual(['authorized']);
    const id = await shop.lastPayment(order);
    const read = await shop.call('GET', `/s2s/v1/payments/${id}`, undefined, { key: shop.account.live.s2sKey });
    expect(read.body).toMatchObject({
      in_review: true,
      problem: 'The provider reports 0.01 USD, the order is 4.99 USD. Held for review.',
    });
  });
});
