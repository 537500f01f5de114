/** The client against the whole program. */

import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Coinslot, createCoinslot } from './index.ts';

let program: TestProgram;
let game: Game;
let coinslot: Coinslot;

const ORDER = {
  player_id: 'player_1',
  items: [{ sku: 'crystals_100', name: '100 crystals' }],
  price_decimal: 4.99,
  currency: 'USD',
};

beforeAll(async () => {
  program = await startProgram();
  game = await startGame({ secret: program.account.sandbox.s2sKey });
  coinslot = createCoinslot({ key: program.account.sandbox.s2sKey, baseUrl: program.url });
  await coinslot.webhooks.create({ events: ['item.add', 'item.remove'], url: game.url });
});

afterAll(async () => {
  await program.close();
  await game.close();
});

/** The program was told port 0; the socket knows the real one. */
const pageOf = (checkoutUrl: string): string => program.url + new URL(checkoutUrl).pathname;

async function buy(card?: string): Promise<string> {
  const { order_id, checkout_url } = await coinslot.orders.create(ORDER);
  await program.pay(pageOf(checkout_url), card);
  return order_id;
}

it('an order goes from creation to paid and back by refund', async () => {
  const created = await coinslot.orders.create(ORDER, { idempotencyKey: 'purchase-1' });
  expect(created).toMatchObject({ status: 'created', amount: 499, currency: 'USD', sandbox: true });
  expect((await coinslot.orders.create(ORDER, { idempotencyKey: 'purchase-1' })).order_id).toBe(created.order_id);

  const waiting = coinslot.orders.waitFor(created.order_id, 'paid');
  await program.pay(pageOf(created.checkout_url));
  const paid = await waiting;
  expect(paid).toMatchObject({ status: 'paid', player_id: 'player_1' });
  expect(await coinslot.payments.get(paid.payment_id!)).toMatchObject({ status: 'succeeded', last4: '4242' });

  const refunded = await coinslot.orders.refund(created.order_id, { reason: 'Bought by mistake' });
  expect(['refund_requested', 'refunded']).toContain(refunded.status);
  expect(await coinslot.orders.waitFor(created.order_id, 'refunded')).toMatchObject({ status: 'refunded' });
  await game.waitFor(({ requests }) => requests.some(({ body }) => body?.event_type === 'item.remove'));
});

it('waiting ends when the order can no longer get there, and when the time is up', async () => {
  const { order_id } = await coinslot.orders.create(ORDER);
  await expect(coinslot.orders.waitFor(order_id, 'paid', { waitMs: 10 })).rejects.toMatchObject({ code: 'timeout' });
  const waiting = expect(coinslot.orders.waitFor(order_id, ['paid', 'refunded'])).rejects.toMatchObject({
    code: 'wait_ended',
    message: `${order_id} is canceled and can no longer be paid or refunded.`,
  });
  expect(await coinslot.orders.cancel(order_id)).toMatchObject({ status: 'canceled' });
  await waiting;
  await expect(coinslot.orders.refund(order_id)).rejects.toMatchObject({
    code: 'order_wrong_status',
    status: 409,
    requestId: expect.stringMatching(/^\S+$/),
  });
});

it('a list is read page by page, to the end or as far as wanted', async () => {
  const made: string[] = [];
  for (let i = 0; i < 5; i += 1) made.push((await coinslot.orders.create({ ...ORDER, player_id: 'lister' })).order_id);
  const filter = { player_id: 'lister', limit: 2 };
  const read: string[] = [];
  for await (const { order_id } of coinslot.orders.list(filter)) read.push(order_id);
  expect(read).toEqual(made.toReversed());
  expect((await coinslot.orders.list(filter).take(3)).map(({ order_id }) => order_id)).toEqual(read.slice(0, 3));
  const first = await coinslot.orders.list(filter).page();
  expect(first.data).toHaveLength(2);
  const second = await coinslot.orders.list({ ...filter, cursor: first.next_cursor! }).page();
  expect(second.data.map(({ order_id }) => order_id)).toEqual(read.slice(2, 4));
});

it('unsuccessful payments are listed too', async () => {
  const order_id = await buy(CARDS.decline);
  const [payment] = await coinslot.payments.list({ order_id }).take(5);
  expect(payment).toMatchObject({ status: 'declined', response_code: '16', response_description: 'Payment declined' });
});

it('the catalog takes any sku, and players are read by any id', async () => {
  const sku = 'swörd/of?dawn #1 %2F';
  const saved = await coinslot.items.put(sku, { name: 'Sword', price_decimal: 2.5, currency: 'EUR' });
  expect(saved).toMatchObject({ sku, price_decimal: 2.5 });
  expect(await coinslot.items.get(sku)).toMatchObject({ sku, name: 'Sword' });
  expect((await coinslot.items.list().take(100)).map(item => item.sku)).toContain(sku);
  await coinslot.items.delete(sku);
  await expect(coinslot.items.get(sku)).rejects.toMatchObject({ code: 'item_not_found', status: 404 });

  for (const dots of ['.', '..']) {
    expect(await coinslot.items.put(dots, { name: `Dots ${dots}` })).toMatchObject({ sku: dots });
    expect(await coinslot.items.get(dots)).toMatchObject({ sku: dots, name: `Dots ${dots}` });
    await coinslot.items.delete(dots);
    await expect(coinslot.items.get(dots)).rejects.toMatchObject({ code: 'item_not_found', status: 404 });
    await coinslot.orders.create({ ...ORDER, player_id: dots });
    expect(await coinslot.players.get(dots)).toMatchObject({ player_id: dots });
  }

  await coinslot.orders.create({ ...ORDER, player_id: 'Zoë/1', player: { name: 'Zoë' } });
  expect(await coinslot.players.get('Zoë/1')).toMatchObject({ player_id: 'Zoë/1', name: 'Zoë' });
});

it('a player is exported and erased by any id, and no other player with it', async () => {
  for (const player_id of ['.', '..', '_']) await coinslot.orders.create({ ...ORDER, player_id });
  for (const dots of ['.', '..']) {
    expect(await coinslot.players.export(dots)).toMatchObject({ player: { player_id: dots } });
    expect(await coinslot.players.erase(dots)).toMatchObject({ digest: expect.any(String) });
    await expect(coinslot.players.get(dots)).rejects.toMatchObject({ code: 'player_not_found' });
  }
  expect(await coinslot.players.get('_')).toMatchObject({ player_id: '_' });
});

it('chaos is turned on and off', async () => {
  expect(await coinslot.sandbox.setChaos({ enabled: true })).toEqual({ enabled: true });
  expect(await coinslot.sandbox.chaos()).toEqual({ enabled: true });
  expect(await coinslot.sandbox.setChaos({ enabled: false })).toEqual({ enabled: false });
  const wrong = { enabled: 'off' } as unknown as { enabled: boolean };
  await expect(coinslot.sandbox.setChaos(wrong)).rejects.toMatchObject({ code: 'invalid_argument' });
});

it('webhooks are managed, tested, replayed, and their deliveries read and sent again', async () => {
  const observer = await startGame();
  const { webhooks, deliveries } = coinslot;
  const made = await webhooks.create({
    events: ['order.*'],
    url: observer.url,
    description: 'observer',
    secret: 'eight characters',
  });
  expect(made).toMatchObject({ secret: 'eight characters', secret_source: 'dedicated' });
  expect(await webhooks.get(made.id)).toMatchObject({ description: 'observer' });
  expect(await webhooks.update(made.id, { description: 'changed' })).toMatchObject({ description: 'changed' });
  expect((await webhooks.list().take(10)).map(({ id }) => id)).toContain(made.id);
  const rotated = await webhooks.rotateSecret(made.id);
  expect(rotated.secret).not.toBe(made.secret);
  expect(rotated.previous_secret_until).toBeGreaterThan(0);

  const sent = await webhooks.test(made.id);
  await observer.waitFor(({ requests }) => requests.length === 1);
  await expect.poll(async () => (await deliveries.get(sent.id)).status).toBe('succeeded');
  await deliveries.retry(sent.id);
  await observer.waitFor(({ requests }) => requests.length === 2);
  // The receiver gets the event a moment before the answer is recorded.
  const succeeded = () => deliveries.list(made.id, { status: 'succeeded' }).take(5);
  await expect.poll(async () => (await succeeded()).map(({ id }) => id)).toEqual([sent.id]);
  const all = await deliveries.listAll({ webhook_id: made.id }).take(5);
  expect(all.map(({ id }) => id)).toEqual([sent.id]);
  expect(await webhooks.replay(made.id, { since: sent.created_at - 60 })).toHaveProperty('replayed');
  await webhooks.delete(made.id);
  await expect(webhooks.get(made.id)).rejects.toMatchObject({ code: 'webhook_not_found' });
  await observer.close();
});

it('in sandbox an order is paid without a browser, events are made up and listed', async () => {
  const { order_id } = await coinslot.orders.create(ORDER);
  const paid = await coinslot.sandbox.pay(order_id);
  expect(paid.payment).toMatchObject({ last4: '4242' });
  await coinslot.orders.waitFor(order_id, 'paid');
  const declined = await coinslot.orders.create(ORDER);
  expect(await coinslot.sandbox.pay(declined.order_id, { card: 'decline' })).toMatchObject({
    order: { status: 'created' },
    payment: { status: 'declined', response_code: '16' },
  });
  const kinds = (await coinslot.sandbox.events({ order_id }).take(20)).map(({ event_type }) => event_type);
  expect(kinds).toContain('item.add');
  const made = await coinslot.sandbox.trigger({ event_type: 'item.add', overrides: { player_id: 'made_up' } });
  await game.waitFor(({ requests }) => requests.some(({ body }) => body?.idempotency_key === made.idempotency_key));
});

it('a wrong key is a clear error', async () => {
  const stranger = createCoinslot({ key: 'not-a-key', baseUrl: program.url });
  await expect(stranger.orders.get('ord_1')).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
});
