import type { Webhook } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../../db/sql.ts';

let shop: TestProgram;
let game: Game;

const ITEMS = ['item.add', 'item.remove'];
const create = (body: object = {}, key?: string) =>
  shop.call<Webhook & { code?: string }>(
    'POST',
    '/s2s/v1/webhooks',
    { url: game.url, events: ITEMS, ...body },
    key ? { key } : {},
  );
const patch = (id: string, body: object) =>
  shop.call<Webhook & { code?: string }>('PATCH', `/s2s/v1/webhooks/${id}`, body);
const read = async (id: string) => (await shop.call<Webhook>('GET', `/s2s/v1/webhooks/${id}`)).body;

async function payAnOrder(): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url);
  return order.order_id;
}

beforeAll(async () => {
  shop = await startProgram({ workers: false });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
});

afterEach(async () => {
  const { body } = await shop.call<{ data: Webhook[] }>('GET', '/s2s/v1/webhooks?limit=100');
  for (const { id } of body.data) await shop.call('DELETE', `/s2s/v1/webhooks/${id}`);
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

describe('a subscription', () => {
  it('has the S2S key as its secret, as the reference receiver has it', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      secret: shop.account.sandbox.s2sKey,
      secret_source: 's2s_key',
      method: 'POST',
      enabled: true,
      enabled_logs: true,
      player_context_enabled: false,
      sandbox: true,
      game_id: shop.account.gameId,
    });
    game.useSecret(shop.account.sandbox.s2sKey);
    expect(await shop.readOrder(await payAnOrder())).toMatchObject({ status: 'paid' });
  });

  it('takes a secret of its own at creation, and shows it once', async () => {
    const { body } = await create({ secret: 'a secret that we agreed upon' });
    expect(body).toMatchObject({ secret: 'a secret that we agreed upon', secret_source: 'dedicated' });
    expect((await read(body.id)).secret).toBe('…upon');
    game.useSecret('a secret that we agreed upon');
    expect(await shop.readOrder(await payAnOrder())).toMatchObject({ status: 'paid' });
    const rows = await shop.database.db.query<object>(sql('test_sealed')`
      select encode(secret_sealed, 'escape') as sealed from webhook_subscriptions where id = ${body.id}`);
    expect(JSON.stringify(rows)).not.toContain('agreed');
  });

  it('is the only one for items while it is enabled; others may observe', async () => {
    const first = await create();
    expect((await create()).body).toMatchObject({ code: 'item_endpoint_exists' });
    for (const events of [['item.*'], ['*'], ['item.remove']]) expect((await create({ events })).status).toBe(409);
    expect((await create({ events: ['order.*', 'payment.*'] })).status).toBe(201);
    const spare = await create({ enabled: false });
    expect(spare.status).toBe(201);
    expect((await patch(spare.body.id, { enabled: true })).body).toMatchObject({ code: 'item_endpoint_exists' });
    await patch(first.body.id, { enabled: false });
    expect((await patch(spare.body.id, { enabled: true })).status).toBe(200);
  });

  it.each([
    ['item.add', 'item.remove'],
    ['item.remove', 'item.add'],
  ])('that names %s alone gets %s as well, and the answer says so', async (named, added) => {
    game.useSecret(shop.account.sandbox.s2sKey);
    const warnings = [`/events: ${added} was added, because one endpoint gets both item.add and item.remove.`];
    const made = await create({ events: [named], typo: 1 });
    expect(made).toMatchObject({ status: 201, body: { events: [named, added], warnings: [...warnings, '/typo'] } });
    const orderId = await payAnOrder();
    await shop.call('POST', `/s2s/v1/orders/${orderId}/refund`, {});
    await shop.program.parts.background.settle();
    await shop.later(0);
    const asked = game.requests.filter(({ body }) => body?.event_data.order_id === orderId);
    expect(asked.map(({ body }) => body?.event_type)).toEqual(ITEMS);
    expect((await patch(made.body.id, { events: ['order.*', named] })).body).toMatchObject({
      events: ['order.*', named, added],
      warnings,
    });
    expect((await patch(made.body.id, { description: 'changed' })).body).not.toHaveProperty('warnings');
  });

  it('for items that twenty create at once is made once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(answers.map(answer => answer.status).toSorted((a, b) => a - b)).toEqual([201, ...Array(19).fill(409)]);
  });

  it('is the twentieth at most', async () => {
    const answers = await Promise.all(Array.from({ length: 22 }, () => create({ events: ['order.paid'] })));
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(20);
    expect(answers.find(answer => answer.status !== 201)?.body.code).toBe('too_many_webhooks');
  });

  it('registered after a payment that waited for it delivers that payment', async () => {
    game.useSecret(shop.account.sandbox.s2sKey);
    const orderId = await payAnOrder();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    await create({ enabled: false });
    await shop.later(60);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    await create();
    await shop.later(0);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });

  it('that begins to take items by a change delivers what waited', async () => {
    game.useSecret(shop.account.sandbox.s2sKey);
    const { body } = await create({ events: ['order.paid'] });
    const orderId = await payAnOrder();
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'authorized' });
    await patch(body.id, { events: ITEMS });
    await shop.later(0);
    expect(await shop.readOrder(orderId)).toMatchObject({ status: 'paid' });
  });

  it('of another environment is not there', async () => {
    const { body } = await create();
    const live = { key: shop.account.live.s2sKey };
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate_secret'],
      ['GET', '/deliveries'],
    ] as const) {
      const answer = await shop.call(
        method,
        `/s2s/v1/webhooks/${body.id}${path}`,
        method === 'POST' ? {} : undefined,
        live,
      );
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  it('of a payment and a registration at the same time: nothing is left behind', async () => {
    game.useSecret(shop.account.sandbox.s2sKey);
    for (let i = 0; i < 4; i++) {
      const order = await shop.createOrder();
      const [, made] = await Promise.all([shop.pay(order.checkout_url), create()]);
      await shop.later(0);
      expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid' });
      await shop.call('DELETE', `/s2s/v1/webhooks/${made.body.id}`);
    }
  });
});

describe('a test event', () => {
  it('goes to the endpoint whatever it subscribed to, signed like the others', async () => {
    game.useSecret(shop.account.sandbox.s2sKey);
    const { body } = await create({ events: ['order.paid'] });
    expect((await shop.call('POST', `/s2s/v1/webhooks/${body.id}/test`, {})).status).toBe(202);
    await shop.later(0);
    expect(game.requests.at(-1)).toMatchObject({ verified: true, body: { event_type: 'webhook.test' } });
  });
});

describe('a replay', () => {
  it('sends what ended in the span again under its old key and bytes, and no grant of an order that is not paid', async () => {
    game.useSecret(shop.account.sandbox.s2sKey);
    const { body } = await create();
    const since = shop.program.parts.clock.nowSeconds() - 1;
    const paid = await payAnOrder();
    const refunded = await payAnOrder();
    game.answer('decline');
    const rejected = await payAnOrder();
    await shop.call('POST', `/s2s/v1/orders/${refunded}/refund`, {});
    await shop.program.parts.background.settle();
    const before = game.requests.length;
    const answer = await shop.call('POST', `/s2s/v1/webhooks/${body.id}/replay`, { since });
    expect(answer.body).toEqual({ replayed: 2 });
    await shop.later(0);
    const again = game.requests.slice(before).map(request => request.body!);
    const sent = again.map(event => `${event.event_type} ${String(event.event_data.order_id)}`);
    expect(sent.toSorted()).toEqual([`item.add ${paid}`, `item.remove ${refunded}`]);
    const first = game.requests.find(request => request.body?.event_data.order_id === paid)!;
    expect(game.requests.findLast(request => request.body?.event_data.order_id === paid)!.rawBody).toBe(first.rawBody);
    expect(await shop.readOrder(rejected)).toMatchObject({ status: 'rejected' });
    const failed = await shop.call('POST', `/s2s/v1/webhooks/${body.id}/replay`, { since, only_failed: true });
    expect(failed.body).toEqual({ replayed: 0 });
  });
});
