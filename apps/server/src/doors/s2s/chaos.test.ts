import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { chaoticSimulator } from '../../domain/payment/providers/simulator/simulator.ts';

/** Always the rarest: every request to the provider is lost, and nothing else strikes. */
let dice: () => number = () => 0.99;
let isChaotic = false;
let shop: TestProgram;
let game: Game;

beforeAll(async () => {
  shop = await startProgram({
    replace: parts => ({
      ...parts,
      random: () => dice(),
      isChaotic: async () => isChaotic,
      simulator: chaoticSimulator(
        parts.simulator,
        async () => isChaotic,
        () => dice(),
      ),
    }),
  });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});
afterAll(async () => {
  await game?.close();
  await shop?.close();
});

describe('the chaos switch', () => {
  const chaos = (method: 'GET' | 'PUT', body?: object, key?: string) =>
    shop.call<{ enabled: boolean }>(method, '/s2s/v1/sandbox/chaos', body, key ? { key } : {});

  it('is off until it is turned on, and says how it stands', async () => {
    expect(await chaos('GET')).toMatchObject({ status: 200, body: { enabled: false } });
    expect(await chaos('PUT', { enabled: true })).toMatchObject({ status: 200, body: { enabled: true } });
    expect(await chaos('GET')).toMatchObject({ body: { enabled: true } });
    expect(await chaos('PUT', { enabled: false })).toMatchObject({ body: { enabled: false } });
  });

  it('does not exist in live, at the door or in the database', async () => {
    const live = shop.account.live;
    for (const refused of [
      await chaos('PUT', { enabled: true }, live.s2sKey),
      await chaos('GET', undefined, live.s2sKey),
    ])
      expect(refused).toMatchObject({ status: 403, body: { code: 'sandbox_only' } });
    await expect(
      shop.database.db.query(sql('test_chaos')`update environments set chaos = true where id = ${live.environmentId}`),
    ).rejects.toThrow(/violates check constraint/);
  });
});

describe('in chaos', () => {
  it('an order is paid once and granted by one key, although an answer of the game is lost', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    // One throw for each: delay, copy, request, answer; the first delivery loses its answer.
    const thrown = [0.99, 0.99, 0.99, 0];
    isChaotic = true;
    dice = () => thrown.shift() ?? 0.99;
    // The provider throws before the delivery does.
    thrown.unshift(0.99, 0.99);
    await shop.pay(checkout_url);
    isChaotic = false;
    await shop.later(3);
    await shop.until(order_id, 'paid');
    const keys = game.requests
      .filter(({ body }) => body?.event_data.order_id === order_id)
      .map(({ body }) => body?.idempotency_key);
    expect(keys.length).toBe(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('paying by the API answers with what is known, although the provider is silent about the capture', async () => {
    const { order_id } = await shop.createOrder();
    // The provider authorizes, the game is asked as usual, and what follows to the provider is lost.
    const isAsked = (): boolean => game.requests.some(({ body }) => body?.event_data.order_id === order_id);
    isChaotic = true;
    dice = () => (isAsked() ? 0 : 0.99);
    const answer = await shop.call('POST', `/s2s/v1/orders/${order_id}/pay`, { card: 'success' });
    isChaotic = false;
    dice = () => 0.99;
    expect(answer).toMatchObject({ status: 200, body: { order: { order_id, status: 'authorized' } } });
    await shop.later(60);
    await shop.until(order_id, 'paid');
  });

  it('a payment whose request is lost is looked up, and the order can be paid again', async () => {
    const { order_id, checkout_url } = await shop.createOrder();
    isChaotic = true;
    dice = () => 0;
    await shop.pay(checkout_url);
    expect((await shop.readOrder(order_id)).status).toBe('pending');
    isChaotic = false;
    dice = () => 0.99;
    await shop.later(60);
    await shop.until(order_id, 'created');
    await shop.pay(checkout_url);
    await shop.until(order_id, 'paid');
  });
});
