import { describe, expect, test } from 'vitest';
import { A_PURCHASE } from '../game-studio.ts';
import { coinslot, deliveriesOf, receiver, studio, subscribe, subscription } from './stage.ts';

export function resources(): void {
  describe('Order (creation request body)', () => {
    test('a request that carries only player_id and items with only sku is a valid form', async () => {
      const answer = await studio.call('POST', '/s2s/v1/orders', { player_id: 'player-1', items: [{ sku: 'sword' }] });
      expect(answer).toMatchObject({ status: 201, body: { order_id: expect.any(String) } });
    });

    test.each([
      ['player_id', { items: [{ sku: 'sword' }] }, '/player_id'],
      ['items', { player_id: 'player-1' }, '/items'],
      ['an item', { player_id: 'player-1', items: [] }, '/items'],
      ['items[].sku', { player_id: 'player-1', items: [{ name: 'Sword' }] }, '/items/0/sku'],
    ])('%s is required: both are needed for checkout to work', async (_, body, pointer) => {
      const answer = await studio.call('POST', '/s2s/v1/orders', body);
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    });

    test('items[].name and items[].description are shown to the player', async () => {
      const order = await studio.createOrder({
        items: [{ sku: 'x', name: 'Sword of Dawn', description: 'Cuts the night' }],
      });
      const html = await studio.page(order.checkout_url);
      expect(html).toContain('Sword of Dawn');
      expect(html).toContain('Cuts the night');
    });

    test('price_decimal and currency are the price of the order', async () => {
      const order = await studio.createOrder({ price_decimal: 19.99, currency: 'EUR' });
      expect(order).toMatchObject({ amount: 1999, currency: 'EUR', price_decimal: 19.99 });
      expect(await studio.page(order.checkout_url)).toContain('€19.99');
      await studio.pay(order.checkout_url);
      await studio.becomes(order.order_id, 'paid');
      expect(await studio.transactionsOf(order.order_id)).toMatchObject([{ amount: 1999, currency: 'EUR' }]);
    });

    test('currency is a code in upper-case letters', async () => {
      const answer = await studio.call('POST', '/s2s/v1/orders', { ...A_PURCHASE, price_decimal: 1, currency: 'eur' });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/currency' }] } });
    });

    test('email is used to prefill the payment form', async () => {
      const order = await studio.createOrder({ email: 'prefilled@example.com' });
      expect(await studio.page(order.checkout_url)).toContain('value="prefilled@example.com"');
    });

    test('items may also carry prices, currency and sale configuration', async () => {
      const sale = { discount_percent: 50 };
      const items = [
        { sku: 'sword-sale', price_decimal: 4, currency: 'USD', quantity: 2, sale },
        { sku: 'shield-full', price_decimal: 1.5, currency: 'USD' },
      ];
      expect(await studio.createOrder({ items })).toMatchObject({ price_decimal: 5.5, amount: 550, currency: 'USD' });
    });

    test('existing players and items of the game may be used, or new ones may be created with any data', async () => {
      await studio.createOrder({ player_id: 'Zoë 🗡', items: [{ sku: 'épée/1', name: 'Épée' }] });
      const again = await studio.createOrder({ player_id: 'Zoë 🗡', items: [{ sku: 'épée/1' }] });
      expect(await studio.readOrder(again.order_id)).toMatchObject({
        player_id: 'Zoë 🗡',
        items: [{ sku: 'épée/1', name: 'Épée' }],
      });
    });
  });

  describe('Order (creation response body)', () => {
    test('order_id has an ord_ prefix; checkout_url is the URL of the payment form', async () => {
      const order = await studio.createOrder();
      expect(order.order_id).toMatch(/^ord_/);
      const form = await fetch(order.checkout_url);
      expect([form.status, form.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    });

    test('checkout_url is opaque: not modified, given added parameters, or rebuilt from order_id', async () => {
      const { order_id, checkout_url } = await studio.createOrder();
      expect(checkout_url).not.toContain(order_id);
      expect(checkout_url).not.toContain(order_id.slice('ord_'.length));
      const last = checkout_url.at(-1) === 'A' ? 'B' : 'A';
      const others = [
        `${checkout_url.slice(0, -1)}${last}`,
        checkout_url.slice(0, -4),
        `${coinslot.url}/c/${order_id}`,
        checkout_url.replace(/[^/]+$/, Buffer.from(order_id).toString('base64url')),
      ];
      for (const other of others) expect([other, (await fetch(other)).status]).toEqual([other, 404]);
    });
  });

  describe('Webhook subscription (creation request body)', () => {
    test('events, url, description, method, enabled, enabled_logs, player_context_enabled', async () => {
      await studio.unsubscribeAll();
      expect(await subscribe()).toMatchObject(subscription());
    });

    test('method: the HTTP method used for delivery is POST', async () => {
      const answer = await studio.call('POST', '/s2s/v1/webhooks', { ...subscription(), method: 'PUT' });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/method' }] } });
      await studio.buy();
      expect(receiver.received.map(({ method }) => method)).toEqual(['POST']);
    });

    test('enabled: whether the subscription is active', async () => {
      await studio.unsubscribeAll();
      const { id } = await subscribe({ enabled: false });
      const order = await studio.createOrder();
      await studio.pay(order.checkout_url);
      await studio.becomes(order.order_id, 'authorized');
      expect(receiver.received).toEqual([]);
      await studio.call('PATCH', `/s2s/v1/webhooks/${id}`, { enabled: true });
      await studio.becomes(order.order_id, 'paid');
      expect(receiver.received).toHaveLength(1);
    });

    test.each([true, false])('enabled_logs: whether delivery logs are enabled: %s', async enabled_logs => {
      await studio.unsubscribeAll();
      const { id } = await subscribe({ enabled_logs });
      await studio.buy();
      const { body } = await studio.call('GET', `/s2s/v1/webhooks/${id}/deliveries`);
      expect(body.data).toMatchObject([{ status: 'succeeded', attempts_made: 1 }]);
      expect(body.data[0].attempts).toHaveLength(enabled_logs ? 1 : 0);
    });

    test.each([true, false])('player_context_enabled: whether player context is enabled: %s', async enabled => {
      await studio.unsubscribeAll();
      await subscribe({ player_context_enabled: enabled });
      const [payload] = deliveriesOf(await studio.buy({ player: { name: 'Mika', attributes: { level: 7 } } }));
      const player = { player_id: 'player-1', name: 'Mika', attributes: { level: 7 } };
      expect(payload?.context).toEqual(enabled ? { player } : undefined);
    });
  });

  describe('Webhook delivery payload (JSON)', () => {
    test('event_type, event_data.player_id, event_data.items each with sku, idempotency_key', async () => {
      const id = await studio.buy({ player_id: 'player-9', items: [{ sku: 'sword' }, { sku: 'gems', quantity: 5 }] });
      expect(deliveriesOf(id)).toMatchObject([
        {
          event_type: 'item.add',
          event_data: { player_id: 'player-9', items: [{ sku: 'sword' }, { sku: 'gems', quantity: 5 }] },
          idempotency_key: expect.stringMatching(/./),
        },
      ]);
      expect(receiver.received[0]?.headers['content-type']).toMatch(/^application\/json/);
    });

    test('idempotency_key identifies a delivery so that duplicates can be recognized', async () => {
      receiver.troubles = [500];
      const id = await studio.buy();
      const [first, second] = receiver.received;
      expect([first?.answer, second?.answer]).toEqual([500, 200]);
      expect(second?.rawBody).toBe(first?.rawBody);
      const others = deliveriesOf(await studio.buy()).map(({ idempotency_key }) => idempotency_key);
      expect(others).not.toContain(deliveriesOf(id)[0]?.idempotency_key);
    });
  });
}
