import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  const made = await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  expect(made.status).toBe(201);
});

afterEach(() => game.answerAlways({ status: 200 }));

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

describe('a payment', () => {
  it('is authorized, asked for, granted, captured and done', async () => {
    const order = await shop.createOrder();
    const answer = await shop.pay(order.checkout_url);
    expect(answer.status).toBe(303);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid', amount: 100, currency: 'USD' });
    const payments = await shop.call('GET', `/s2s/v1/payments?order_id=${order.order_id}`);
    expect(payments.body.data).toMatchObject([{ status: 'succeeded', brand: 'visa', last4: '4242', country: 'GB' }]);
  });

  it('that is declined is kept as a record, and the order can be tried again', async () => {
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url, CARDS.decline);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'created' });
    await shop.pay(order.checkout_url);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ status: 'paid' });
    const payments = await shop.call('GET', `/s2s/v1/payments?order_id=${order.order_id}`);
    expect(payments.body.data).toMatchObject([
      { status: 'succeeded' },
      { status: 'declined', response_code: '16', response_description: 'Payment declined' },
    ]);
  });

  it('is released when the game refuses', async () => {
    game.answerAlways({ status: 409, body: JSON.stringify({ code: 'declined' }) });
    const order = await shop.createOrder();
    await shop.pay(order.checkout_url);
    expect(await shop.until(order.order_id, 'rejected')).toMatchObject({ status: 'rejected' });
    const payments = await shop.call('GET', `/s2s/v1/payments?order_id=${order.order_id}`);
    expect(payments.body.data).toMatchObject([{ status: 'voided', captured_at: null }]);
  });
});
