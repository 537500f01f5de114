import type { Game } from '@coinslot/testing/game-receiver';
import { badLine, moneyMoved, paymentRows } from '@coinslot/testing/order-rows';
import { CARDS, type TestProgram } from '@coinslot/testing/program';
import { disputeIn } from '@coinslot/testing/purchase-samples';
import { kindsAsked, payAnOrder, type ShopOnBadLine, startOnBadLine } from '@coinslot/testing/shop-on-bad-line';
import { impossibleCharges } from '@coinslot/testing/simulator-books';
import { refusal } from '@coinslot/testing/unreliable-gateway';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findPayment } from '../../payment/payment.sql.ts';
import type { Charge } from '../../payment/providers/base/charge-shape.ts';
import { recordCharge } from '../engine/record-charge.ts';
import { syncPayment } from '../engine/sync-payment.ts';

let shop: TestProgram;
let game: Game;
let hook: ShopOnBadLine['hook'];
const line = badLine();

const refund = (orderId: string, body: object = {}) => shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, body);
const settled = () => shop.program.parts.background.settle();
const money = (orderId: string) => moneyMoved(shop.database.db, orderId);

const refOf = async (orderId: string) => ({
  environmentId: shop.account.sandbox.environmentId,
  paymentId: (await paymentRows(shop.database.db, orderId)).at(-1)!.id,
});

/** The provider says this from now on. */
async function pretend(orderId: string, changes: Partial<Charge>): Promise<void> {
  line.gateway().pretend((await refOf(orderId)).paymentId, changes);
}

/** And has told us that there is news. */
async function hear(orderId: string, changes: Partial<Charge>): Promise<void> {
  await pretend(orderId, changes);
  await syncPayment(shop.program.purchasing, await refOf(orderId));
}

beforeAll(async () => {
  ({ shop, game, hook } = await startOnBadLine(line));
});

afterEach(async () => {
  game.answerAlways(null);
  line.gateway().behave();
  await hook({ enabled: true });
  expect(await impossibleCharges(shop.database.db)).toEqual([]);
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

describe('a bank', () => {
  it('that reverses a payment has the items taken back, once', async () => {
    const orderId = await payAnOrder(shop, CARDS.disputeLost);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    await shop.later(3);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'disputed' });
    expect((await refund(orderId)).body).toMatchObject({ code: 'order_wrong_status' });
    await shop.later(4);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'charged_back' });
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
    expect(game.requests.at(-1)!.body!.event_data).toMatchObject({ reason_code: 'chargeback' });
    expect(await money(orderId)).toEqual(['authorized', 'captured', 'charged_back', 'disputed']);
    await shop.later(86_400);
    expect((await refund(orderId)).status).toBe(409);
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
  });

  it('that finds for the shop leaves the items where they are', async () => {
    const orderId = await payAnOrder(shop, CARDS.disputeWon);
    await shop.later(3);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'disputed' });
    await shop.later(4);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    await shop.later(86_400);
    expect(kindsAsked(game, orderId)).toEqual(['item.add']);
    expect(await paymentRows(shop.database.db, orderId)).toMatchObject([
      { status: 'succeeded', disputeReason: 'fraudulent' },
    ]);
  });

  it('that disputes a refunded payment moves no money and no items; it is recorded (row 36)', async () => {
    const orderId = await payAnOrder(shop, CARDS.disputeLost);
    await refund(orderId);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
    for (let i = 0; i < 3; i++) await shop.later(4);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
    expect(await paymentRows(shop.database.db, orderId)).toMatchObject([
      { status: 'refunded', disputeReason: 'fraudulent' },
    ]);
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
    expect((await money(orderId)).filter(kind => kind === 'refunded' || kind === 'charged_back')).toEqual(['refunded']);
  });

  it('that disputed first makes the refund fail visibly, and its verdict still counts', async () => {
    const orderId = await payAnOrder(shop, CARDS.disputeLost);
    // The dispute is open at the provider and this server does not know yet.
    await shop.database.advance(3);
    await refund(orderId);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ attention: { code: 'dispute_open' } });
    for (let i = 0; i < 3; i++) await shop.later(4);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'charged_back' });
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
    expect((await money(orderId)).filter(kind => kind === 'refunded' || kind === 'charged_back')).toEqual([
      'charged_back',
    ]);
  });
});

describe('a refund that the provider refused', () => {
  it('can be asked for again, and the items are not taken twice', async () => {
    const orderId = await payAnOrder(shop, CARDS.disputeWon);
    await shop.database.advance(3);
    await refund(orderId);
    await settled();
    for (let i = 0; i < 2; i++) await shop.later(6);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect((await refund(orderId)).status).toBe(200);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded', problem: null });
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
  });

  it('does not complete an order that the game never granted: it is rejected and needs attention (row 123)', async () => {
    game.answerAlways({ status: 500 });
    const orderId = await payAnOrder(shop);
    await pretend(orderId, { status: 'captured' });
    line.gateway().misbehave('refund', { kind: 'refuse', refusal: refusal({ isFinal: true }) });
    await refund(orderId);
    await settled();
    const order = await shop.readOrder(orderId);
    expect(order).toMatchObject({ status: 'rejected', paid_at: null, attention: { code: 'refund_refused' } });
    expect((await paymentRows(shop.database.db, orderId)).at(-1)).toMatchObject({ status: 'succeeded' });
    await hear(orderId, { status: 'captured', disputes: [disputeIn('open')] });
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected', attention: { code: 'dispute_open' } });
    await hear(orderId, { status: 'captured', disputes: [disputeIn('lost')] });
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected', attention: null });
  });

  it('is asked for when the provider has news, which never puts it off (row 124)', async () => {
    const orderId = await payAnOrder(shop);
    line.gateway().misbehave('refund', { kind: 'time_out_before' });
    await refund(orderId);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refund_requested' });
    await hear(orderId, { disputes: [disputeIn('inquiry')], askAgainInSeconds: 86_400 });
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
  });

  it('is told as a dispute if the bank disputes while it is under way (row 124)', async () => {
    const orderId = await payAnOrder(shop);
    line.gateway().misbehave('refund', { kind: 'time_out_before' });
    await refund(orderId);
    await settled();
    await pretend(orderId, { disputes: [disputeIn('open')] });
    const ref = await refOf(orderId);
    const charge = (await line.gateway().lookUp(ref))!;
    const payment = await findPayment(shop.database.db, ref.environmentId, ref.paymentId);
    await recordCharge(shop.program.purchasing, payment!, { kind: 'holds', charge, isRefundTaken: true });
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'disputed', attention: { code: 'dispute_open' } });
  });
});

describe('a refund that failed at the bank', () => {
  it('and was disputed before this server heard of either is first unmade, then disputed (row 96)', async () => {
    const orderId = await payAnOrder(shop);
    await refund(orderId);
    await settled();
    const failed = { status: 'captured', refundFailure: { code: 'lost_card', reason: 'The card is gone.' } } as const;
    await hear(orderId, { ...failed, disputes: [disputeIn('open')] });
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'disputed', attention: { code: 'dispute_open' } });
    await hear(orderId, { ...failed, disputes: [disputeIn('won')] });
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: { code: 'refund_failed' } });
  });
});
