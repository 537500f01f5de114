import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { A_PURCHASE, CARDS, patience } from '../game-studio.ts';
import { account, coinslot, deliveriesOf, receiver, studio, subscribe, subscription } from './stage.ts';

export function statesToVersioning(): void {
  describe('States and transitions', () => {
    test('the player is redirected to the deep link only after the game backend has answered with a 2xx status', async () => {
      receiver.troubles = [500];
      const order = await studio.createOrder({ back_to_game_url: 'castle://shop?order={order_id}' });
      await studio.pay(order.checkout_url);
      expect(await studio.readOrder(order.order_id)).toMatchObject({ status: 'authorized' });
      expect(await studio.transactionsOf(order.order_id)).toMatchObject([{ status: 'authorized', captured_at: null }]);
      expect(await studio.page(order.checkout_url)).not.toContain('castle://');
      await studio.becomes(order.order_id, 'paid');
      expect(await studio.page(order.checkout_url)).toContain(`url=castle://shop?order=${order.order_id}`);
    });
  });

  describe('Endpoints', () => {
    test('all calls use JSON bodies and the header Content-Type: application/json', async () => {
      const answer = await fetch(`${coinslot.url}/s2s/v1/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.sandbox.s2s_key}`, 'content-type': 'text/plain' },
        body: JSON.stringify(A_PURCHASE),
      });
      expect(answer.status).toBe(415);
    });

    test('Create Order: a request repeated with its Idempotency-Key gets the same answer', async () => {
      const send = (body: object) =>
        fetch(`${coinslot.url}/s2s/v1/orders`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${account.sandbox.s2s_key}`,
            'content-type': 'application/json',
            'idempotency-key': 'purchase-1',
          },
          body: JSON.stringify(body),
        });
      const first = await send(A_PURCHASE);
      const again = await send(A_PURCHASE);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await again.json()).toEqual(await first.json());
      expect((await send({ ...A_PURCHASE, player_id: 'other' })).status).toBe(409);
    });

    test('receiver rule 1: the endpoint must use HTTPS', async () => {
      const production = await coinslot.startAnother({
        NODE_ENV: 'production',
        PUBLIC_URL: 'https://pay.example.com',
        WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1',
      });
      const register = (url: string) =>
        fetch(`${production.url}/s2s/v1/webhooks`, {
          method: 'POST',
          headers: { authorization: `Bearer ${account.sandbox.s2s_key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...subscription(), url }),
        });
      await studio.unsubscribeAll();
      const plain = await register(receiver.url.replace('https:', 'http:'));
      expect([plain.status, await plain.json()]).toMatchObject([422, { errors: [{ pointer: '/url' }] }]);
      expect((await register(receiver.url)).status).toBe(201);
      await production.stop();
    });

    test('receiver rule 3: a duplicate delivery is not processed twice', async () => {
      const id = await studio.buy();
      const [subscribed] = (await studio.call('GET', '/s2s/v1/webhooks')).body.data;
      const [delivery] = (await studio.call('GET', `/s2s/v1/webhooks/${subscribed.id}/deliveries`)).body.data;
      expect((await studio.call('POST', `/s2s/v1/deliveries/${delivery.id}/retry`)).status).toBe(202);
      await expect.poll(() => deliveriesOf(id).length, patience).toBe(2);
      expect(receiver.received[1]?.rawBody).toBe(receiver.received[0]?.rawBody);
      expect(receiver.inventory.get('player-1')).toEqual(['sword']);
      expect(await studio.readOrder(id)).toMatchObject({ status: 'paid' });
    });
  });

  describe('Authentication', () => {
    test.each([
      ['no header', {}],
      ['another scheme', { authorization: 'Basic c2stdGVzdDo=' }],
      ['a key that does not exist', { authorization: `Bearer sk_sandbox_${'0'.repeat(40)}` }],
    ])('calls to the service carry the header Authorization: Bearer <S2S_KEY>: %s is refused', async (_, headers) => {
      const answer = await fetch(`${coinslot.url}/s2s/v1/orders`, { headers: headers as Record<string, string> });
      expect([answer.status, await answer.json()]).toMatchObject([401, { code: 'unauthorized' }]);
    });

    test('sandbox and live have different S2S keys; a key belongs to one mode', async () => {
      expect(account.sandbox.s2s_key).not.toBe(account.live.s2s_key);
      const order = await studio.createOrder();
      expect(order).toMatchObject({ sandbox: true });
      const body = { ...A_PURCHASE, price_decimal: 1, currency: 'USD' };
      const asLive = { authorization: `Bearer ${account.live.s2s_key}` };
      const live = await studio.call('POST', '/s2s/v1/orders', body, asLive);
      expect(live).toMatchObject({ status: 201, body: { sandbox: false } });
      expect((await studio.call('GET', `/s2s/v1/orders/${order.order_id}`, undefined, asLive)).status).toBe(404);
      expect((await studio.call('GET', `/s2s/v1/orders/${live.body.order_id}`)).status).toBe(404);
    });

    test('HMAC with SHA-256 over <timestamp>.<raw body> using the S2S key, in lower-case hexadecimal', async () => {
      await studio.buy({ player_id: 'Zoë "🗡"', items: [{ sku: 'épée\u2028', name: 'Épée <b>&' }] });
      const [{ headers, rawBody, answer } = expect.fail('nothing arrived')] = receiver.received;
      const timestamp = String(headers['x-service-signature-timestamp']);
      const digest = createHmac('sha256', account.sandbox.s2s_key).update(`${timestamp}.${rawBody}`).digest('hex');
      expect(headers['x-service-signature']).toBe(digest);
      expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
      expect(answer).toBe(200);
    });
  });

  describe('Events', () => {
    test('item.add: the service asks permission to grant them; without it nothing is captured', async () => {
      receiver.troubles = [403];
      const order = await studio.createOrder();
      await studio.pay(order.checkout_url);
      expect(await studio.transactionsOf(order.order_id)).toMatchObject([{ status: 'authorized', captured_at: null }]);
      await studio.becomes(order.order_id, 'paid');
      expect(deliveriesOf(order.order_id).map(({ event_type }) => event_type)).toEqual(['item.add', 'item.add']);
    });

    test('item.remove: a bank or payment system reverses the transaction; same shape', async () => {
      const order = await studio.createOrder();
      await studio.pay(order.checkout_url, CARDS.disputeLost);
      await studio.becomes(order.order_id, 'charged_back');
      await expect.poll(() => deliveriesOf(order.order_id).length, patience).toBe(2);
      const [add, remove] = deliveriesOf(order.order_id);
      expect(remove).toMatchObject({ event_type: 'item.remove', event_data: { player_id: 'player-1' } });
      expect(Object.keys(remove ?? {})).toEqual(Object.keys(add ?? {}));
      expect(remove?.event_data.items).toEqual(add?.event_data.items);
      expect(remove?.idempotency_key).not.toBe(add?.idempotency_key);
      expect(receiver.inventory.get('player-1')).toEqual([]);
    });

    test('item.remove: a refund was requested', async () => {
      const id = await studio.buy();
      await studio.call('POST', `/s2s/v1/orders/${id}/refund`, { reason: 'bought by mistake' });
      await studio.becomes(id, 'refunded');
      await expect
        .poll(() => deliveriesOf(id).map(({ event_type }) => event_type), patience)
        .toEqual(['item.add', 'item.remove']);
      expect(receiver.inventory.get('player-1')).toEqual([]);
    });

    test('refunds are always whole; partial refunds are not supported', async () => {
      const id = await studio.buy({ price_decimal: 10, currency: 'USD' });
      const asked = await studio.call('POST', `/s2s/v1/orders/${id}/refund`, { amount: 100, price_decimal: 1 });
      expect(asked).toMatchObject({ status: 422, body: { code: 'partial_refund_unsupported' } });
      expect(await studio.transactionsOf(id)).toMatchObject([{ status: 'succeeded', amount: 1000 }]);
      expect(await studio.call('POST', `/s2s/v1/orders/${id}/refund`)).toMatchObject({ status: 200 });
      await studio.becomes(id, 'refunded');
      expect(await studio.transactionsOf(id)).toMatchObject([{ status: 'refunded', amount: 1000 }]);
      expect(
        await coinslot.query('select amount_minor from simulator.entries where kind = $1 and payment_id = $2', [
          'refunded',
          (await studio.transactionsOf(id))[0]?.payment_id,
        ]),
      ).toEqual([{ amount_minor: '1000' }]);
    });
  });

  describe('Errors', () => {
    test('signature does not match: the receiver answers 403 and the service tries again', async () => {
      await studio.unsubscribeAll();
      const { id } = await subscribe({ secret: 'another secret' });
      const order = await studio.createOrder();
      await studio.pay(order.checkout_url);
      expect(receiver.received[0]?.answer).toBe(403);
      expect(await studio.readOrder(order.order_id)).toMatchObject({ status: 'authorized' });
      await studio.call('DELETE', `/s2s/v1/webhooks/${id}`);
      await subscribe();
      await studio.becomes(order.order_id, 'paid');
    });

    test('event_type is neither item.add nor item.remove: 400', async () => {
      const [subscribed] = (await studio.call('GET', '/s2s/v1/webhooks')).body.data;
      expect((await studio.call('POST', `/s2s/v1/webhooks/${subscribed.id}/test`)).status).toBe(202);
      await expect.poll(() => receiver.received.map(({ answer }) => answer), patience).toEqual([400]);
    });

    test('the service expects 2xx for a processed webhook: 400, 404, 500 and 503 are errors', async () => {
      receiver.troubles = [400, 404, 500, 503];
      const orders = [];
      for (let i = 0; i < 4; i++) orders.push(await studio.createOrder());
      for (const order of orders) {
        await studio.pay(order.checkout_url);
        expect(await studio.readOrder(order.order_id)).toMatchObject({ status: 'authorized' });
      }
      for (const order of orders) await studio.becomes(order.order_id, 'paid');
      for (const order of orders) expect(deliveriesOf(order.order_id)).toHaveLength(2);
    });
  });

  describe('Limits', () => {
    test('webhook endpoints: a single POST endpoint', async () => {
      const second = await studio.call('POST', '/s2s/v1/webhooks', {
        ...subscription(),
        url: `${receiver.url}/second`,
      });
      expect(second).toMatchObject({ status: 409, body: { code: 'item_endpoint_exists' } });
    });
  });

  describe('Versioning', () => {
    test('the path carries the version segment v1 after the s2s segment', async () => {
      expect((await studio.call('GET', '/s2s/v1/orders')).status).toBe(200);
      expect((await studio.call('GET', '/s2s/v2/orders')).status).toBe(404);
      expect((await studio.call('GET', '/s2s/orders')).status).toBe(404);
    });
  });
}
