import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { gate } from '@coinslot/testing/gate';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let items: Game;
let watcher: Game;
let hookId: string;

const kindsFor = (orderId: string, of: Game = watcher) =>
  of.requests.filter(request => request.body?.event_data.order_id === orderId).map(request => request.body!.event_type);
const hook = (changes: object) => shop.call('PATCH', `/s2s/v1/webhooks/${hookId}`, changes);
const subscribe = async (url: string, events: string[], more: object = {}) =>
  (await shop.call<{ id: string }>('POST', '/s2s/v1/webhooks', { url, events, ...more })).body.id;

async function payAnOrder(card: string = CARDS.success): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url, card);
  await shop.later(0);
  return order.order_id;
}

beforeAll(async () => {
  shop = await startProgram({ workers: false, replace: parts => ({ ...parts, random: () => 0.5 }) });
  [items, watcher] = [await startGame(), await startGame()];
  watcher.answerAlways({ status: 200 });
  await subscribe(items.url, ['item.add', 'item.remove']);
  hookId = await subscribe(watcher.url, ['order.*', 'payment.*']);
});

afterEach(async () => {
  watcher.answerAlways({ status: 200 });
  await hook({ enabled: true });
  await shop.later(0);
});

afterAll(async () => {
  await items?.close();
  await watcher?.close();
  await shop?.close();
});

describe('an observer', () => {
  it('gets everything that it asked for, in the order in which it happened', async () => {
    const orderId = await payAnOrder();
    const paid = ['order.created', 'payment.pending', 'payment.authorized', 'payment.succeeded', 'order.paid'];
    expect(kindsFor(orderId)).toEqual(paid);
    await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
    await shop.program.parts.background.settle();
    await shop.later(0);
    expect(kindsFor(orderId)).toEqual([...paid, 'payment.refunded', 'order.refunded']);
    expect(kindsFor(orderId, items)).toEqual(['item.add', 'item.remove']);
  });

  it('keeps the order of one order’s events when many of many orders come at once', async () => {
    const orders = await Promise.all(Array.from({ length: 12 }, () => shop.createOrder()));
    await Promise.all(orders.map(order => shop.pay(order.checkout_url)));
    await shop.later(0);
    const paid = ['order.created', 'payment.pending', 'payment.authorized', 'payment.succeeded', 'order.paid'];
    for (const order of orders) expect(kindsFor(order.order_id)).toEqual(paid);
  });

  it('that fails for one order holds up nothing but the later events of that order', async () => {
    watcher.answer({ status: 500 });
    const failing = await shop.createOrder();
    await shop.later(0);
    watcher.answerAlways((_request, response) => {
      const isOfFailing = watcher.requests.at(-1)!.body?.event_data.order_id === failing.order_id;
      response.writeHead(isOfFailing ? 500 : 200).end();
    });
    await shop.pay(failing.checkout_url);
    const other = await payAnOrder();
    expect(await shop.readOrder(failing.order_id)).toMatchObject({ status: 'paid' });
    expect(kindsFor(other)).toContain('order.paid');
    // Once before its time, because the endpoint answered for another order; then by the background steps, the next a minute later.
    expect(kindsFor(failing.order_id)).toEqual(['order.created', 'order.created']);
    await payAnOrder();
    await shop.later(30);
    expect(kindsFor(failing.order_id)).toEqual(['order.created', 'order.created']);
    watcher.answerAlways({ status: 200 });
    await shop.later(31);
    expect(kindsFor(failing.order_id).slice(2, 4)).toEqual(['order.created', 'payment.pending']);
    expect(kindsFor(failing.order_id).at(-1)).toBe('order.paid');
  });

  it('that says the code of a refusal refuses nothing: it only observes', async () => {
    watcher.answer('decline');
    const orderId = await payAnOrder();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });

  it('that is switched off misses nothing: its events wait and come in order (row 83)', async () => {
    await hook({ enabled: false });
    const orderId = await payAnOrder();
    await shop.later(3_600);
    expect(kindsFor(orderId)).toEqual([]);
    await hook({ enabled: true });
    await shop.later(0);
    const paid = ['order.created', 'payment.pending', 'payment.authorized', 'payment.succeeded', 'order.paid'];
    expect(kindsFor(orderId)).toEqual(paid);
  });

  it('that is switched off between two events gets both in order', async () => {
    const order = await shop.createOrder();
    watcher.answer({ status: 500 });
    await shop.later(0);
    await shop.pay(order.checkout_url);
    await hook({ enabled: false });
    await shop.later(120);
    await hook({ enabled: true });
    for (let i = 0; i < 3; i++) await shop.later(60);
    const events = kindsFor(order.order_id);
    expect(events.filter((kind, i) => events.indexOf(kind) === i)).toEqual([
      'order.created',
      'payment.pending',
      'payment.authorized',
      'payment.succeeded',
      'order.paid',
    ]);
  });

  it('that answers 410 is disabled; the others and the items go on', async () => {
    watcher.answer({ status: 410 });
    const orderId = await payAnOrder();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
    expect((await shop.call('GET', `/s2s/v1/webhooks/${hookId}`)).body).toMatchObject({ enabled: false });
  });

  it('that is deleted gets nothing more', async () => {
    const gone = await startGame();
    gone.answerAlways({ status: 500 });
    const id = await subscribe(gone.url, ['order.created']);
    await payAnOrder();
    const before = gone.requests.length;
    await shop.call('DELETE', `/s2s/v1/webhooks/${id}`);
    await shop.later(7_200);
    expect(gone.requests).toHaveLength(before);
    await gone.close();
  });

  it('hears once that the page was opened, however often it is', async () => {
    const page = await startGame();
    page.answerAlways({ status: 200 });
    const id = await subscribe(page.url, ['checkout.*']);
    const order = await shop.createOrder();
    for (let i = 0; i < 3; i++) await fetch(order.checkout_url);
    await shop.program.parts.background.settle();
    await shop.later(0);
    expect(kindsFor(order.order_id, page)).toEqual(['checkout.opened']);
    await shop.call('DELETE', `/s2s/v1/webhooks/${id}`);
    await page.close();
  });
});

describe('one slow or failing order or endpoint', () => {
  it('never delays another order (rows 17, 28)', async () => {
    const wire = gate();
    items.answer((_, response) => void wire.opened.then(() => response.writeHead(200).end()));
    const slow = await shop.createOrder();
    const paying = shop.pay(slow.checkout_url);
    await items.waitFor(() => kindsFor(slow.order_id, items).length === 1);
    const quick = await payAnOrder();
    expect(await shop.readOrder(quick)).toMatchObject({ status: 'paid' });
    expect(await shop.readOrder(slow.order_id)).toMatchObject({ status: 'authorized' });
    wire.open();
    await paying;
    expect(await shop.until(slow.order_id, 'paid')).toMatchObject({ status: 'paid' });
  });

  it('never delays another environment, even when hundreds of it hang in the workers (rows 17, 28)', async () => {
    const wire = gate();
    watcher.answerAlways((_, response) => void wire.opened.then(() => response.writeHead(200).end()));
    await Promise.all(Array.from({ length: 150 }, () => shop.createOrder()));
    const other = await startGame();
    other.answerAlways({ status: 200 });
    const key = shop.account.live.s2sKey;
    await shop.call('POST', '/s2s/v1/webhooks', { url: other.url, events: ['order.created'] }, { key });
    const body = { player_id: 'p', items: [{ sku: 's' }], price_decimal: 1, currency: 'USD' };
    shop.program.workers.start();
    await watcher.waitFor(game => game.openConnections >= 60);
    await shop.call('POST', '/s2s/v1/orders', body, { key });
    await other.waitFor(game => game.requests.length === 1);
    expect(watcher.openConnections).toBeLessThanOrEqual(64);
    wire.open();
    await other.close();
  });
});
