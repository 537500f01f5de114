import type { Item } from '@coinslot/contract';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let shop: TestProgram;

const put = (sku: string, body: object, key?: string) =>
  shop.call<Item & { code?: string; errors?: { pointer: string; code: string }[] }>(
    'PUT',
    `/s2s/v1/items/${sku}`,
    body,
    key ? { key } : {},
  );
const read = (sku: string) => shop.call<Item>('GET', `/s2s/v1/items/${sku}`);

beforeAll(async () => {
  shop = await startProgram({ workers: false });
});

afterAll(() => shop?.close());

describe('an item', () => {
  it('is exactly what was put; what is left out is emptied, its id stays', async () => {
    const first = await put('gem', { name: 'Gem', description: 'Shiny', price_decimal: 1.99, currency: 'EUR' });
    expect(first.body).toMatchObject({ sku: 'gem', name: 'Gem', price_decimal: 1.99, currency: 'EUR' });
    const second = await put('gem', { name: 'Big gem' });
    expect(second.body).toMatchObject({ name: 'Big gem', description: null, price_decimal: null, currency: null });
    expect(second.body.id).toBe(first.body.id);
  });

  it('with a price that cannot be read is refused whole', async () => {
    await put('yen', { price_decimal: 100, currency: 'JPY' });
    const refused = await put('yen', { price_decimal: 1.5, currency: 'JPY', sale: { price_decimal: 0.5 } });
    expect(refused.body.errors?.map(error => error.pointer)).toEqual(['/price_decimal', '/sale/price_decimal']);
    expect((await read('yen')).body).toMatchObject({ price_decimal: 100 });
    expect((await put('bare', { price_decimal: 1 }, shop.account.live.s2sKey)).body.errors).toMatchObject([
      { pointer: '/currency', code: 'currency_required' },
    ]);
  });

  it('is sold at its sale price while the sale lasts, by the database’s clock', async () => {
    const now = shop.program.parts.clock.nowSeconds();
    await put('deal', { price_decimal: 10, currency: 'USD', sale: { discount_percent: 30, ends_at: now + 600 } });
    const during = await shop.createOrder({ items: [{ sku: 'deal' }] });
    expect(await shop.readOrder(during.order_id)).toMatchObject({ amount: 700, items: [{ full_price_decimal: 10 }] });
    await shop.later(601);
    const after = await shop.createOrder({ items: [{ sku: 'deal' }] });
    expect(await shop.readOrder(after.order_id)).toMatchObject({
      amount: 1_000,
      items: [{ full_price_decimal: null }],
    });
    expect(await shop.readOrder(during.order_id)).toMatchObject({ amount: 700 });
  });

  it('that is deleted is gone, and orders that had it keep what they had', async () => {
    await put('old', { name: 'Old hat', price_decimal: 2, currency: 'USD' });
    const order = await shop.createOrder({ items: [{ sku: 'old' }] });
    expect((await shop.call('DELETE', '/s2s/v1/items/old')).status).toBe(204);
    expect((await read('old')).status).toBe(404);
    expect((await shop.call('DELETE', '/s2s/v1/items/old')).status).toBe(404);
    expect(await shop.readOrder(order.order_id)).toMatchObject({ amount: 200, items: [{ name: 'Old hat' }] });
  });

  it('with an odd sku is found under its encoded name', async () => {
    const sku = 'héllo/wörld?&#%20';
    await put(encodeURIComponent(sku), { name: 'Odd' });
    expect((await read(encodeURIComponent(sku))).body).toMatchObject({ sku, name: 'Odd' });
  });
});
