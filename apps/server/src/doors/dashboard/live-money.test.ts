import type { DisputeList, Home, Payment, TransactionDetail } from '@coinslot/contract';
import { PASSWORD, signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { type StripeShop, startStripeShop } from '@coinslot/testing/stripe-shop';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../db/sql.ts';
import { listMails } from '../../mail/mail.sql.ts';

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
  // Twice: the provider names its fee a moment after it has captured, and the ledger is rolled up behind the rows.
  for (let round = 0; round < 2; round++) await shop.later(120);
  expect((await shop.read(orderId)).status).toBe('paid');
  return { orderId, paymentId: await shop.lastPayment(orderId) };
}

const detailOf = async (paymentId: string): Promise<TransactionDetail> =>
  (await viewer.browser.call<TransactionDetail>('GET', `${at}/${paymentId}`)).body;

it('a payment in live shows where its money went, by the ledger, and what the provider calls it', async () => {
  const { paymentId } = await paid();
  expect(await detailOf(paymentId)).toMatchObject({
    money: { reserved: 499, captured: 499, returned: 0, reversed: 0 },
    at_provider: {
      reference: expect.stringMatching(/^pi_/),
      evidence_due_at: null,
      risk: {
        level: 'normal',
        score: 12,
        checks: [
          { what: 'security_code', result: 'passed' },
          { what: 'postal_code', result: 'passed' },
        ],
      },
    },
  });
});

it('the export has the ledger beside each payment', async () => {
  const { paymentId } = await paid();
  const query = 'columns=payment_id,captured_amount,returned_amount,reversed_amount';
  const answer = await viewer.browser.fetch('GET', `${at}/export?${query}`);
  expect(await answer.text()).toContain(`${paymentId},4.99,0.00,0.00`);
});

it('the export has the disputes of a payment: which, how much, what they cost and until when they can be answered', async () => {
  const { orderId, paymentId } = await paid();
  const dispute = shop.stripe.dispute(shop.stripe.intentOf(paymentId), 'needs_response', { amount: 100 });
  await shop.hear(orderId);
  const query = 'columns=payment_id,disputes,disputed_amount,dispute_fee,dispute_respond_by';
  const text = await (await viewer.browser.fetch('GET', `${at}/export?${query}`)).text();
  const line = text.split('\r\n').find(one => one.startsWith(paymentId))!;
  expect(line).toMatch(new RegExp(`^${paymentId},${dispute.id} open,1.00 USD,15.00 USD,\\d{4}-`));
  shop.stripe.closeDispute(dispute, 'won');
  await shop.hear(orderId);
});

it('each of several disputes of a payment is on its page, in its timeline and in the export (row 208)', async () => {
  const { orderId, paymentId } = await paid();
  const intent = shop.stripe.intentOf(paymentId);
  const first = shop.stripe.dispute(intent, 'needs_response', { amount: 100 });
  await shop.hear(orderId);
  shop.stripe.closeDispute(first, 'won');
  await shop.hear(orderId);
  const second = shop.stripe.dispute(intent, 'needs_response', { amount: 399 });
  await shop.hear(orderId);
  const shown = (await viewer.browser.call<DisputeList>('GET', `${at}/${paymentId}/disputes`)).body.data;
  expect(shown.map(({ dispute_id: id, amount, status }) => [id, amount, status])).toEqual([
    [second.id, 399, 'open'],
    [first.id, 100, 'won'],
  ]);
  for (const { evidence_due_at: due } of shown) expect(due).toBeGreaterThan(shop.stripe.store.nowSeconds());
  const { timeline } = await detailOf(paymentId);
  const ofDisputes = timeline.filter(({ kind }) => kind.startsWith('dispute.'));
  expect(ofDisputes.map(({ kind }) => kind)).toEqual(['dispute.opened', 'dispute.won', 'dispute.opened']);
  expect(ofDisputes.map(({ detail }) => detail?.split(', ').at(-1))).toEqual([first.id, first.id, second.id]);
  const query = 'columns=payment_id,disputes,disputed_amount';
  const text = await (await viewer.browser.fetch('GET', `${at}/export?${query}`)).text();
  const line = text.split('\r\n').find(one => one.startsWith(paymentId));
  for (const part of [`${first.id} won`, `${second.id} open`, '4.99 USD']) expect(line).toContain(part);
  shop.stripe.closeDispute(second, 'won');
  await shop.hear(orderId);
});

it('a dispute shows until when evidence is heard', async () => {
  const { orderId, paymentId } = await paid();
  shop.stripe.dispute(shop.stripe.intentOf(paymentId));
  await shop.hear(orderId);
  const { at_provider: provider, payment } = await detailOf(paymentId);
  expect(payment.status).toBe('disputed');
  expect(provider!.evidence_due_at).toBeGreaterThan(payment.created_at);
});

it('a payment that is held for review is mailed, counted and listed, until a member decides', async () => {
  const support = await signedInMember(shop, 'support');
  const live = `/games/${shop.account.gameId}/live`;
  const held = async () => {
    const home = await support.browser.call<Home>('GET', `${live}/home`);
    const list = await viewer.browser.call<{ data: Payment[] }>('GET', `${at}?attention=true`);
    return { count: home.body.needs_attention, ids: list.body.data.map(payment => payment.payment_id) };
  };
  // An open dispute of the test before needs attention too.
  const before = await held();
  const orderId = await shop.order();
  await shop.payBy(orderId, 'pm_card_threeDSecure2Required');
  const paymentId = await shop.lastPayment(orderId);
  const intent = shop.stripe.intentOf(paymentId);
  intent.amount = 100;
  shop.stripe.authenticate(intent, true);
  for (let times = 0; times < 2; times++) await shop.hear(orderId);
  await shop.later(1);

  expect(await held()).toEqual({ count: before.count + 1, ids: [paymentId, ...before.ids] });
  expect((await viewer.browser.call('GET', `${at}?attention=maybe`)).status).toBe(422);
  const notices = (await listMails(shop.database.db, null, 100)).filter(({ about }) =>
    about.startsWith('attention amount_differs '),
  );
  const roles = await shop.database.db.query<{ role: string }>(sql('test_roles')`
    select m.role from members m join users u on u.id = m.user_id
    where u.email = any(${notices.map(({ recipient }) => recipient)}) order by m.role`);
  expect(roles.map(({ role }) => role)).toEqual(['owner', 'support']);

  const act = (body: object) => support.browser.call('POST', `${live}/attention/${paymentId}`, body);
  expect(await act({ action: 'refund' })).toMatchObject({ body: { code: 'password_wrong' } });
  expect((await act({ action: 'refund', password: PASSWORD })).status).toBe(200);
  expect(await held()).toEqual(before);
});
