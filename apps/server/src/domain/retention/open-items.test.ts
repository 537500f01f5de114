import type { Delivery, Webhook } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRetention } from './run-retention.ts';

const DAY = 86_400;
const PATIENCE = { timeout: 120_000 };

let shop: TestProgram;
let game: Game;
let hookId: string;
let orderId: string;
let paidOrderId: string;

const count = async (from: string): Promise<number> => {
  const text = `select count(1)::int as count from ${from}`;
  const [row] = await shop.database.db.query<{ count: number }>({ name: '', text, values: [] });
  return row!.count;
};

const removeOld = async (): Promise<void> => {
  while (await runRetention(shop.program.purchasing, { deliveries: 90, events: 90, mails: 30 }));
};

/** Without what else works in that time. */
const afterDays = async (days: number): Promise<void> => {
  await shop.database.advance(days * DAY);
  await shop.program.parts.clock.refresh();
  await removeOld();
};

const switchEndpoint = (to: 'enable' | 'disable') =>
  shop.call('PATCH', `/s2s/v1/webhooks/${hookId}`, { enabled: to === 'enable' });

const deliveryOf = async (kind: string, ofOrder = orderId): Promise<Delivery> => {
  const { body } = await shop.call<{ data: Delivery[] }>('GET', `/s2s/v1/deliveries?order_id=${ofOrder}`);
  return body.data.find(one => one.event_type === kind)!;
};

const buy = async (): Promise<string> => {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  await shop.until(order.order_id, 'paid');
  return order.order_id;
};

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame();
  game.answerAlways({ status: 200 });
  const body = { url: game.url, events: ['item.add', 'item.remove', 'order.*'] };
  hookId = (await shop.call<Webhook>('POST', '/s2s/v1/webhooks', body)).body.id;
  orderId = await buy();
  paidOrderId = await buy();
  await switchEndpoint('disable');
  await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
  await shop.until(orderId, 'refunded');
  await shop.later(1);
}, 120_000);

afterAll(async () => {
  await shop?.close();
  await game?.close();
});

describe('an item that is not settled', PATIENCE, () => {
  it('keeps its event when the month goes, and is sent once there is an endpoint again (row 225)', async () => {
    expect(await deliveryOf('item.remove')).toMatchObject({ status: 'held' });
    await afterDays(130);
    expect(await count('events')).toBe(1);
    const before = game.requests.length;
    await switchEndpoint('enable');
    await shop.program.workers.drain('orders');
    expect(game.requests.slice(before).map(({ body }) => body?.event_type)).toEqual(['item.remove']);
    expect(await deliveryOf('item.remove')).toMatchObject({ status: 'succeeded' });
  });

  it('lets its event go once it is settled; what has none is not taken for another try (row 225)', async () => {
    await removeOld();
    expect(await count('events')).toBe(0);
    const { id } = await deliveryOf('item.add', paidOrderId);
    const retried = await shop.call('POST', `/s2s/v1/deliveries/${id}/retry`);
    expect([retried.status, retried.body]).toMatchObject([409, { code: 'delivery_not_retryable' }]);
    expect((await shop.call('POST', `/s2s/v1/webhooks/${hookId}/replay`, { since: 0 })).body).toMatchObject({
      replayed: 0,
    });
    expect(await deliveryOf('item.add', paidOrderId)).toMatchObject({ status: 'succeeded' });
  });
});
