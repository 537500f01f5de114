import { gate } from '@coinslot/testing/gate';
import { itemDeliveries } from '@coinslot/testing/order-rows';
import type { Intent, Refund } from '@coinslot/testing/stripe-double/objects';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const REFUND = /^POST \/v1\/refunds$/;
const HOUR = 3_600;
let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});

afterEach(() => {
  shop.game.answerAlways({ status: 200 });
  shop.stripe.faults.clear();
  shop.stripe.settings.slowRefunds = false;
});

afterAll(() => shop?.close());

const key = () => ({ key: shop.account.live.s2sKey });
const refund = (orderId: string) => shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, { reason: 'mistake' }, key());
const settled = () => shop.program.parts.background.settle();
const intentOf = async (orderId: string): Promise<Intent> => shop.stripe.intentOf(await shop.lastPayment(orderId));
const lastRefund = (): Refund => [...shop.stripe.store.refunds.values()].at(-1)!;
const kinds = async (orderId: string) => (await itemDeliveries(shop.database.db, orderId)).map(({ kind }) => kind);

const kindsAsked = (orderId: string) =>
  shop.game.requests
    .filter(request => request.body?.event_data.order_id === orderId)
    .map(request => request.body!.event_type);

async function paidOrder(): Promise<string> {
  const order = await shop.order();
  await shop.payBy(order);
  expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  return order;
}

describe('a refund at Stripe', () => {
  it('returns the money once, however often and by how many it is asked for (row 37)', async () => {
    const order = await paidOrder();
    await Promise.all(Array.from({ length: 10 }, () => refund(order)));
    await settled();
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured', 'refunded']);
    expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
  });

  it.each([
    ['the answer is lost', { kind: 'lose_answer' }],
    ['the request is lost', { kind: 'lose_request' }],
    ['Stripe has a fault after it', { kind: 'answer_after', status: 500 }],
    ['Stripe is busy', { kind: 'answer', status: 429 }],
  ] as const)('of which %s is not known, not failed, and made once (row 38)', async (_, fault) => {
    const order = await paidOrder();
    shop.stripe.faults.plan(REFUND, fault);
    await refund(order);
    await settled();
    expect(await shop.read(order)).toMatchObject({ status: 'refund_requested' });
    for (let i = 0; i < 4; i++) await shop.later(300);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured', 'refunded']);
    expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
  });

  it('that the bank takes days for stays requested, and ends when the bank says so', async () => {
    const order = await paidOrder();
    shop.stripe.settings.slowRefunds = true;
    await refund(order);
    await settled();
    expect(await shop.read(order)).toMatchObject({ status: 'refund_requested' });
    await shop.later(7 * HOUR);
    expect(await shop.read(order)).toMatchObject({ status: 'refund_requested' });
    shop.stripe.completeRefund(lastRefund());
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(shop.stripe.store.refunds.size).toBeGreaterThan(0);
    expect(await shop.money(order)).toEqual(['authorized', 'captured', 'refunded']);
  });

  it('that the bank cannot do leaves the order paid with a visible problem, and can be asked for again', async () => {
    const order = await paidOrder();
    shop.stripe.settings.slowRefunds = true;
    await refund(order);
    await settled();
    shop.stripe.failRefund(lastRefund());
    await shop.later(7 * HOUR);
    expect(await shop.read(order)).toMatchObject({
      status: 'paid',
      problem: expect.stringContaining('card has expired'),
    });
    shop.stripe.settings.slowRefunds = false;
    await refund(order);
    await settled();
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured', 'refunded']);
    expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
  });

  it('that fails at the bank is shown as soon as the provider says so (row 96)', async () => {
    const order = await paidOrder();
    shop.stripe.settings.slowRefunds = true;
    await refund(order);
    await settled();
    shop.stripe.failRefund(lastRefund());
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({
      status: 'paid',
      attention: { code: 'refund_refused', detail: expect.stringContaining('card has expired') },
    });
    expect(shop.stripe.store.refunds.size).toBeGreaterThan(0);
  });

  it('that failed while an answer was on its way stays failed: what was overtaken is asked for again (row 170)', async () => {
    const order = await paidOrder();
    const read = gate();
    const { faults } = shop.stripe;
    const isMade = () => [...shop.stripe.store.refunds.values()].some(made => made.payment_intent === intent.id);
    const intent = await intentOf(order);
    const { take } = faults;
    let isHeld = false;
    faults.take = request => {
      if (isHeld || !isMade() || !request.startsWith('GET ')) return null;
      isHeld = true;
      return { kind: 'delay_after', until: read.opened };
    };
    await refund(order);
    await expect.poll(() => isHeld).toBe(true);
    faults.take = take;
    shop.stripe.failRefund(lastRefund());
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid', attention: { code: 'refund_refused' } });
    read.open();
    await settled();
    await shop.program.workers.drain();
    expect(await shop.read(order)).toMatchObject({ status: 'paid', attention: { code: 'refund_refused' } });
    expect(await kinds(order)).toEqual(['item.add']);
  });

  it('while the game is still asked releases the money and grants nothing after it (rows 34, 35)', async () => {
    shop.game.answerAlways({ status: 503 });
    const order = await shop.order();
    await shop.payBy(order);
    await refund(order);
    await settled();
    shop.game.answerAlways({ status: 200 });
    await shop.later(10 * 60);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await shop.money(order)).toEqual(['authorized', 'canceled']);
    expect((await itemDeliveries(shop.database.db, order))[0]).toMatchObject({ kind: 'item.add', status: 'canceled' });
  });
});

describe('what begins at Stripe', () => {
  it('a refund there refunds the order, takes the items back and moves nothing twice', async () => {
    const order = await paidOrder();
    shop.stripe.refundThere(await intentOf(order));
    await shop.hear(order);
    await shop.later(60);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
    expect((await refund(order)).status).toBe(200);
    await settled();
    expect(await shop.money(order)).toEqual(['authorized', 'captured', 'refunded']);
  });

  it('a refund of a part leaves the order paid: refunds are whole', async () => {
    const order = await paidOrder();
    shop.stripe.refundThere(await intentOf(order), 100);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await kinds(order)).toEqual(['item.add']);
  });

  it.each([
    ['arrives', 'succeeded'],
    ['fails', 'failed'],
  ] as const)(
    'a part that the bank works on is not taken for the refund of the whole: it %s (row 209)',
    async (_, end) => {
      const order = await paidOrder();
      const intent = await intentOf(order);
      const part = shop.stripe.refundThere(intent, 200);
      part.status = 'pending';
      await shop.hear(order);
      await refund(order);
      await settled();
      const returned = () =>
        [...shop.stripe.store.refunds.values()].flatMap(made =>
          made.payment_intent === intent.id && made.status !== 'failed' ? [made.amount] : [],
        );
      expect(returned()).toEqual([200, 299]);
      if (end === 'failed') shop.stripe.failRefund(part);
      else shop.stripe.completeRefund(part);
      await shop.later(7 * 3_600);
      expect(await shop.read(order)).toMatchObject({ status: 'refunded', attention: null });
      expect(returned()).toEqual(end === 'failed' ? [299, 200] : [200, 299]);
    },
  );

  it('a release while the game is asked ends the sale', async () => {
    const order = await shop.order();
    const waiting = gate();
    shop.stripe.faults.plan(/capture$/, { kind: 'delay_before', until: waiting.opened });
    const paying = shop.payBy(order);
    await expect.poll(async () => (await shop.read(order)).status).toBe('authorized');
    shop.stripe.cancelThere(await intentOf(order));
    waiting.open();
    await paying;
    // The items were granted, so they go at once and not when a lease is over.
    expect(kindsAsked(order)).toEqual(['item.add', 'item.remove']);
    await shop.later(60);
    expect(kindsAsked(order)).toEqual(['item.add', 'item.remove']);
    expect(await shop.read(order)).toMatchObject({
      status: 'rejected',
      problem: expect.stringContaining('reservation'),
    });
    expect(await shop.money(order)).toEqual(['authorized', 'canceled']);
  });
});

describe('a dispute', () => {
  it('that is lost reverses the order and takes the items back', async () => {
    const order = await paidOrder();
    const dispute = shop.stripe.dispute(await intentOf(order));
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'disputed' });
    const [details] = await shop.database.db.query<{ evidence_due_at: Date }>({
      name: '',
      text: 'select evidence_due_at from provider_charges where payment_id = $1',
      values: [await shop.lastPayment(order)],
    });
    expect(details!.evidence_due_at.getTime() / 1000).toBe(dispute.evidence_details.due_by);
    shop.stripe.closeDispute(dispute, 'lost');
    await shop.later(25 * HOUR);
    expect(await shop.read(order)).toMatchObject({ status: 'charged_back' });
    expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
  });

  it('that is won gives the order back its place', async () => {
    const order = await paidOrder();
    const dispute = shop.stripe.dispute(await intentOf(order));
    await shop.hear(order);
    shop.stripe.closeDispute(dispute, 'won');
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'paid' });
    expect(await kinds(order)).toEqual(['item.add']);
  });

  it('makes a refund refused: its money cannot be returned twice', async () => {
    const order = await paidOrder();
    const intent = await intentOf(order);
    shop.stripe.dispute(intent);
    await refund(order);
    await settled();
    await shop.later(60);
    expect(await shop.read(order)).toMatchObject({ status: 'disputed' });
    expect(await shop.money(order)).toEqual(['authorized', 'captured', 'disputed']);
  });

  it('after a refund is recorded and moves nothing (row 36)', async () => {
    const order = await paidOrder();
    await refund(order);
    await settled();
    const dispute = shop.stripe.dispute(await intentOf(order));
    shop.stripe.closeDispute(dispute, 'lost');
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect((await shop.paymentsOf(order)).at(-1)).toMatchObject({ status: 'refunded', disputeReason: 'fraudulent' });
    expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
  });

  it('that was only a question and was answered by a refund ends refunded', async () => {
    const order = await paidOrder();
    const intent = await intentOf(order);
    const dispute = shop.stripe.dispute(intent, 'warning_needs_response');
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'disputed' });
    shop.stripe.refundThere(intent);
    dispute.status = 'warning_closed';
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
    expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
  });
});
