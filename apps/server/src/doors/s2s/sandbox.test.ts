import {
  EVENT_KINDS,
  type EventRecord,
  type SandboxPayment,
  type TriggeredEvent,
  webhookBody,
} from '@coinslot/contract';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyCheck } from '../../http/validate.ts';

let shop: TestProgram;
let game: Game;
let webhookId: string;

beforeAll(async () => {
  shop = await startProgram();
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  game.answerAlways({ status: 200, body: '{"status":"ok"}' });
  const webhook = await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['*'] });
  webhookId = String(webhook.body.id);
});
afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const pay = (id: string, body: object, key?: string) =>
  shop.call<SandboxPayment>('POST', `/s2s/v1/orders/${id}/pay`, body, key === undefined ? {} : { key });

const trigger = (body: object) => shop.call<TriggeredEvent>('POST', '/s2s/v1/events/trigger', body);

describe('paying with a test card', () => {
  const payUnder = (id: string, key: string, body: object) =>
    shop.call<SandboxPayment>('POST', `/s2s/v1/orders/${id}/pay`, body, { headers: { 'idempotency-key': key } });
  const paymentsOf = async (id: string) =>
    (await shop.call<{ data: unknown[] }>('GET', `/s2s/v1/payments?order_id=${id}`)).body.data.length;

  it.each([['success'], ['decline']])('pays once under an Idempotency-Key: %s', async card => {
    const { order_id } = await shop.createOrder();
    const calls = await Promise.all([payUnder(order_id, 'one', { card }), payUnder(order_id, 'one', { card })]);
    const again = await payUnder(order_id, 'one', { card });
    expect([...calls, again].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(calls.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(1);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toMatchObject({ order: { status: card === 'success' ? 'paid' : 'created' } });
    expect(await paymentsOf(order_id)).toBe(1);
    expect(await payUnder(order_id, 'one', { card: '3ds' })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_key_reused' },
    });
  });

  it('takes a key for another order, or again after a refusal, for a call of its own', async () => {
    const first = await shop.createOrder();
    const second = await shop.createOrder();
    expect(await payUnder(first.order_id, 'same', { challenge: 'complete' })).toMatchObject({ status: 409 });
    expect(await payUnder(first.order_id, 'same', { card: 'success' })).toMatchObject({ status: 200 });
    const other = await payUnder(second.order_id, 'same', { card: 'success' });
    expect([other.status, other.headers.get('idempotency-replayed'), other.body.order.status]).toEqual([
      200,
      null,
      'paid',
    ]);
  });

  it('answers a bank once under an Idempotency-Key', async () => {
    const { order_id } = await shop.createOrder();
    await pay(order_id, { card: '3ds' });
    const first = await payUnder(order_id, 'bank', { challenge: 'complete' });
    const again = await payUnder(order_id, 'bank', { challenge: 'complete' });
    expect([first.body.order.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      'paid',
      200,
      'true',
    ]);
    expect(await paymentsOf(order_id)).toBe(1);
  });

  it('goes the way of the page: granted, captured, told', async () => {
    const { order_id } = await shop.createOrder();
    const answer = await pay(order_id, { card: 'success' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        order: { order_id, status: 'paid' },
        payment: { status: 'succeeded', brand: 'visa', last4: '4242', country: 'GB' },
        challenge: null,
      },
    });
    await game.waitFor(({ requests }) =>
      requests.some(({ body }) => body?.event_type === 'order.paid' && body.event_data.order_id === order_id),
    );
  });

  it.each([
    ['decline', '16'],
    ['insufficient_funds', '2051'],
    ['lost', '3041'],
    ['stolen', '3043'],
    ['expired', '2054'],
  ])('%s is declined with code %s, and the order can be paid after it', async (card, code) => {
    const { order_id } = await shop.createOrder();
    expect((await pay(order_id, { card })).body).toMatchObject({
      order: { status: 'created' },
      payment: { status: 'declined', response_code: code },
    });
    expect((await pay(order_id, { card: 'success' })).body.order.status).toBe('paid');
  });

  it('3ds waits for the challenge, which completes or fails', async () => {
    for (const [challenge, status, payment] of [
      ['complete', 'paid', 'succeeded'],
      ['fail', 'created', 'declined'],
    ] as const) {
      const order = await shop.createOrder();
      const asked = await pay(order.order_id, { card: '3ds' });
      expect(asked.body).toMatchObject({
        order: { status: 'pending' },
        payment: { status: 'requires_action' },
        challenge: { state: 'waiting', url: expect.stringContaining('/c/') },
      });
      expect((await pay(order.order_id, { challenge })).body).toMatchObject({
        order: { status },
        payment: { status: payment },
        challenge: null,
      });
    }
  });

  it('a free order is claimed', async () => {
    const { order_id } = await shop.createOrder({ price_decimal: 0, currency: 'USD' });
    expect((await pay(order_id, { card: 'success' })).body).toMatchObject({
      order: { status: 'paid' },
      payment: { method: 'free' },
    });
  });

  it('what cannot be paid says what it is', async () => {
    const { order_id } = await shop.createOrder();
    await pay(order_id, { card: 'success' });
    expect(await pay(order_id, { card: 'success' })).toMatchObject({
      status: 409,
      body: { code: 'order_wrong_status', detail: expect.stringContaining('is paid') },
    });
    expect(await pay(order_id, { challenge: 'complete' })).toMatchObject({ status: 409 });
    expect(await pay('ord_0', { card: 'success' })).toMatchObject({ status: 404 });
  });

  it.each([[{}], [{ card: 'success', challenge: 'fail' }], [{ card: '4242424242424242' }], [{ card: 1 }]])(
    'refuses %j before anything happens',
    async body => {
      const { order_id } = await shop.createOrder();
      expect((await pay(order_id, body)).status).toBe(422);
      expect((await shop.readOrder(order_id)).status).toBe('created');
    },
  );

  it('is for sandbox alone', async () => {
    const { order_id } = await shop.createOrder();
    const answer = await pay(order_id, { card: 'success' }, shop.account.live.s2sKey);
    expect(answer).toMatchObject({ status: 403, body: { code: 'sandbox_only' } });
  });
});

describe('a triggered event', () => {
  it.each(EVENT_KINDS.map(kind => [kind]))('%s has its real shape and reaches who takes it', async kind => {
    const answer = await trigger({ event_type: kind });
    expect(answer).toMatchObject({ status: 202, body: { deliveries: [{ webhook_id: webhookId, listener: false }] } });
    const key = answer.body.idempotency_key;
    await game.waitFor(({ requests }) => requests.some(({ body }) => body?.idempotency_key === key));
    const sent = game.requests.find(({ body }) => body?.idempotency_key === key)!;
    expect(sent.verified).toBe(true);
    expect(bodyCheck(webhookBody(kind))({ value: sent.body as never, inexact: false })).toMatchObject({
      issues: [],
      warnings: [],
    });
  });

  it('is a test in the log and in the list, and touches no order', async () => {
    const { body } = await trigger({ event_type: 'item.add' });
    const path = `/s2s/v1/deliveries/${body.deliveries[0]!.delivery_id}`;
    await expect.poll(async () => (await shop.call('GET', path)).body.status).toBe('succeeded');
    expect((await shop.call('GET', path)).body).toMatchObject({ test: true, order_id: null, event_type: 'item.add' });
    expect(body.idempotency_key).toMatch(/^test_/);
    const events = await shop.call<{ data: EventRecord[] }>('GET', '/s2s/v1/events?limit=1');
    expect(events.body.data[0]).toMatchObject({ event_id: body.event_id, test: true, order_id: null });
  });

  it('takes overrides, merges them, and names what the kind does not have', async () => {
    const overrides = { player_id: 'ann', metadata: { level: '7' }, items: [], player_ids: 1 };
    const { body } = await trigger({ event_type: 'item.remove', overrides });
    expect(body.event_data).toMatchObject({
      player_id: 'ann',
      metadata: { level: '7' },
      items: [],
      reason_code: 'refund',
    });
    expect(body.warnings).toEqual(['/overrides/player_ids']);
  });

  it('refuses what would not have the shape of the kind', async () => {
    expect(await trigger({ event_type: 'order.paid', overrides: { amount: 'much', status: 'gone' } })).toMatchObject({
      status: 422,
      body: { errors: expect.arrayContaining([expect.objectContaining({ pointer: '/overrides/amount' })]) },
    });
    expect((await trigger({ event_type: 'order.bought' })).status).toBe(422);
    expect((await trigger({ event_type: 'item.add', overrides: [] })).status).toBe(422);
  });

  it('goes nowhere when no webhook takes it, and says so', async () => {
    await shop.call('PATCH', `/s2s/v1/webhooks/${webhookId}`, { events: ['item.add', 'item.remove'] });
    expect((await trigger({ event_type: 'order.paid' })).body.deliveries).toEqual([]);
    await shop.call('PATCH', `/s2s/v1/webhooks/${webhookId}`, { events: ['*'] });
  });

  it('is for sandbox alone', async () => {
    const options = { key: shop.account.live.s2sKey };
    const answer = await shop.call('POST', '/s2s/v1/events/trigger', { event_type: 'item.add' }, options);
    expect(answer).toMatchObject({ status: 403, body: { code: 'sandbox_only' } });
  });
});

describe('the list of events', () => {
  it('is there in live too, and shows nothing of sandbox', async () => {
    const options = { key: shop.account.live.s2sKey };
    const order = { player_id: 'ann', items: [{ sku: 'gem' }], price_decimal: 1, currency: 'USD' };
    const made = await shop.call<{ order_id: string }>('POST', '/s2s/v1/orders', order, options);
    await shop.call('POST', `/s2s/v1/orders/${made.body.order_id}/cancel`, undefined, options);
    const { status, body } = await shop.call<{ data: EventRecord[] }>('GET', '/s2s/v1/events', undefined, options);
    expect(status).toBe(200);
    expect(body.data.map(({ event_type, order_id, sandbox }) => [event_type, order_id, sandbox])).toEqual([
      ['order.canceled', made.body.order_id, false],
    ]);
  });

  const list = async (query: string) =>
    (await shop.call<{ data: EventRecord[]; next_cursor: string | null }>('GET', `/s2s/v1/events?${query}`)).body;

  it('has the whole purchase of an order, newest first, page by page', async () => {
    const { order_id } = await shop.createOrder();
    await pay(order_id, { card: 'success' });
    const purchase = await list(`order_id=${order_id}`);
    expect(purchase.data.map(event => event.event_type).toSorted()).toEqual(
      [
        'item.add',
        'order.created',
        'order.paid',
        'payment.authorized',
        'payment.pending',
        'payment.succeeded',
      ].toSorted(),
    );
    expect(purchase.data.find(event => event.event_type === 'order.created')!.event_data).toMatchObject({
      order_id,
      status: 'created',
    });
    const first = await list(`order_id=${order_id}&limit=4`);
    const second = await list(`order_id=${order_id}&limit=4&cursor=${first.next_cursor}`);
    expect([...first.data, ...second.data]).toEqual(purchase.data);
    expect(second.next_cursor).toBeNull();
  });

  it('filters by kind and time', async () => {
    const { order_id } = await shop.createOrder();
    await pay(order_id, { card: 'decline' });
    const declined = await list(`event_type=payment.declined&order_id=${order_id}`);
    expect(declined.data).toHaveLength(1);
    const at = declined.data[0]!.event_time;
    expect((await list(`order_id=${order_id}&created_to=${at - 3_600}`)).data).toEqual([]);
    expect((await list(`order_id=${order_id}&created_from=${at - 3_600}`)).data.length).toBeGreaterThan(1);
  });
});

// Last, because it moves the clock.
describe('a card that is disputed', () => {
  it.each([
    ['dispute', 'charged_back'],
    ['dispute_won', 'paid'],
  ])('%s ends as %s when the bank has decided', async (card, status) => {
    const { order_id } = await shop.createOrder();
    await pay(order_id, { card });
    await shop.until(order_id, 'paid', 'disputed');
    for (let day = 0; day < 30; day++) {
      await shop.later(86_400);
      const payment = await shop.call<{ data: { dispute_reason: string | null }[] }>(
        'GET',
        `/s2s/v1/payments?order_id=${order_id}`,
      );
      if ((await shop.readOrder(order_id)).status === status && payment.body.data[0]!.dispute_reason) return;
    }
    throw new Error(`it is ${(await shop.readOrder(order_id)).status}`);
  });
});
