import { paypalInTest } from '@coinslot/testing/paypal-in-test';
import { describe, expect, it } from 'vitest';
import type { AuthorizeRequest, RequestedItem } from '../base/gateway.ts';
import type { itemized } from './items-of-payment.ts';

const { paypal, gateway, request } = await paypalInTest();

const ordered = () => {
  const made = paypal.exchanges.findLast(({ method, path }) => method === 'POST' && path === '/v2/checkout/orders')!;
  const { purchase_units: units } = made.body as { purchase_units: ReturnType<typeof itemized>[] };
  return units[0]!;
};

const item = (more: Partial<RequestedItem> = {}): RequestedItem => ({
  sku: 'sword',
  name: 'Sword',
  quantity: 1,
  priceMinor: 1_999,
  ...more,
});

const ask = async (more: Partial<AuthorizeRequest>) => {
  expect(await gateway.authorize(request(more))).toMatchObject({ status: 'requires_action' });
  return ordered();
};

const eur = (value: string) => ({ currency_code: 'EUR', value });

describe('what the player reads at PayPal', () => {
  it('is every item with its price, as digital goods', async () => {
    const items = [item({ quantity: 2, priceMinor: 500 }), item({ sku: 'gem', name: null, priceMinor: 999 })];
    expect(await ask({ items })).toMatchObject({
      amount: { ...eur('19.99'), breakdown: { item_total: eur('19.99') } },
      items: [
        { name: 'Sword', sku: 'sword', quantity: '2', unit_amount: eur('5.00'), category: 'DIGITAL_GOODS' },
        { name: 'gem', sku: 'gem', quantity: '1', unit_amount: eur('9.99'), category: 'DIGITAL_GOODS' },
      ],
    });
  });

  it('has what the order costs less as a discount', async () => {
    const { amount } = await ask({ items: [item({ priceMinor: 2_499 })] });
    expect(amount).toEqual({ ...eur('19.99'), breakdown: { item_total: eur('24.99'), discount: eur('5.00') } });
  });

  it.each([
    ['only the order has a price', [item({ priceMinor: null }), item({ sku: 'gem', name: 'Gem', priceMinor: 100 })]],
    ['the items cost less than the order', [item({ priceMinor: 1 }), item({ sku: 'gem', name: 'Gem', priceMinor: 1 })]],
  ])('is one line with all names when %s', async (_why, items) => {
    const { amount, items: lines } = await ask({ items });
    expect(amount).toEqual({ ...eur('19.99'), breakdown: { item_total: eur('19.99') } });
    expect(lines).toEqual([
      { name: 'Sword, Gem', quantity: '1', unit_amount: eur('19.99'), category: 'DIGITAL_GOODS' },
    ]);
  });

  it('is one line where PayPal has no decimals and a price has', async () => {
    const items = [item({ priceMinor: 99_950, quantity: 2 })];
    expect(await ask({ currency: 'HUF', amountMinor: 199_900, items })).toMatchObject({
      amount: { currency_code: 'HUF', value: '1999' },
      items: [{ quantity: '1', unit_amount: { currency_code: 'HUF', value: '1999' } }],
    });
  });

  it('is cut to what PayPal takes, and left out where nothing is known', async () => {
    const { items } = await ask({ items: [item({ name: 'x'.repeat(300), sku: 'y'.repeat(200) })] });
    expect(items).toMatchObject([{ name: 'x'.repeat(127) }]);
    expect(items![0]).not.toHaveProperty('sku');
    expect(await ask({})).not.toHaveProperty('items');
  });
});
