import type { BalanceDay } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { MASTER_KEY } from '@coinslot/testing/program';
import { registerTestAccount } from '@coinslot/testing/registered-game';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileCommand } from '../../../commands/reconcile.ts';
import { createSeal } from '../../../kit/seal.ts';

let shop: StripeShop;
let owner: TestBrowser;
let day: string;

beforeAll(async () => {
  shop = await startStripeShop();
  owner = (await signedInMember(shop, 'owner')).browser;
  day = new Date(shop.stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);
});

afterAll(() => shop?.close());

const path = (tail = '') => `/companies/${shop.account.companyId}/reconciliation/days/${day}${tail}`;

async function compare(): Promise<void> {
  const quiet = (): void => {};
  const opened = { ...shop.program.purchasing, write: quiet, writeError: quiet };
  expect(await reconcileCommand.run(['--day', day], opened)).toBe(0);
}

async function paid(body: Record<string, unknown> = {}): Promise<string> {
  const order = await shop.order(body);
  await shop.payBy(order);
  expect(await shop.read(order)).toMatchObject({ status: 'paid' });
  return order;
}

const readDay = async (): Promise<BalanceDay> => {
  await compare();
  return (await owner.call<BalanceDay>('GET', path())).body;
};

describe('a day’s money', () => {
  it('adds up from the orders over fees and refunds to the payout, to the cent', async () => {
    const first = await paid();
    const second = await paid({ price_decimal: 10 });
    await shop.call('POST', `/s2s/v1/orders/${second}/refund`, {}, { key: shop.account.live.s2sKey });
    await shop.program.workers.drain();
    const payout = shop.stripe.payOut();
    const shown = await readDay();
    expect(shown.sums).toEqual([
      {
        account_id: 'settings',
        currency: 'USD',
        lines: [
          { line: 'orders', count: 2, amount: 1_499 },
          { line: 'refund', count: 1, amount: -1_000 },
          { line: 'fee', count: 0, amount: -45 },
        ],
        net: 454,
        paid_out: 454,
        converted: [],
      },
    ]);
    expect(shown.payouts).toMatchObject([
      { payout_id: payout.id, amount: 454, entries: 3, entries_net: 454, difference: 0 },
    ]);
    expect(shown.entries_total).toBe(4);
    const of = (order: string) => shown.entries.filter(({ order_id }) => order_id === order);
    expect(of(first)).toMatchObject([{ kind: 'payment', gross: 499, fee: 15, net: 484, payout_id: payout.id }]);
    expect(
      of(second)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['payment', 'refund']);
    // Comparing again changes nothing.
    expect(await readDay()).toEqual(shown);
  });

  it('shows what was converted, and names what the provider captured beyond our record', async () => {
    shop.stripe.store.balance = { currency: 'usd', rate: 1.1 };
    const euros = await paid({ price_decimal: 20, currency: 'EUR' });
    const order = await paid();
    const { latest_charge: charge } = shop.stripe.intentOf(await shop.lastPayment(order));
    const booked = [...shop.stripe.store.booked.values()].find(({ source }) => source === charge)!;
    booked.amount += 7;
    booked.net += 7;
    const shown = await readDay();
    const [sum] = shown.sums;
    expect(sum!.converted).toEqual([{ currency: 'EUR', amount: 2_000, into: 2_200 }]);
    expect(sum!.lines).toContainEqual({ line: 'difference', count: 1, amount: 7 });
    expect(sum!.net).toBe(sum!.lines.reduce((total, { amount }) => total + amount, 0));
    const balance = [...shop.stripe.store.booked.values()].filter(({ type }) => type !== 'payout');
    expect(sum!.net).toBe(balance.reduce((total, { net }) => total + net, 0));
    expect(shown.entries.find(({ order_id }) => order_id === order)).toMatchObject({ difference: 7 });
    expect(shown.entries.find(({ order_id }) => order_id === euros)).toMatchObject({
      original_amount: 2_000,
      original_currency: 'EUR',
      gross: 2_200,
      difference: null,
    });
  });

  it('names a payout that is not what the provider says it is made of', async () => {
    const payout = shop.stripe.payOut();
    const booked = [...shop.stripe.store.booked.values()].find(({ source }) => source === payout.id)!;
    booked.amount -= 3;
    booked.net -= 3;
    const { payouts } = await readDay();
    expect(payouts.find(({ payout_id }) => payout_id === payout.id)).toMatchObject({ difference: 3 });
  });

  it('is a file for the accountant, noted in the audit log', async () => {
    const file = await owner.fetch('GET', path('/export'));
    expect(file.status).toBe(200);
    const lines = (await file.text()).trim().split('\r\n');
    expect(lines[0]).toContain('gross,fee,net,original_amount,original_currency,difference,order_id');
    expect(lines.some(line => line.includes(',USD,4.99,0.15,4.84,'))).toBe(true);
    expect(lines.some(line => line.includes(',payout,payout,USD,-4.54,0,-4.54,'))).toBe(true);
    expect(lines).toHaveLength((await readDay()).entries_total + 1);
  });

  it('of another company is not there, and a day that no calendar has is refused', async () => {
    const other = await registerTestAccount(shop.database.db, createSeal(MASTER_KEY));
    const stranger = (await signedInMember(shop, 'owner', other.companyId)).browser;
    const days = `/companies/${other.companyId}/reconciliation/days`;
    expect((await stranger.call<BalanceDay>('GET', `${days}/${day}`)).body).toMatchObject({
      sums: [],
      entries_total: 0,
    });
    expect((await stranger.call('GET', path())).status).toBe(404);
    expect((await stranger.call('GET', `${days}/2026-02-31`)).status).toBe(422);
    const viewer = (await signedInMember(shop, 'viewer')).browser;
    expect((await viewer.call('GET', path())).status).toBe(403);
  });
});
