import type { TransactionDetail } from '@coinslot/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedInMember, type TestMember } from '../../testing/dashboard.ts';
import { type StripeShop, startStripeShop } from '../../testing/stripe-shop.ts';

let shop: StripeShop;
let viewer: TestMember;
let at: string;

beforeAll(async () => {
  shop = await startStripeShop();
  viewer = await signedInMember(shop, 'viewer');
  at = `/games/${shop.account.gameId}/live/transactions`;
});
afterAll(() => shop?.close());

async function paid(): Promise<{ orderId: string; paymentId: string }> {
  const orderId = await shop.order();
  await shop.payBy(orderId);
  // Twice: the provider names its fee a moment after it has collected, and the ledger is folded behind the rows.
  for (let round = 0; round < 2; round++) await shop.later(120);
  expect((await shop.read(orderId)).status).toBe('paid');
  return { orderId, paymentId: await shop.lastPayment(orderId) };
}

const detailOf = async (paymentId: string): Promise<TransactionDetail> =>
  (await viewer.browser.call<TransactionDetail>('GET', `${at}/${paymentId}`)).body;

it('a payment in live shows where its money went, by the ledger, and what the provider calls it', async () => {
  const { paymentId } = await paid();
  expect(await detailOf(paymentId)).toMatchObject({
    money: { reserved: 499, collected: 499, returned: 0, reversed: 0 },
    at_provider: { reference: expect.stringMatching(/^pi_/), evidence_due_at: null },
  });
});

it('the export has the ledger beside each payment', async () => {
  const { paymentId } = await paid();
  const query = 'columns=payment_id,collected_amount,returned_amount,reversed_amount';
  const answer = await viewer.browser.fetch('GET', `${at}/export?${query}`);
  expect(await answer.text()).toContain(`${paymentId},4.99,0.00,0.00`);
});

it('a dispute shows until when evidence is heard', async () => {
  const { orderId, paymentId } = await paid();
  shop.stripe.dispute(shop.stripe.intentOf(paymentId));
  await shop.hear(orderId);
  const { at_provider: provider, payment } = await detailOf(paymentId);
  expect(payment.status).toBe('disputed');
  expect(provider!.evidence_due_at).toBeGreaterThan(payment.created_at);
});
