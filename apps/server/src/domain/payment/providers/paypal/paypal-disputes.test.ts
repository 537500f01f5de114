import { paypalInTest } from '@coinslot/testing/paypal-in-test';
import { expect, it } from 'vitest';
import { updateChargeDisputed } from '../base/provider-charge.sql.ts';

const { database, paypal, gateway, authorized } = await paypalInTest();

const INQUIRY = { status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'INQUIRY' };

async function disputed(state: Parameters<typeof paypal.dispute>[1]) {
  const asked = await authorized();
  await gateway.capture(asked);
  const id = paypal.dispute(asked.paymentId, state);
  await updateChargeDisputed(database.db, asked);
  const read = async () => (await gateway.lookUp(asked))!.disputes;
  return { asked, id, read };
}

it('a dispute about a part at PayPal has its own amount, and its fee (row 138)', async () => {
  const state = { status: 'UNDER_REVIEW', dispute_life_cycle_stage: 'CHARGEBACK', value: '1.00', fee: '16.00' };
  const { id, read } = await disputed(state);
  expect(await read()).toMatchObject([
    { id, status: 'open', amountMinor: 100, currency: 'EUR', fee: { amountMinor: 1_600, currency: 'EUR' } },
  ]);
  paypal.closeDispute(id, 'RESOLVED_BUYER_FAVOUR');
  expect(await read()).toMatchObject([{ id, status: 'lost', amountMinor: 100, fee: { amountMinor: 1_600 } }]);
});

it('an inquiry at PayPal that was answered and becomes a chargeback can be answered again, under the same id (row 137)', async () => {
  const { asked, id, read } = await disputed({ ...INQUIRY, value: '5.00' });
  expect(await read()).toMatchObject([{ id, status: 'inquiry', amountMinor: 500, fee: null, evidenceStage: 'needed' }]);
  const said = 'The items were granted and used.';
  const evidence = { product: said, delivery: said, receipt: said, history: said, statement: said, email: null };
  const answer = () => gateway.answerDispute({ ...asked, disputeId: id, evidence });
  expect(await answer()).toMatchObject({ kind: 'taken' });
  expect(await read()).toMatchObject([{ status: 'inquiry', evidenceStage: 'submitted' }]);
  paypal.escalateDispute(id, '16.00');
  expect(await read()).toMatchObject([
    { id, status: 'open', amountMinor: 500, fee: { amountMinor: 1_600 }, evidenceStage: 'needed' },
  ]);
  expect(await answer()).toMatchObject({ kind: 'taken' });
  paypal.closeDispute(id, 'RESOLVED_SELLER_FAVOUR');
  expect(await read()).toMatchObject([{ id, status: 'won' }]);
});

it.each([
  ['open', 'TRANSACTION_DISPUTED'],
  ['lost', 'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK'],
] as const)(
  'a dispute that was not heard of is read once PayPal refuses a refund because of it: %s (row 163)',
  async (status, code) => {
    const asked = await authorized();
    await gateway.capture(asked);
    const id = paypal.dispute(asked.paymentId, { ...INQUIRY, dispute_life_cycle_stage: 'CHARGEBACK' });
    if (status === 'lost') paypal.closeDispute(id, 'RESOLVED_BUYER_FAVOUR');
    expect(await gateway.refund(asked)).toMatchObject({ kind: 'refused', refusal: { code, whose: 'bank' } });
    expect(await gateway.lookUp(asked)).toMatchObject({ status: 'captured', disputes: [{ id, status }] });
  },
);

it('a refund that a person made at PayPal and that failed later is seen to have failed (row 172)', async () => {
  const asked = await authorized();
  await gateway.capture(asked);
  paypal.refundThere(asked.paymentId);
  expect(await gateway.lookUp(asked)).toMatchObject({ status: 'refunded', refundFailure: null });
  paypal.failRefund(asked.paymentId);
  expect(await gateway.lookUp(asked)).toMatchObject({ status: 'captured', refundFailure: { code: 'REFUND_FAILED' } });
  expect(await gateway.refund(asked)).toMatchObject({ kind: 'charge', charge: { status: 'refunded' } });
});

it.each([
  ['says why', 'CHARGEBACK', false],
  ['says that the buyer complained', 'BUYER_COMPLAINT', false],
  ['gives no reason and has told of it', null, true],
] as const)(
  'money that PayPal takes back is a lost dispute and no refund, when PayPal %s (row 176)',
  async (_how, reason, isReported) => {
    const asked = await authorized();
    await gateway.capture(asked);
    paypal.reverse(asked.paymentId, reason);
    if (isReported) await updateChargeDisputed(database.db, asked);
    const lost = { status: 'lost', amountMinor: 1_999, currency: 'EUR' };
    expect(await gateway.lookUp(asked)).toMatchObject({ status: 'captured', refundedMinor: 0, disputes: [lost] });
    // The same again, since the day is compared too.
    expect(await gateway.lookUp(asked)).toMatchObject({ status: 'captured', disputes: [lost] });
  },
);

it('money that was refunded at PayPal while a bank asked is a refund (row 176)', async () => {
  const { asked } = await disputed(INQUIRY);
  paypal.refundThere(asked.paymentId);
  expect(await gateway.lookUp(asked)).toMatchObject({ status: 'refunded', refundedMinor: 1_999 });
});
