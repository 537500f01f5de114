import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcileAll } from './reconcile-due.ts';

let shop: StripeShop;
let support: TestBrowser;

beforeAll(async () => {
  shop = await startStripeShop();
  support = (await signedInMember(shop, 'support')).browser;
});

afterAll(() => shop?.close());

const compareToday = () => {
  const day = new Date(shop.stripe.store.nowSeconds() * 1000).toISOString().slice(0, 10);
  return reconcileAll(shop.program.purchasing, day, true);
};

interface Run {
  state: string;
  problem: string | null;
}

async function lastRun(): Promise<Run> {
  const { companyId } = shop.account;
  const { body } = await support.call<{ data: Run[] }>('GET', `/companies/${companyId}/reconciliation/runs`);
  return body.data[0]!;
}

/** Returned at Stripe, and no callback came. */
async function returnedThere(): Promise<string> {
  const order = await shop.order();
  await shop.payBy(order);
  shop.stripe.refundThere(shop.stripe.intentOf(await shop.lastPayment(order)));
  return order;
}

it('a payment that the provider says nothing about keeps no other of its day from being compared (row 125)', async () => {
  const silent = await returnedThere();
  const others = [await returnedThere(), await returnedThere()];
  const { id } = shop.stripe.intentOf(await shop.lastPayment(silent));
  shop.stripe.faults.plan(new RegExp(`^GET /v1/payment_intents/${id}`), { kind: 'answer', status: 500 }, 20);
  await compareToday();
  for (const order of others) expect(await shop.read(order)).toMatchObject({ status: 'refunded' });
  expect(await shop.read(silent)).toMatchObject({ status: 'paid' });
  expect(await lastRun()).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining(`does not say what became of ${await shop.lastPayment(silent)}`),
  });
  shop.stripe.faults.clear();
  await compareToday();
  expect(await shop.read(silent)).toMatchObject({ status: 'refunded' });
  expect(await lastRun()).toMatchObject({ state: 'done', problem: null });
});
