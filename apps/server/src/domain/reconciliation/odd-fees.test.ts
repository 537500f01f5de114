import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcileCommand } from '../../commands/reconcile.ts';
import { sql } from '../../db/sql.ts';
import { feeIn, listedMinor } from '../payment/providers/paypal/wire/paypal-amount.ts';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});

afterAll(() => shop?.close());

/** The open differences of a payment once the day was compared to its end. */
async function compared(paymentId: string): Promise<{ kind: string; ours: string; theirs: string }[]> {
  const day = new Date(shop.stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);
  const write = (): void => {};
  expect(await reconcileCommand.run(['--day', day], { ...shop.program.purchasing, write, writeError: write })).toBe(0);
  return shop.database.db.query(sql('test_odd_differences')`
    select kind, ours, theirs from reconciliation_differences where state = 'open' and payment_id = ${paymentId}`);
}

async function paid(body: Record<string, unknown>): Promise<{ order: string; id: string }> {
  const order = await shop.order(body);
  await shop.payBy(order);
  expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  return { order, id: await shop.lastPayment(order) };
}

const bookedFor = (id: string) => {
  const charge = shop.stripe.store.charges.get(shop.stripe.intentOf(id).latest_charge!)!;
  return shop.stripe.store.booked.get(charge.balance_transaction!)!;
};

it('a fee of a part of a króna does not stop the capture, nor the comparison of its day (row 160)', async () => {
  const { order, id } = await paid({ currency: 'ISK', price_decimal: 351 });
  shop.stripe.store.booked.set(bookedFor(id).id, { ...bookedFor(id), currency: 'isk', fee: 1_055 });
  await shop.hear(order);
  expect((await compared(id)).map(({ kind }) => kind)).not.toContain('record_contradicts');
  const [row] = await shop.database.db.query(sql('test_odd_fee')`
    select fee_minor as fee, fee_currency as currency from provider_charges where payment_id = ${id}`);
  expect(row).toEqual({ fee: 11, currency: 'ISK' });
});

it('a fee that no column can hold costs itself alone, and is named by the comparison (row 160)', async () => {
  const { order, id } = await paid({});
  shop.stripe.store.booked.set(bookedFor(id).id, { ...bookedFor(id), fee: 1e30 });
  await shop.hear(order);
  expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  expect(await compared(id)).toMatchObject([{ kind: 'books_differ', theirs: 'nothing moved' }]);
});

it('an odd fee of PayPal is rounded, and one that is no amount is left out (row 160)', () => {
  expect(feeIn({ currency_code: 'JPY', value: '10.55' })).toEqual({ amountMinor: 11, currency: 'JPY' });
  expect(feeIn({ currency_code: 'USD', value: '-0.349' })).toEqual({ amountMinor: 35, currency: 'USD' });
  expect(feeIn({ currency_code: 'USD', value: 'none' })).toBeNull();
  expect(listedMinor({ currency_code: 'JPY', value: '-10.55' })).toBe(11);
});
