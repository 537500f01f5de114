import type { SandboxPayment } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;

const DAY = 86_400;

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});
afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const advance = (id: string, seconds: unknown, key?: string) =>
  shop.call<SandboxPayment>(
    'POST',
    `/s2s/v1/sandbox/orders/${id}/advance`,
    { seconds },
    key === undefined ? {} : { key },
  );
const pay = (id: string, card: string) => shop.call<SandboxPayment>('POST', `/s2s/v1/orders/${id}/pay`, { card });

describe('sandbox time', () => {
  it('lets an unpaid order expire', async () => {
    const { order_id } = await shop.createOrder();
    expect((await advance(order_id, DAY - 60)).body.order.status).toBe('created');
    const expired = await advance(order_id, 61);
    expect(expired).toMatchObject({ status: 200, body: { order: { status: 'expired' }, payment: null } });
  });

  it('answers in one call what happens after days without an answer, attempt by attempt', async () => {
    game.answerAlways({ status: 503 });
    const { order_id } = await shop.createOrder();
    await pay(order_id, 'success');
    const before = game.requests.length;
    expect((await advance(order_id, 60)).body.order.status).toBe('authorized');
    expect(game.requests.length - before).toBeLessThan(6);
    await advance(order_id, 4 * DAY);
    // It answers after ten seconds at the latest, and a busy machine may need longer for sixteen attempts.
    await shop.until(order_id, 'rejected');
    const ended = await advance(order_id, 1);
    expect(ended.body).toMatchObject({ order: { status: 'rejected' }, payment: { status: 'voided' } });
    const attempts = game.requests.filter(
      ({ body }) => body?.event_type === 'item.add' && body.event_data.order_id === order_id,
    );
    expect(attempts).toHaveLength(16);
    expect(new Set(attempts.map(({ body }) => body?.idempotency_key)).size).toBe(1);
    game.answerAlways({ status: 200 });
  });

  it('brings a retry forward, and the game that answers by then grants', async () => {
    game.answerAlways({ status: 503 });
    const { order_id } = await shop.createOrder();
    await pay(order_id, 'success');
    game.answerAlways({ status: 200 });
    expect((await advance(order_id, 3_600)).body).toMatchObject({ order: { status: 'paid' } });
  });

  it('brings the end of a dispute forward', async () => {
    game.answerAlways({ status: 200 });
    const { order_id } = await shop.createOrder();
    await pay(order_id, 'dispute');
    const ended = await advance(order_id, 30 * DAY);
    expect(ended.body).toMatchObject({ order: { status: 'charged_back' }, payment: { status: 'charged_back' } });
  });

  it('ends a 3-D Secure that the player left alone (row 147)', async () => {
    const { order_id } = await shop.createOrder();
    await pay(order_id, '3ds');
    const ended = await advance(order_id, 3_600);
    expect(ended.body).toMatchObject({ order: { status: 'created' }, payment: { status: 'abandoned' } });
  });

  it('moves no other order', async () => {
    const [moved, other] = [await shop.createOrder(), await shop.createOrder()];
    const before = await shop.readOrder(other.order_id);
    await advance(moved.order_id, 2 * DAY);
    expect(await shop.readOrder(other.order_id)).toEqual(before);
  });

  it('is for sandbox only, for orders that exist, and for 1 second to 30 days', async () => {
    const { order_id } = await shop.createOrder();
    const live = await advance(order_id, 60, shop.account.live.s2sKey);
    expect(live).toMatchObject({ status: 403, body: { code: 'sandbox_only' } });
    expect(await advance('ord_none', 60)).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
    for (const seconds of [0, -5, 2_592_001, 1.5, '60'])
      expect(await advance(order_id, seconds)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/seconds' }] },
      });
  });
});
