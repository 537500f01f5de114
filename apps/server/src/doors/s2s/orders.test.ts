import type { Order } from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { CARDS, startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;
let game: Game;
let live: { key: string };

beforeAll(async () => {
  shop = await startProgram();
  live = { key: shop.account.live.s2sKey };
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const ORDER = { player_id: 'player_1', items: [{ sku: 'crystals_100' }] };
const NOTHING = 'ord_00000000000000000000000000';

async function paidOrder(card?: string): Promise<string> {
  const order = await shop.createOrder();
  await shop.pay(order.checkout_url, card);
  await shop.until(order.order_id, 'paid');
  return order.order_id;
}

describe('POST /s2s/v1/orders', () => {
  it('answers 201 with the order and where to pay', async () => {
    const answer = await shop.call('POST', '/s2s/v1/orders', { ...ORDER, price_decimal: 4.99, currency: 'EUR' });
    expect(answer).toMatchObject({
      status: 201,
      body: { status: 'created', amount: 499, currency: 'EUR', price_decimal: 4.99, sandbox: true },
    });
    expect(answer.body.expires_at).toBe(Number(answer.body.created_at) + 24 * 3600);
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
    expect(answer.body).not.toHaveProperty('warnings');
  });

  it('keeps every field', async () => {
    const soon = Math.floor(Date.now() / 1000) + 600;
    const given = {
      player_id: 'everything',
      email: 'player@example.com',
      country: 'GB',
      locale: 'pt-BR',
      metadata: { a: '1' },
      back_to_store_url: 'https://shop.example.com/{order_id}',
      ui: { theme: 'dark' as const },
      expires_at: soon,
    };
    const items = [
      { sku: 'full', name: 'Full', description: 'All\nof it', image_url: 'https://example.com/a.png', quantity: 2 },
    ];
    const price = { price_decimal: 10, currency: 'USD', sale: { price_decimal: 7.5, ends_at: soon } };
    const player = { name: 'Mika', avatar_url: 'https://example.com/m.png', attributes: { level: 7, vip: true } };
    const body = { ...given, player, items: [{ ...items[0], ...price }] };
    const { order_id } = await shop.createOrder(body);
    expect(await shop.readOrder(order_id)).toMatchObject({
      ...given,
      amount: 1500,
      back_to_store_url: `https://shop.example.com/${order_id}`,
      items: [{ ...items[0], price_decimal: 7.5, full_price_decimal: 10, currency: 'USD' }],
    });
    expect((await shop.call('GET', '/s2s/v1/players/everything')).body).toMatchObject({
      ...player,
      email: 'player@example.com',
    });
  });

  it('says what the price of the order takes off the sum of its items, at creation and later', async () => {
    const item = { price_decimal: 5, currency: 'USD' };
    const items = [
      { sku: 'one', ...item },
      { sku: 'two', ...item },
    ];
    const cheaper = await shop.createOrder({ items, price_decimal: 7, currency: 'USD' });
    expect(cheaper).toMatchObject({ amount: 700, discount_decimal: 3 });
    expect(await shop.readOrder(cheaper.order_id)).toMatchObject({ price_decimal: 7, discount_decimal: 3 });
    expect(await shop.createOrder({ items })).toMatchObject({ amount: 1000, discount_decimal: null });
    expect(await shop.createOrder({ items, price_decimal: 12, currency: 'USD' })).toMatchObject({
      discount_decimal: null,
    });
    const unpriced = [...items, { sku: 'never-priced' }];
    expect(await shop.createOrder({ items: unpriced, price_decimal: 7, currency: 'USD' })).toMatchObject({
      discount_decimal: null,
    });
  });

  it('takes the price of the order, else of its items, else of the catalog, else the default of the sandbox', async () => {
    await shop.call('PUT', '/s2s/v1/items/priced', { price_decimal: 3, currency: 'USD' });
    const both = { sku: 'priced', price_decimal: 2, currency: 'USD' };
    expect(await shop.createOrder({ items: [both], price_decimal: 1, currency: 'USD' })).toMatchObject({ amount: 100 });
    expect(await shop.createOrder({ items: [both] })).toMatchObject({ amount: 200 });
    expect(await shop.createOrder({ items: [{ sku: 'priced' }] })).toMatchObject({ amount: 300 });
    expect(await shop.createOrder({ items: [{ sku: 'unpriced' }] })).toMatchObject({ amount: 100, currency: 'USD' });
  });

  it('says price_unknown in live, where nothing is guessed', async () => {
    const answer = await shop.call('POST', '/s2s/v1/orders', ORDER, live);
    expect(answer).toMatchObject({ status: 422, body: { code: 'price_unknown' } });
    expect(String(answer.body.detail)).toContain('PUT /s2s/v1/items/{sku}');
    await shop.call('PUT', '/s2s/v1/items/crystals_100', { price_decimal: 9, currency: 'USD' }, live);
    expect(await shop.call('POST', '/s2s/v1/orders', ORDER, live)).toMatchObject({
      status: 201,
      body: { amount: 900, sandbox: false },
    });
  });

  it('refuses a time that is over, and never lets an order live longer than 24 hours', async () => {
    const past = await shop.call('POST', '/s2s/v1/orders', { ...ORDER, expires_at: 1 });
    expect(past).toMatchObject({ status: 422, body: { errors: [{ pointer: '/expires_at', code: 'time_past' }] } });
    const late = Math.floor(Date.now() / 1000) + 48 * 3600;
    const answer = await shop.call('POST', '/s2s/v1/orders', { ...ORDER, expires_at: late });
    expect(answer).toMatchObject({ status: 201, body: { expires_at: Number(answer.body.created_at) + 24 * 3600 } });
  });

  it('repeats its answer under an Idempotency-Key, and refuses the key for another body', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await shop.call('POST', '/s2s/v1/orders', { ...ORDER, typo: 1 }, { headers });
    const again = await shop.call('POST', '/s2s/v1/orders', { ...ORDER, typo: 1 }, { headers });
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(first.body.warnings).toEqual(['/typo']);
    const other = await shop.call('POST', '/s2s/v1/orders', ORDER, { headers });
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    const elsewhere = { ...ORDER, price_decimal: 1, currency: 'USD' };
    expect((await shop.call('POST', '/s2s/v1/orders', elsewhere, { ...live, headers })).status).toBe(201);
  });

  it('repeats the first answer although the order has moved on', async () => {
    const headers = { 'idempotency-key': 'moved' };
    const first = await shop.call<Order>('POST', '/s2s/v1/orders', ORDER, { headers });
    await shop.call('POST', `/s2s/v1/orders/${first.body.order_id}/cancel`);
    expect((await shop.call('POST', '/s2s/v1/orders', ORDER, { headers })).body).toEqual(first.body);
  });
});

describe('GET /s2s/v1/orders/{order_id}', () => {
  it('says order_not_found', async () => {
    const answer = await shop.call('GET', `/s2s/v1/orders/${NOTHING}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
  });

  it('answers at once without wait, and when the status changes with it', async () => {
    const { order_id } = await shop.createOrder();
    const waiting = shop.call('GET', `/s2s/v1/orders/${order_id}?wait=25`);
    const first = await Promise.race([waiting, shop.call('POST', `/s2s/v1/orders/${order_id}/cancel`)]);
    expect(first.body).toMatchObject({ status: 'canceled' });
    expect((await waiting).body).toMatchObject({ order_id, status: 'canceled' });
  });

  // Less time than they would wait.
  it('does not wait for an order that nothing can change any more', { timeout: 15_000 }, async () => {
    const { order_id } = await shop.createOrder();
    await shop.call('POST', `/s2s/v1/orders/${order_id}/cancel`);
    const answer = await shop.call('GET', `/s2s/v1/orders/${order_id}?wait=25`);
    expect(answer.body).toMatchObject({ status: 'canceled' });
  });

  it.each([-1, 26, 'x', 1.5])('refuses to wait for %s', async wait => {
    const answer = await shop.call('GET', `/s2s/v1/orders/${NOTHING}?wait=${wait}`);
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/wait' }] } });
  });
});

describe('POST /s2s/v1/orders/{order_id}/cancel', () => {
  it('cancels, and a second time changes nothing', async () => {
    const { order_id } = await shop.createOrder();
    const first = await shop.call('POST', `/s2s/v1/orders/${order_id}/cancel`);
    expect(first).toMatchObject({ status: 200, body: { status: 'canceled' } });
    expect((await shop.call('POST', `/s2s/v1/orders/${order_id}/cancel`)).body).toEqual(first.body);
  });

  it('says order_wrong_status when it was paid, and order_not_found', async () => {
    const id = await paidOrder();
    const answer = await shop.call('POST', `/s2s/v1/orders/${id}/cancel`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'order_wrong_status' } });
    const nothing = await shop.call('POST', `/s2s/v1/orders/${NOTHING}/cancel`);
    expect(nothing).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
  });
});

describe('POST /s2s/v1/orders/{order_id}/refund', () => {
  it('refunds the whole with its reason, and a second time changes nothing', async () => {
    const id = await paidOrder();
    const asked = await shop.call('POST', `/s2s/v1/orders/${id}/refund`, { reason: 'a mistake' });
    expect(asked.status).toBe(200);
    expect(['refund_requested', 'refunded']).toContain(asked.body.status);
    await shop.until(id, 'refunded');
    const again = await shop.call('POST', `/s2s/v1/orders/${id}/refund`, { reason: 'another' });
    expect(again).toMatchObject({ status: 200, body: { status: 'refunded' } });
    const { body } = await shop.call<{ data: unknown[] }>('GET', `/s2s/v1/payments?order_id=${id}`);
    expect(body.data).toMatchObject([{ status: 'refunded', refund_reason: 'a mistake', amount: 100 }]);
    const isRemoval = ({ body: sent }: Game['requests'][number]) =>
      sent?.event_type === 'item.remove' && sent.event_data.order_id === id;
    await game.waitFor(({ requests }) => requests.some(isRemoval));
    expect(game.requests.filter(isRemoval).map(({ body: sent }) => sent?.event_data)).toMatchObject([
      { reason: 'a mistake', reason_code: 'refund' },
    ]);
  });

  it('says order_wrong_status when it was not paid, and order_not_found', async () => {
    const { order_id } = await shop.createOrder();
    await shop.pay((await shop.createOrder()).checkout_url, CARDS.decline);
    const answer = await shop.call('POST', `/s2s/v1/orders/${order_id}/refund`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'order_wrong_status' } });
    const nothing = await shop.call('POST', `/s2s/v1/orders/${NOTHING}/refund`, {});
    expect(nothing).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
  });
});

describe('GET /s2s/v1/payments/{payment_id}', () => {
  it('reads a payment, or says payment_not_found', async () => {
    const id = await paidOrder();
    const { payment_id } = await shop.readOrder(id);
    const answer = await shop.call('GET', `/s2s/v1/payments/${payment_id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: { payment_id, order_id: id, status: 'succeeded', last4: '4242' },
    });
    const nothing = await shop.call('GET', '/s2s/v1/payments/pay_00000000000000000000000000');
    expect(nothing).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  });
});
