import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;

beforeAll(async () => {
  shop = await startProgram();
});

afterAll(() => shop?.close());

const SWORD = {
  name: 'Sword',
  description: 'Cuts',
  image_url: 'https://example.com/sword.png',
  price_decimal: 5,
  currency: 'EUR',
  sale: { discount_percent: 20 },
};

describe('the catalog', () => {
  it('with a sale above its full price is refused, however the price came there (row 148)', async () => {
    const raised = { ...SWORD, price_decimal: 5, currency: 'USD', sale: { price_decimal: 6 } };
    expect(await shop.call('PUT', '/s2s/v1/items/raised', raised)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    });
    expect((await shop.call('GET', '/s2s/v1/items/raised')).status).toBe(404);
  });

  it('keeps an item as it was put, and fields left out are emptied', async () => {
    const put = await shop.call('PUT', '/s2s/v1/items/sword', { ...SWORD, color: 'red' });
    expect(put).toMatchObject({ status: 200, body: { ...SWORD, sku: 'sword', sandbox: true, warnings: ['/color'] } });
    const { warnings: _, ...saved } = put.body;
    expect((await shop.call('GET', '/s2s/v1/items/sword')).body).toEqual(saved);
    const again = await shop.call('PUT', '/s2s/v1/items/sword', { name: 'Blade' });
    const empty = { description: null, image_url: null, price_decimal: null, currency: null, sale: null };
    expect(again.body).toMatchObject({ id: put.body.id, name: 'Blade', ...empty });
  });

  it('sells at its price with the sale, and orders that exist keep theirs', async () => {
    await shop.call('PUT', '/s2s/v1/items/shield', SWORD);
    const { order_id } = await shop.createOrder({ items: [{ sku: 'shield' }] });
    await shop.call('PUT', '/s2s/v1/items/shield', { price_decimal: 9, currency: 'EUR' });
    expect(await shop.readOrder(order_id)).toMatchObject({
      amount: 400,
      currency: 'EUR',
      items: [{ name: 'Sword', price_decimal: 4, full_price_decimal: 5 }],
    });
    expect(await shop.createOrder({ items: [{ sku: 'shield' }] })).toMatchObject({ amount: 900 });
  });

  it('forgets an item that is deleted; a later order makes it again', async () => {
    await shop.call('PUT', '/s2s/v1/items/gone', SWORD);
    expect((await shop.call('DELETE', '/s2s/v1/items/gone')).status).toBe(204);
    const nothing = { status: 404, body: { code: 'item_not_found' } };
    expect(await shop.call('GET', '/s2s/v1/items/gone')).toMatchObject(nothing);
    expect(await shop.call('DELETE', '/s2s/v1/items/gone')).toMatchObject(nothing);
    expect(await shop.createOrder({ items: [{ sku: 'gone' }] })).toMatchObject({ amount: 100, currency: 'USD' });
    expect((await shop.call('GET', '/s2s/v1/items/gone')).body).toMatchObject({ sku: 'gone', price_decimal: null });
  });

  it.each([
    [{ price_decimal: 1.999, currency: 'USD' }, '/price_decimal'],
    [{ currency: 'USD', price_decimal: 5, sale: {} }, '/sale'],
    [{ currency: 'USD', price_decimal: 5, sale: { discount_percent: 10, price_decimal: 1 } }, '/sale'],
    [{ currency: 'USD', price_decimal: 5, sale: { price_decimal: 1.001 } }, '/sale/price_decimal'],
    [{ currency: 'USD', price_decimal: 5, sale: { discount_percent: 10, starts_at: 9, ends_at: 9 } }, '/sale/ends_at'],
  ])('refuses %j', async (body, pointer) => {
    const answer = await shop.call('PUT', '/s2s/v1/items/wrong', body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ pointer }] } });
    expect((await shop.call('GET', '/s2s/v1/items/wrong')).status).toBe(404);
  });
});

it('a price without a currency is refused in sandbox as in live', async () => {
  const live = { key: shop.account.live.s2sKey };
  const refused = { status: 422, body: { errors: [{ pointer: '/currency', code: 'currency_required' }] } };
  for (const key of [{}, live])
    expect(await shop.call('PUT', '/s2s/v1/items/plain', { price_decimal: 1 }, key)).toMatchObject(refused);
});

describe('a player', () => {
  it('is made by the first order and updated by the next', async () => {
    await shop.createOrder({ player_id: 'mika', player: { name: 'Mika', attributes: { level: 1 } } });
    await shop.createOrder({ player_id: 'mika', email: 'mika@example.com', player: { attributes: { level: 2 } } });
    expect(await shop.call('GET', '/s2s/v1/players/mika')).toMatchObject({
      status: 200,
      body: { player_id: 'mika', name: 'Mika', email: 'mika@example.com', attributes: { level: 2 }, sandbox: true },
    });
  });

  it('that is unknown is player_not_found', async () => {
    const answer = await shop.call('GET', '/s2s/v1/players/stranger');
    expect(answer).toMatchObject({ status: 404, body: { code: 'player_not_found' } });
  });
});
