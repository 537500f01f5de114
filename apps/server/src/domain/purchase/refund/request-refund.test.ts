import type { Game } from '@coinslot/testing/game-receiver';
import { gate } from '@coinslot/testing/gate';
import { badLine, itemDeliveries, moneyMoved } from '@coinslot/testing/order-rows';
import { CARDS, type TestProgram } from '@coinslot/testing/program';
import { kindsAsked, payAnOrder, type ShopOnBadLine, startOnBadLine } from '@coinslot/testing/shop-on-bad-line';
import { impossibleCharges } from '@coinslot/testing/simulator-books';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;
let hook: ShopOnBadLine['hook'];
const line = badLine();

const rows = (orderId: string) => itemDeliveries(shop.database.db, orderId);
const refund = (orderId: string, body: object = {}) => shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, body);
const settled = () => shop.program.parts.background.settle();
const money = (orderId: string) => moneyMoved(shop.database.db, orderId);

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

describe('a refund', () => {
  it('returns the money and takes the items back, with the reason', async () => {
    const orderId = await payAnOrder(shop);
    const asked = await refund(orderId, { reason: 'bought by mistake' });
    expect(asked.status).toBe(200);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
    expect(await money(orderId)).toEqual(['authorized', 'captured', 'refunded']);
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
    expect(game.requests.at(-1)!.body!.event_data).toMatchObject({
      reason: 'bought by mistake',
      reason_code: 'refund',
      items: [{ sku: 'crystals_100' }],
    });
    const [add, remove] = game.requests.slice(-2).map(request => request.body!.idempotency_key);
    expect(add).not.toBe(remove);
  });

  it('that is asked for twenty times at once is made once (row 37)', async () => {
    const orderId = await payAnOrder(shop);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(orderId)));
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200]));
    await settled();
    await shop.later(60);
    expect((await refund(orderId)).status).toBe(200);
    expect(await money(orderId)).toEqual(['authorized', 'captured', 'refunded']);
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.remove']);
    const refunds = line.gateway().calls.filter(call => call.call === 'refund');
    expect(refunds.filter(call => call.paymentId === refunds.at(-1)!.paymentId)).toHaveLength(1);
  });

  it('of an order that was not paid is refused', async () => {
    const order = await shop.createOrder();
    expect((await refund(order.order_id)).body).toMatchObject({ code: 'order_wrong_status' });
    await shop.pay(order.checkout_url, CARDS.decline);
    expect((await refund(order.order_id)).status).toBe(409);
    expect((await refund('ord_00000000000000000000000000')).body).toMatchObject({ code: 'order_not_found' });
  });

  it('of forty unpaid orders at once is refused forty times and holds no payment up (row 104)', async () => {
    const unpaid = await Promise.all(Array.from({ length: 40 }, () => shop.createOrder()));
    const paying = payAnOrder(shop).then(id => shop.readOrder(id));
    const answers = await Promise.all(unpaid.map(order => refund(order.order_id)));
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([409]));
    // The form waits four seconds for its payment; held up for longer, it would not be paid yet.
    expect(await paying).toMatchObject({ status: 'paid' });
  });

  it.each(['time_out_before', 'time_out_after'] as const)(
    'whose answer is lost (%s) is asked about again and made once (row 38)',
    async kind => {
      line.gateway().misbehave('refund', { kind }, 3);
      const orderId = await payAnOrder(shop);
      await refund(orderId);
      await settled();
      expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refund_requested' });
      for (let i = 0; i < 4; i++) await shop.later(120);
      expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
      expect(await money(orderId)).toEqual(['authorized', 'captured', 'refunded']);
    },
  );

  it('stands when the game answers 404 to the removal, which is tried again (row 40)', async () => {
    const orderId = await payAnOrder(shop);
    game.answer({ status: 404 });
    await refund(orderId);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
    expect(await rows(orderId)).toMatchObject([{ status: 'succeeded' }, { status: 'pending', attempts: 1 }]);
    await shop.later(2);
    expect(await rows(orderId)).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded', attempts: 2 }]);
  });

  it('that the game refuses to take part in stands all the same', async () => {
    const orderId = await payAnOrder(shop);
    game.answer('decline');
    await refund(orderId);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
    expect(await rows(orderId)).toMatchObject([{ status: 'succeeded' }, { status: 'declined' }]);
  });
});

describe('a refund while the game is being asked', () => {
  it('before it ever was cancels the question and sends nothing (row 34)', async () => {
    await hook({ enabled: false });
    const orderId = await payAnOrder(shop);
    await refund(orderId);
    await settled();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
    expect(await money(orderId)).toEqual(['authorized', 'voided']);
    await hook({ enabled: true });
    await shop.later(86_400);
    expect(await rows(orderId)).toMatchObject([{ kind: 'item.add', status: 'canceled', attempts: 0 }]);
    expect(kindsAsked(game, orderId)).toEqual([]);
  });

  it('also when it was claimed for an endpoint that was gone by then', async () => {
    await hook({ enabled: false });
    const orderId = await payAnOrder(shop);
    // Released, and switched off again before a worker came by.
    await hook({ enabled: true });
    await hook({ enabled: false });
    await shop.later(1);
    expect(await rows(orderId)).toMatchObject([{ status: 'held', attempts: 0 }]);
    await refund(orderId);
    await settled();
    await hook({ enabled: true });
    await shop.later(60);
    expect(kindsAsked(game, orderId)).toEqual([]);
  });

  it('after attempts that failed cancels the question and sends the removal (row 34)', async () => {
    game.answer({ status: 500 }, { status: 500 });
    const orderId = await payAnOrder(shop);
    await shop.later(2);
    await refund(orderId);
    await settled();
    await shop.later(86_400);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'refunded' });
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.add', 'item.remove']);
    expect(await rows(orderId)).toMatchObject([{ status: 'canceled' }, { status: 'succeeded' }]);
    expect(await money(orderId)).toEqual(['authorized', 'voided']);
  });

  it.each([200, 500])(
    'with an attempt on the wire that ends in %i waits for it, then the removal follows (rows 35, 39)',
    async status => {
      const wire = gate();
      game.answer((_, response) => void wire.opened.then(() => response.writeHead(status).end()));
      const order = await shop.createOrder();
      const paying = shop.pay(order.checkout_url);
      await game.waitFor(() => kindsAsked(game, order.order_id).length === 1);
      await refund(order.order_id);
      await shop.until(order.order_id, 'refunded');
      await shop.program.workers.drain();
      expect(await rows(order.order_id)).toMatchObject([{ status: 'pending' }, { status: 'blocked' }]);
      expect(kindsAsked(game, order.order_id)).toEqual(['item.add']);
      wire.open();
      await paying;
      await settled();
      await shop.later(0);
      expect(kindsAsked(game, order.order_id)).toEqual(['item.add', 'item.remove']);
      expect(await rows(order.order_id)).toMatchObject([
        { status: status === 200 ? 'succeeded' : 'canceled' },
        { status: 'succeeded' },
      ]);
      expect(await money(order.order_id)).toEqual(['authorized', 'voided']);
    },
  );

  it('whose process died is not asked again: the removal follows (rows 14, 34)', async () => {
    const wire = gate();
    game.answer((_, response) => void wire.opened.then(() => response.writeHead(200).end()));
    const order = await shop.createOrder();
    const paying = shop.pay(order.checkout_url);
    await game.waitFor(() => kindsAsked(game, order.order_id).length === 1);
    await refund(order.order_id);
    await shop.until(order.order_id, 'refunded');
    // Its lease ends without a word from it.
    await shop.later(31);
    expect(kindsAsked(game, order.order_id)).toEqual(['item.add', 'item.remove']);
    expect(await rows(order.order_id)).toMatchObject([{ status: 'canceled' }, { status: 'succeeded' }]);
    // It comes back after all, and its late word changes nothing (row 15).
    wire.open();
    await paying;
    await settled();
    expect(await rows(order.order_id)).toMatchObject([{ status: 'canceled' }, { status: 'succeeded' }]);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'refunded' });
  });

  it('with the capture on the wire returns what was captured', async () => {
    const wire = gate();
    line.gateway().misbehave('capture', { kind: 'slow_before', until: wire.opened });
    const order = await shop.createOrder();
    const paying = shop.pay(order.checkout_url);
    await expect.poll(() => line.gateway().calls.at(-1)?.call).toBe('capture');
    line.gateway().misbehave('lookUp', { kind: 'slow_after', until: wire.opened });
    await refund(order.order_id);
    wire.open();
    await paying;
    await settled();
    for (let i = 0; i < 3; i++) await shop.later(120);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'refunded' });
    expect([
      ['authorized', 'captured', 'refunded'],
      ['authorized', 'voided'],
    ]).toContainEqual(await money(order.order_id));
    expect(kindsAsked(game, order.order_id)).toEqual(['item.add', 'item.remove']);
  });
});

describe('a grant that is sent again by hand', () => {
  it('and fails leaves the order granted, so that a refund takes the items back', async () => {
    const orderId = await payAnOrder(shop);
    const [add] = await rows(orderId);
    game.answer({ status: 500 });
    expect((await shop.call('POST', `/s2s/v1/deliveries/${add!.id}/retry`, {})).status).toBe(202);
    await shop.later(0);
    expect(await rows(orderId)).toMatchObject([{ status: 'succeeded', attempts: 2 }]);
    await refund(orderId);
    await settled();
    expect(kindsAsked(game, orderId)).toEqual(['item.add', 'item.add', 'item.remove']);
  });

  it('is refused once the order is refunded', async () => {
    const orderId = await payAnOrder(shop);
    const [add] = await rows(orderId);
    await refund(orderId);
    await settled();
    const answer = await shop.call('POST', `/s2s/v1/deliveries/${add!.id}/retry`, {});
    expect(answer.body).toMatchObject({ code: 'delivery_not_retryable' });
  });
});
