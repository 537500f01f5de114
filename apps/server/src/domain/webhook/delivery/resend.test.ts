import type { Delivery, Webhook } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { gate } from '@coinslot/testing/gate';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';

const PAID = ['order.created', 'payment.pending', 'payment.authorized', 'payment.succeeded', 'order.paid'];

let shop: TestProgram;
let items: Game;
let watcher: Game;
let itemsHook: string;
let hookId: string;

beforeAll(async () => {
  shop = await startProgram({ workers: false, replace: parts => ({ ...parts, random: () => 0.5 }) });
  [items, watcher] = [await startGame(), await startGame()];
  itemsHook = await subscribe(items.url, ['item.add', 'item.remove']);
  hookId = await subscribe(watcher.url, ['order.*', 'payment.*']);
});

beforeEach(() => {
  items.answerAlways({ status: 200 });
  watcher.answerAlways({ status: 200 });
});

afterAll(async () => {
  await items?.close();
  await watcher?.close();
  await shop?.close();
});

const subscribe = async (url: string, events: string[]) =>
  (await shop.call<Webhook>('POST', '/s2s/v1/webhooks', { url, events })).body.id;
const replay = (id: string) => shop.call('POST', `/s2s/v1/webhooks/${id}/replay`, { since: 0 });
const retry = (id: string) => shop.call<Delivery>('POST', `/s2s/v1/deliveries/${id}/retry`);
const kindsAt = (game: Game, orderId: string, since = 0) =>
  game.requests
    .slice(since)
    .filter(({ body }) => body?.event_data.order_id === orderId)
    .map(({ body }) => body!.event_type);

async function payAnOrder(): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  await shop.later(0);
  return order.order_id;
}

const deliveriesOf = async (orderId: string): Promise<Delivery[]> =>
  (await shop.call<{ data: Delivery[] }>('GET', `/s2s/v1/deliveries?order_id=${orderId}&limit=100`)).body.data;
const deliveryOf = async (orderId: string, kind: string): Promise<Delivery> =>
  (await deliveriesOf(orderId)).find(({ event_type }) => event_type === kind)!;

/** Answers after a while, and counts how many requests of one order it had at the same time. */
function watchOverlap(game: Game): () => number {
  const open = new Map<string, number>();
  let most = 0;
  game.answerAlways((_, response) => {
    const orderId = String(game.requests.at(-1)!.body!.event_data.order_id);
    open.set(orderId, (open.get(orderId) ?? 0) + 1);
    most = Math.max(most, open.get(orderId)!);
    setTimeout(() => {
      open.set(orderId, open.get(orderId)! - 1);
      response.writeHead(200).end();
    }, 30);
  });
  return () => most;
}

describe('a replay', () => {
  it('sends the events of an order one after the other, in their order (row 103)', async () => {
    const orders = [await payAnOrder(), await payAnOrder(), await payAnOrder()];
    const mostAtOnce = watchOverlap(watcher);
    const before = watcher.requests.length;
    expect((await replay(hookId)).body).toMatchObject({ replayed: 15 });
    await shop.later(0);
    for (const orderId of orders) expect(kindsAt(watcher, orderId, before)).toEqual(PAID);
    expect(mostAtOnce()).toBe(1);
  });

  it('puts an event that still fails behind the earlier ones of its order (row 103)', async () => {
    const order = await shop.createOrder();
    await shop.later(0);
    watcher.answer({ status: 500 });
    await shop.pay(order.checkout_url);
    await shop.later(0);
    const before = watcher.requests.length;
    await replay(hookId);
    await shop.later(0);
    expect(kindsAt(watcher, order.order_id, before)).toEqual(PAID);
  });

  it('waits for an event of the order that is on its way (row 103)', async () => {
    const wire = gate();
    const order = await shop.createOrder();
    await shop.later(0);
    watcher.answer((_, response) => void wire.opened.then(() => response.writeHead(200).end()));
    await shop.pay(order.checkout_url);
    const before = watcher.requests.length;
    const sending = shop.later(0);
    await watcher.waitFor(({ requests }) => requests.length > before);
    await replay(hookId);
    expect(await deliveryOf(order.order_id, 'order.created')).toMatchObject({ status: 'blocked' });
    wire.open();
    await sending;
    await shop.later(0);
    expect(kindsAt(watcher, order.order_id, before)).toEqual(['payment.pending', 'order.created', ...PAID.slice(2)]);
    expect((await deliveriesOf(order.order_id)).map(({ status }) => status)).toEqual(Array(6).fill('succeeded'));
  });

  it('of a grant and its removal never lets the removal overtake (row 103)', async () => {
    const orderId = await payAnOrder();
    await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
    await shop.program.parts.background.settle();
    await shop.later(0);
    // A refund that the provider refused leaves a paid order whose items were taken back.
    await shop.database.db.query(sql('test_paid_again')`
      update orders set status = 'paid', version = version + 1 where id = ${orderId}`);
    const mostAtOnce = watchOverlap(items);
    const before = items.requests.length;
    await replay(itemsHook);
    await shop.later(0);
    expect(kindsAt(items, orderId, before)).toEqual(['item.add', 'item.remove']);
    expect(mostAtOnce()).toBe(1);
  });
});

describe('a retry', () => {
  it('of a finished event waits while an earlier one of its order fails (row 103)', async () => {
    const orderId = await payAnOrder();
    watcher.answer({ status: 500 });
    await retry((await deliveryOf(orderId, 'order.created')).id);
    await shop.later(0);
    const before = watcher.requests.length;
    const last = await deliveryOf(orderId, 'order.paid');
    expect((await retry(last.id)).body).toMatchObject({ status: 'blocked' });
    await shop.later(0);
    expect(kindsAt(watcher, orderId, before)).toEqual(['order.created', 'order.paid']);
  });

  it('of an event that waits sends the one before it now, and the answer says so (row 103)', async () => {
    const orderId = await payAnOrder();
    watcher.answer({ status: 500 });
    watcher.answer({ status: 500 });
    await retry((await deliveryOf(orderId, 'order.created')).id);
    await shop.later(0);
    const last = await deliveryOf(orderId, 'order.paid');
    await retry(last.id);
    await shop.later(0);
    const before = watcher.requests.length;
    expect(await retry(last.id)).toMatchObject({ status: 202, body: { status: 'blocked' } });
    await shop.later(0);
    expect(kindsAt(watcher, orderId, before)).toEqual(['order.created', 'order.paid']);
  });

  it('of a grant that a developer made up sends it again', async () => {
    const made = await shop.call<{ deliveries: { delivery_id: string }[] }>('POST', '/s2s/v1/events/trigger', {
      event_type: 'item.add',
    });
    const [{ delivery_id: id }] = made.body.deliveries as [{ delivery_id: string }];
    await shop.later(0);
    const before = items.requests.length;
    expect(await retry(id)).toMatchObject({ status: 202, body: { id, test: true } });
    await shop.later(0);
    expect(items.requests.slice(before).map(({ body }) => body!.event_type)).toEqual(['item.add']);
  });
});

it('a replay leaves the grant of a refunded order alone, and sends its removal again', async () => {
  const orderId = await payAnOrder();
  await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
  await shop.program.parts.background.settle();
  await shop.later(0);
  const before = await deliveryOf(orderId, 'item.add');
  await replay(itemsHook);
  expect(await deliveryOf(orderId, 'item.add')).toEqual(before);
  await shop.later(0);
  expect(kindsAt(items, orderId)).toEqual(['item.add', 'item.remove', 'item.remove']);
});
