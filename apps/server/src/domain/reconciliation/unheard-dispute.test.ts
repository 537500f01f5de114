import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { listDisputes } from '../payment/disputes/dispute.sql.ts';
import { disputeDifferenceOf } from './compare.ts';
import { reconcileAll, reconcileDue } from './reconcile-due.ts';

let shop: StripeShop;

beforeAll(async () => {
  shop = await startStripeShop();
});

afterAll(() => shop?.close());

const compareToday = () => {
  const day = new Date(shop.stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);
  return reconcileAll(shop.program.purchasing, day, true);
};

async function refunded(): Promise<{ environmentId: string; paymentId: string }> {
  const order = await shop.order();
  await shop.payBy(order);
  const paymentId = await shop.lastPayment(order);
  shop.stripe.refundThere(shop.stripe.intentOf(paymentId));
  await compareToday();
  expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
  return { environmentId: shop.account.live.environmentId, paymentId };
}

const codeOf = async (paymentId: string): Promise<string | null> => {
  const [row] = await shop.database.db.query<{ code: string | null }>(sql('test_unheard_dispute')`
    select attention ->> 'code' as code from payments where id = ${paymentId}`);
  return row!.code;
};

const comparedDays = async (): Promise<number> => {
  const [row] = await shop.database.db.query<{ days: number }>(sql('test_compared_days')`
    select count(*)::int as days from reconciliation_runs where state = 'done'`);
  return row!.days;
};

it('the first comparison goes back to the day on which the account was connected, however late it comes (row 167)', async () => {
  await shop.database.db.query(sql('test_no_days')`delete from reconciliation_runs`);
  await shop.database.advance(4 * 86_400);
  await reconcileDue(shop.program.purchasing);
  expect(await comparedDays()).toBeGreaterThanOrEqual(3);
});

/** An inquiry moves no money, so that the provider's balance does not show it. */
it.each([
  ['needs_response', 'open'],
  ['warning_needs_response', 'inquiry'],
])(
  'a dispute about money that went back before is recorded by the comparison when its callback is lost: %s (row 162)',
  async (theirs, ours) => {
    const ref = await refunded();
    shop.stripe.dispute(shop.stripe.intentOf(ref.paymentId), theirs);
    await compareToday();
    expect(await listDisputes(shop.database.db, ref)).toMatchObject([{ status: ours }]);
    expect(await codeOf(ref.paymentId)).toBe('dispute_open');
    const { differences } = (await compareToday())[0]!.counts!;
    expect(differences).toBe(0);
  },
);

it('a dispute differs when it is not recorded, or with another status or amount', () => {
  const there = { id: 'dp_1', status: 'open', reason: 'fraudulent', amountMinor: 100, currency: 'EUR' } as const;
  const charge = { disputes: [there] };
  expect(disputeDifferenceOf([], charge)).toBe('dispute_missing_here');
  expect(disputeDifferenceOf([{ ...there, id: 'dp_2' }], charge)).toBe('dispute_missing_here');
  expect(disputeDifferenceOf([{ ...there, status: 'lost' }], charge)).toBe('dispute_differs');
  expect(disputeDifferenceOf([{ ...there, amountMinor: 99 }], charge)).toBe('dispute_differs');
  expect(disputeDifferenceOf([there], charge)).toBeNull();
  expect(disputeDifferenceOf([there], { disputes: [] })).toBeNull();
});
