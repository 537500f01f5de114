import type { Attention, Order, Payment } from '@coinslot/contract';
import type { Game } from '@coinslot/testing/game-receiver';
import { badLine, itemDeliveries, mailRows, moneyMoved, paymentRows } from '@coinslot/testing/order-rows';
import type { TestProgram } from '@coinslot/testing/program';
import { disputeIn } from '@coinslot/testing/purchase-samples';
import { kindsAsked, payAnOrder, type ShopOnBadLine, startOnBadLine } from '@coinslot/testing/shop-on-bad-line';
import { refusal } from '@coinslot/testing/unreliable-gateway';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Charge } from '../../payment/providers/base/charge-shape.ts';
import { payOrder } from '../checkout/begin-payment.ts';
import { syncPayment } from '../engine/sync-payment.ts';
import { actOnAttention } from './act-on-attention.ts';

let shop: TestProgram;
let game: Game;
let hook: ShopOnBadLine['hook'];
const line = badLine();
const HOUR = 3_600;
const FINAL = { kind: 'refuse', refusal: refusal({ isFinal: true, reason: 'The reservation is gone.' }) } as const;
const PASSING = { kind: 'refuse', refusal: refusal({ reason: 'The balance is too low.' }) } as const;
const ACTOR = { userId: 'usr_test', email: 'ada@example.com', ip: '127.0.0.1' };

const settled = () => shop.program.parts.background.settle();
const money = (orderId: string) => moneyMoved(shop.database.db, orderId);
const refund = (orderId: string, body: object = {}) => shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, body);
const lastPayment = async (orderId: string) => (await paymentRows(shop.database.db, orderId)).at(-1)!.id;

async function attentionOf(orderId: string): Promise<Attention | null> {
  const [order, payment] = await Promise.all([
    shop.readOrder(orderId),
    shop.call<Payment>('GET', `/s2s/v1/payments/${await lastPayment(orderId)}`),
  ]);
  expect(order.attention?.code).toBe(payment.body.attention?.code);
  return payment.body.attention;
}

async function act(
  orderId: string,
  action: 'ask_again' | 'refund' | 'void' | 'settle_elsewhere',
  reason: string | null,
) {
  const { companyId, sandbox } = shop.account;
  const paymentId = await lastPayment(orderId);
  return actOnAttention(shop.program.purchasing, ACTOR, {
    companyId,
    environmentId: sandbox.environmentId,
    paymentId,
    action,
    reason,
  });
}

const audited = async (orderId: string): Promise<string[]> => {
  const rows = await shop.database.db.query<{ kind: string }>({
    name: '',
    text: 'select kind from audit_entries where object_id = $1 order by id',
    values: [await lastPayment(orderId)],
  });
  return rows.map(({ kind }) => kind);
};

async function payByVoucher(): Promise<{ orderId: string; url: string }> {
  const order = await shop.createOrder({ price_decimal: 100, currency: 'MXN' });
  const { purchasing, parts } = shop.program;
  const { outcome } = await payOrder(purchasing, {
    environmentId: shop.account.sandbox.environmentId,
    orderId: order.order_id,
    gateway: parts.simulator,
    method: 'oxxo',
    email: null,
    payWith: { kind: 'redirect', method: 'oxxo' },
    returnUrl: order.checkout_url,
  });
  await outcome;
  return { orderId: order.order_id, url: order.checkout_url };
}

beforeAll(async () => {
  ({ shop, game, hook } = await startOnBadLine(line));
});

afterEach(async () => {
  game.answerAlways(null);
  line.gateway().behave();
  await hook({ enabled: true });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

describe('a capture that the provider refuses after the grant', () => {
  it('for good is visible at once, and a member releases the money and the items (row 94)', async () => {
    line.gateway().misbehave('capture', FINAL);
    const orderId = await payAnOrder(shop);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized', granted_at: expect.any(Number) });
    expect(await attentionOf(orderId)).toMatchObject({ code: 'capture_refused', next_check_at: null });
    expect((await attentionOf(orderId))!.detail).toContain('req_of_a_test');
    for (const list of ['orders', 'payments']) {
      const found = await shop.call<{ data: (Order & Payment)[] }>('GET', `/s2s/v1/${list}?attention=true`);
      expect(found.body.data.map(one => one.order_id)).toContain(orderId);
    }
    const calls = line.gateway().calls.length;
    await shop.later(24 * HOUR);
    expect(line.gateway().calls).toHaveLength(calls);
    expect(await mailRows(shop.database.db, orderId)).toMatchObject([{ kind: 'notice' }]);
    // Sandbox is listed and mailed, but wakes no one up.
    const metrics = await shop.program.parts.metrics.registry.metrics();
    expect(metrics).toContain('coinslot_attention{code="capture_refused"} 0');
    expect(await act(orderId, 'void', null)).toMatchObject({ order: { status: 'rejected', attention: null } });
    expect(await money(orderId)).toEqual(['authorized', 'voided']);
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
    expect(await audited(orderId)).toEqual(['payment.returned']);
    // A crash between the two would leave money moved by a member whom no entry names.
    const [written] = await shop.database.db.query<{ note: string; change: string }>({
      name: '',
      text: `select (select xmin::text from audit_entries where object_id = $1) as note,
                    (select xmin::text from events where order_id = $2 and type = 'payment.voided') as change`,
      values: [await lastPayment(orderId), orderId],
    });
    expect(written!.note).toBe(written!.change);
  });

  it('for a cause that passes is asked again in an hour, and the attention ends', async () => {
    line.gateway().misbehave('capture', PASSING);
    const orderId = await payAnOrder(shop);
    expect(await attentionOf(orderId)).toMatchObject({ code: 'capture_refused', next_check_at: expect.any(Number) });
    await shop.later(HOUR + 1);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
    expect(await money(orderId)).toEqual(['authorized', 'captured']);
  });
});

describe('a refund that the provider refuses', () => {
  it('of a paid order takes no items, is visible, and is made when it is asked for again (row 95)', async () => {
    const orderId = await payAnOrder(shop);
    line.gateway().misbehave('refund', PASSING);
    await refund(orderId);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({
      status: 'paid',
      problem: expect.stringContaining('balance'),
    });
    await shop.later(1);
    expect(await attentionOf(orderId)).toMatchObject({ code: 'refund_refused' });
    expect(kindsAsked(game, orderId)).toEqual(['item.add']);
    await act(orderId, 'refund', 'again');
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded', attention: null });
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
    expect(await audited(orderId)).toEqual(['payment.refund_requested']);
  });

  it('of a rejected order that was captured first is visible, and the page promises nothing (row 95)', async () => {
    game.answerAlways('decline');
    const { orderId, url } = await payByVoucher();
    for (let i = 0; i < 4; i++) await shop.later(24 * HOUR);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected' });
    expect(await paymentRows(shop.database.db, orderId)).toMatchObject([{ status: 'succeeded' }]);
    expect(await attentionOf(orderId)).toMatchObject({ code: 'refund_refused', next_check_at: null });
    const page = await (await fetch(url)).text();
    expect(page).toContain('could not refund');
    const calls = line.gateway().calls.length;
    await shop.later(24 * HOUR);
    expect(line.gateway().calls).toHaveLength(calls);
    await expect(act(orderId, 'refund', null)).rejects.toMatchObject({ code: 'provider_refused' });
    expect(await audited(orderId)).toEqual(['payment.return_refused']);
    await act(orderId, 'settle_elsewhere', 'Paid back by bank transfer');
    expect(await shop.readOrder(orderId)).toMatchObject({
      attention: null,
      problem: expect.stringContaining('bank transfer'),
    });
  });

  it('and that was settled elsewhere is never asked for again, but a later return is recorded (row 95)', async () => {
    game.answerAlways('decline');
    const { orderId } = await payByVoucher();
    for (let i = 0; i < 4; i++) await shop.later(24 * HOUR);
    await act(orderId, 'settle_elsewhere', 'Paid back by bank transfer');
    const paymentId = await lastPayment(orderId);
    const { environmentId } = shop.account.sandbox;
    const hear = () => syncPayment(shop.program.purchasing, { environmentId, paymentId });
    await hear();
    const calls = line.gateway().calls.length;
    for (let i = 0; i < 3; i++) await shop.later(24 * HOUR);
    expect(line.gateway().calls).toHaveLength(calls);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected', attention: null });
    line.gateway().pretend(paymentId, { status: 'refunded' });
    await hear();
    expect(await paymentRows(shop.database.db, orderId)).toMatchObject([{ status: 'refunded' }]);
  });

  it('while it is still wanted cannot be settled elsewhere: the order would stay open for ever', async () => {
    const orderId = await payAnOrder(shop);
    line.gateway().misbehave('refund', { kind: 'time_out_before' });
    await refund(orderId);
    await settled();
    for (let i = 0; i < 12; i++) {
      line.gateway().misbehave('lookUp', { kind: 'time_out_before' });
      await shop.later(HOUR);
    }
    expect(await attentionOf(orderId)).toMatchObject({ code: 'provider_error' });
    await expect(act(orderId, 'settle_elsewhere', 'By bank transfer')).rejects.toMatchObject({
      code: 'payment_not_in_review',
    });
    line.gateway().behave();
    await shop.later(2 * HOUR);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded', attention: null });
  });

  it('of a rejected order for a cause that passes is asked again every six hours and not more often', async () => {
    game.answerAlways('decline');
    const { orderId } = await payByVoucher();
    line.gateway().misbehave('refund', PASSING);
    await shop.later(24 * HOUR);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected' });
    expect(await attentionOf(orderId)).toMatchObject({ code: 'refund_refused', next_check_at: expect.any(Number) });
    const calls = line.gateway().calls.length;
    for (let i = 0; i < 5; i++) await shop.later(HOUR);
    expect(line.gateway().calls).toHaveLength(calls);
    await shop.later(HOUR + 1);
    expect(
      line
        .gateway()
        .calls.slice(calls)
        .map(({ call }) => call),
    ).toEqual(['lookUp', 'refund']);
  });

  it('with an amount is refused whole, and nothing moves', async () => {
    const orderId = await payAnOrder(shop);
    const unknown = [
      { amount_decimal: 0.5 },
      { value: '0.50' },
      { partial: true },
      { items: [] },
      { reason: 'x', minor: 5 },
    ];
    for (const body of [{ amount: 50 }, { price_decimal: 0.5 }, { amount: null }, ...unknown]) {
      expect(await refund(orderId, body)).toMatchObject({ status: 422, body: { code: 'partial_refund_unsupported' } });
    }
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(await money(orderId)).toEqual(['authorized', 'captured']);
  });
});

describe('a refund that fails at the bank after it was made', () => {
  it('leaves `refunded`, is visible, and can be made again (row 96)', async () => {
    const orderId = await payAnOrder(shop);
    await refund(orderId);
    await settled();
    const paymentId = await lastPayment(orderId);
    const { environmentId } = shop.account.sandbox;
    const refundFailure = { code: 'expired_or_canceled_card', reason: 'The card has expired.' };
    line.gateway().pretend(paymentId, { status: 'captured', refundFailure });
    await syncPayment(shop.program.purchasing, { environmentId, paymentId });
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(await attentionOf(orderId)).toMatchObject({
      code: 'refund_failed',
      detail: expect.stringContaining('expired'),
      next_check_at: null,
    });
    line.gateway().behave();
    expect((await refund(orderId)).status).toBe(200);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded', attention: null });
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
  });

  it('is visible again after a dispute that came meanwhile and was won (row 96)', async () => {
    const orderId = await payAnOrder(shop);
    await refund(orderId);
    await settled();
    const paymentId = await lastPayment(orderId);
    const { environmentId } = shop.account.sandbox;
    const refundFailure = { code: 'lost_or_stolen_card', reason: 'The card is gone.' };
    const hear = async (disputes: Charge['disputes']) => {
      line.gateway().pretend(paymentId, { status: 'captured', refundFailure, disputes });
      await syncPayment(shop.program.purchasing, { environmentId, paymentId });
    };
    await hear([]);
    await hear([disputeIn('open')]);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'disputed' });
    expect(await attentionOf(orderId)).toMatchObject({ code: 'dispute_open' });
    await hear([disputeIn('won')]);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect(await attentionOf(orderId)).toMatchObject({
      code: 'refund_failed',
      detail: expect.stringContaining('gone'),
    });
  });
});

describe('a dispute', () => {
  const sync = async (orderId: string) => {
    const { environmentId } = shop.account.sandbox;
    await syncPayment(shop.program.purchasing, { environmentId, paymentId: await lastPayment(orderId) });
  };

  it('whose status is not known is never won and waits for a person (row 98)', async () => {
    const orderId = await payAnOrder(shop);
    line.gateway().pretend(await lastPayment(orderId), { disputes: [disputeIn('unclear')] });
    await sync(orderId);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'disputed' });
    expect(await attentionOf(orderId)).toMatchObject({ code: 'dispute_unclear' });
    expect((await refund(orderId)).status).toBe(409);
    line.gateway().pretend(await lastPayment(orderId), { disputes: [disputeIn('won')] });
    await sync(orderId);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
    expect(kindsAsked(game, orderId)).toEqual(['item.add']);
  });

  it('that is only an inquiry can be answered by a refund (row 98)', async () => {
    const orderId = await payAnOrder(shop);
    line.gateway().pretend(await lastPayment(orderId), { disputes: [disputeIn('inquiry')] });
    await sync(orderId);
    expect(await attentionOf(orderId)).toMatchObject({ code: 'dispute_open' });
    expect((await refund(orderId)).status).toBe(200);
    await settled();
    // The bank has its money and asks no more.
    line.gateway().pretend(await lastPayment(orderId), { disputes: [disputeIn('won')] });
    await sync(orderId);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded', attention: null });
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
  });

  it('that was lost before the game answered is the payment’s end, and nothing is returned twice (row 98)', async () => {
    await hook({ enabled: false });
    const { orderId } = await payByVoucher();
    await shop.later(24 * HOUR);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    line.gateway().pretend(await lastPayment(orderId), { disputes: [disputeIn('lost')] });
    await sync(orderId);
    const before = line.gateway().calls.length;
    for (let i = 0; i < 8; i++) await shop.later(24 * HOUR);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'rejected', attention: null });
    expect(await paymentRows(shop.database.db, orderId)).toMatchObject([{ status: 'charged_back' }]);
    expect(
      line
        .gateway()
        .calls.slice(before)
        .map(call => JSON.stringify(call))
        .join(),
    ).not.toContain('refund');
  });

  it('that was lost before a refund was made is the order’s end too (row 98)', async () => {
    const orderId = await payAnOrder(shop);
    line.gateway().pretend(await lastPayment(orderId), { disputes: [disputeIn('lost')] });
    expect((await refund(orderId)).status).toBe(200);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'charged_back', attention: null });
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
  });

  it('that was foreseen by a fraud warning has the items revoked as fraud when the money goes back', async () => {
    const orderId = await payAnOrder(shop);
    line.gateway().pretend(await lastPayment(orderId), { warning: { kind: 'fraud_warning', reason: 'stolen card' } });
    await refund(orderId);
    await settled();
    expect(game.requests.at(-1)!.body).toMatchObject({
      event_type: 'item.remove',
      event_data: { reason_code: 'fraud' },
    });
  });
});

describe('a grant that the game does not answer', () => {
  it('needs attention once the player no longer waits for it, and no more once it is granted', async () => {
    game.answerAlways({ status: 500 });
    const orderId = await payAnOrder(shop);
    for (const step of [2, 5, 10]) await shop.later(step + 3);
    expect(await attentionOf(orderId)).toBeNull();
    await shop.later(30);
    expect(await attentionOf(orderId)).toMatchObject({
      code: 'grant_unanswered',
      detail: expect.stringContaining('HTTP 500'),
      next_check_at: expect.any(Number),
    });
    game.answerAlways(null);
    await shop.later(120);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
  });

  it('because no endpoint takes it needs attention from the first moment', async () => {
    await hook({ enabled: false });
    const orderId = await payAnOrder(shop);
    expect(await attentionOf(orderId)).toMatchObject({ code: 'grant_unanswered' });
    await hook({ enabled: true });
    await shop.later(1);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid', attention: null });
    expect(await itemDeliveries(shop.database.db, orderId)).toMatchObject([{ status: 'succeeded' }]);
  });
});
