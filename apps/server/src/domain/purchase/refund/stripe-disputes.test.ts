import type { AttentionItem, DisputeDetail, DisputeList, Payment } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { itemDeliveries, mailRows } from '@coinslot/testing/order-rows';
import type { Intent } from '@coinslot/testing/stripe-double/objects';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let shop: StripeShop;
let support: TestBrowser;

beforeAll(async () => {
  shop = await startStripeShop();
  support = (await signedInMember(shop, 'support')).browser;
});

afterEach(() => {
  shop.game.answerAlways({ status: 200 });
  shop.stripe.settings.slowRefunds = false;
});

afterAll(() => shop?.close());

const key = () => ({ key: shop.account.live.s2sKey });
const intentOf = async (orderId: string): Promise<Intent> => shop.stripe.intentOf(await shop.lastPayment(orderId));
const kinds = async (orderId: string) => (await itemDeliveries(shop.database.db, orderId)).map(({ kind }) => kind);

const payment = async (orderId: string): Promise<Payment> =>
  (await shop.call<Payment>('GET', `/s2s/v1/payments/${await shop.lastPayment(orderId)}`, undefined, key())).body;

async function refund(orderId: string): Promise<void> {
  await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, { reason: 'mistake' }, key());
  await shop.program.parts.background.settle();
}

async function paidOrder(): Promise<string> {
  const order = await shop.order();
  await shop.payBy(order);
  expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  return order;
}

const pathOf = async (orderId: string) =>
  `/games/${shop.account.gameId}/live/transactions/${await shop.lastPayment(orderId)}/disputes`;

const disputesOf = async (orderId: string): Promise<DisputeDetail[]> =>
  (await support.call<DisputeList>('GET', await pathOf(orderId))).body.data;

async function answer(orderId: string, { dispute_id: id, evidence }: DisputeDetail, statement: string) {
  const sent = await support.call<DisputeDetail>('POST', `${await pathOf(orderId)}/${id}/answer`, {
    ...evidence,
    statement,
  });
  await shop.program.workers.drain();
  return sent;
}

describe('a dispute after a refund', () => {
  it('needs attention with what it costs, and its answer is the refund, ready to send (row 136)', async () => {
    const order = await paidOrder();
    await refund(order);
    const dispute = shop.stripe.dispute(await intentOf(order));
    await shop.hear(order);
    await shop.program.workers.drain();
    expect(await mailRows(shop.database.db, await shop.lastPayment(order))).not.toEqual([]);
    const seen = await payment(order);
    expect(seen).toMatchObject({ status: 'refunded', attention: { code: 'dispute_open' } });
    expect(seen.attention!.detail).toContain(
      'Answer with the refund. Reason: The cardholder did not authorize it (fraudulent). Disputed: 4.99 USD, fee: 15.00 USD.',
    );
    expect(seen.disputes).toMatchObject([
      { id: dispute.id, amount: 499, currency: 'USD', fee: 1_500, status: 'open', evidence: 'needed' },
    ]);
    expect(seen.disputes[0]!.respond_by).toBe(dispute.evidence_details.due_by);
    const [shown] = await disputesOf(order);
    const [made] = [...shop.stripe.store.refunds.values()].slice(-1);
    expect(shown!.evidence.statement).toContain('already refunded');
    expect(shown!.evidence.receipt).toContain(made!.id);
    expect(await answer(order, shown!, shown!.evidence.statement)).toMatchObject({ status: 200 });
    expect(dispute).toMatchObject({ status: 'under_review', evidence_details: { submission_count: 1 } });
    expect(dispute.evidence.uncategorized_text).toContain(made!.id);
    shop.stripe.closeDispute(dispute, 'lost');
    await shop.hear(order);
    expect(await payment(order)).toMatchObject({ status: 'refunded', attention: null, disputes: [{ status: 'lost' }] });
    expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
  });

  it('that was still under way is shown too, to its end (row 136)', async () => {
    shop.stripe.settings.slowRefunds = true;
    const order = await paidOrder();
    await refund(order);
    const dispute = shop.stripe.dispute(await intentOf(order));
    await shop.hear(order);
    expect(await payment(order)).toMatchObject({ attention: { code: 'dispute_open' } });
    for (const made of shop.stripe.store.refunds.values()) made.status = 'succeeded';
    await shop.hear(order);
    expect(await payment(order)).toMatchObject({ status: 'refunded', attention: { code: 'dispute_open' } });
    shop.stripe.closeDispute(dispute, 'won');
    await shop.hear(order);
    expect(await payment(order)).toMatchObject({ status: 'refunded', attention: null });
  });

  it('is on the list of what needs attention, whatever the order came to (row 136)', async () => {
    // Captured at once, and the game says no: the order is rejected, and the bank is quicker than the refund.
    shop.game.answerAlways({ status: 503 });
    const order = await shop.order({ currency: 'EUR' });
    await shop.payWith(order, { kind: 'redirect', method: 'ideal' });
    const intent = await intentOf(order);
    shop.stripe.authenticate(intent, true);
    await shop.hear(order);
    shop.stripe.dispute(intent);
    await shop.hear(order);
    expect(await payment(order)).toMatchObject({ status: 'authorized', attention: { code: 'dispute_open' } });
    shop.game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    await shop.later(60);
    await shop.hear(order);
    expect(await shop.read(order)).toMatchObject({ status: 'rejected' });
    expect(await payment(order)).toMatchObject({ status: 'succeeded', attention: { code: 'dispute_open' } });
    const listed = await support.call<{ data: AttentionItem[] }>('GET', `/games/${shop.account.gameId}/live/attention`);
    expect(listed.body.data.map(({ order_id: id }) => id)).toContain(order);
  });
});

describe('disputes of one payment', () => {
  it('come one after the other, and each can be answered (row 137)', async () => {
    const order = await paidOrder();
    const intent = await intentOf(order);
    const first = shop.stripe.dispute(intent);
    await shop.hear(order);
    expect(await answer(order, (await disputesOf(order))[0]!, 'The first.')).toMatchObject({ status: 200 });
    shop.stripe.closeDispute(first, 'won');
    await shop.hear(order);
    const second = shop.stripe.dispute(intent);
    await shop.hear(order);
    expect(await payment(order)).toMatchObject({
      status: 'disputed',
      disputes: [{ status: 'won' }, { status: 'open' }],
    });
    const [newest] = await disputesOf(order);
    expect(newest).toMatchObject({ dispute_id: second.id, can_answer: true, evidence_status: 'none' });
    expect(await answer(order, newest!, 'The second.')).toMatchObject({ status: 200 });
    expect(second.status).toBe('under_review');
    expect(second.evidence.uncategorized_text).toContain('The second.');
    expect(first.evidence.uncategorized_text).toContain('The first.');
  });

  it('can be an inquiry that was answered and became a chargeback, which is answered again (row 137)', async () => {
    const order = await paidOrder();
    const inquiry = shop.stripe.dispute(await intentOf(order), 'warning_needs_response');
    await shop.hear(order);
    await answer(order, (await disputesOf(order))[0]!, 'To the inquiry.');
    expect(await payment(order)).toMatchObject({ disputes: [{ status: 'inquiry', evidence: 'submitted', fee: null }] });
    shop.stripe.escalateInquiry(inquiry);
    await shop.hear(order);
    const seen = await payment(order);
    expect(seen).toMatchObject({ disputes: [{ status: 'open', evidence: 'needed', fee: 1_500 }] });
    expect(seen.attention!.detail).not.toContain('has your evidence');
    const [shown] = await disputesOf(order);
    expect(shown).toMatchObject({ can_answer: true, evidence_status: 'draft' });
    expect(await answer(order, shown!, 'To the chargeback.')).toMatchObject({ status: 200 });
    expect(inquiry.evidence.uncategorized_text).toContain('To the chargeback.');
    expect((await disputesOf(order))[0]).toMatchObject({ evidence_status: 'taken', can_answer: false });
  });
});

it('a prevented dispute is a refund: the money is back, the items go, and nothing waits (row 139)', async () => {
  const order = await paidOrder();
  shop.stripe.dispute(await intentOf(order), 'prevented');
  await shop.hear(order);
  expect(await shop.read(order)).toMatchObject({ status: 'refunded', attention: null });
  expect(await payment(order)).toMatchObject({
    status: 'refunded',
    disputes: [{ status: 'prevented', evidence: 'closed' }],
  });
  expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
});

it('a dispute that was prevented unheard is not refunded a second time (row 168)', async () => {
  const order = await paidOrder();
  const intent = await intentOf(order);
  shop.stripe.dispute(intent, 'prevented');
  await refund(order);
  expect(await shop.read(order)).toMatchObject({ status: 'refunded', attention: null });
  expect([...shop.stripe.store.refunds.values()].filter(made => made.payment_intent === intent.id)).toEqual([]);
  expect(await kinds(order)).toEqual(['item.add', 'item.remove']);
});

it('a warning of fraud needs attention while a refund still prevents the dispute (row 141)', async () => {
  const order = await paidOrder();
  shop.stripe.warn(await intentOf(order));
  expect(await shop.stripe.sendEvents(shop.stripe.store.events.slice(-1))).toEqual([200]);
  await shop.program.workers.drain();
  expect(await payment(order)).toMatchObject({ attention: { code: 'fraud_warning' } });
  const listed = await support.call<{ data: AttentionItem[] }>('GET', `/games/${shop.account.gameId}/live/attention`);
  const item = listed.body.data.find(({ order_id: id }) => id === order)!;
  expect(item.actions).toContain('refund');
  await refund(order);
  await shop.hear(order);
  expect(await shop.read(order)).toMatchObject({ status: 'refunded', attention: null });
});
