import type { DisputeDetail, DisputeList, TransactionDetail } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { badLine, mailRows } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { refusal } from '@coinslot/testing/unreliable-gateway';
import { afterAll, beforeAll, expect, it } from 'vitest';

const WAITS_FOR_EVIDENCE = '4000 0000 0000 0259';
const OPENS_SECONDS = 3;
const A_MONTH = 30 * 86_400;

let shop: TestProgram;
let game: Game;
let support: TestBrowser;
let viewer: TestBrowser;
const line = badLine();

beforeAll(async () => {
  shop = await startProgram({ workers: false, replace: line.replace });
  game = await startGame({ secret: shop.account.sandbox.s2sKey });
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  support = (await signedInMember(shop, 'support')).browser;
  viewer = (await signedInMember(shop, 'viewer')).browser;
});

afterAll(async () => {
  await game?.close();
  await shop?.close();
});

const pathOf = (paymentId: string) => `/games/${shop.account.gameId}/sandbox/transactions/${paymentId}`;
const read = async (paymentId: string, browser = support) =>
  (await browser.call<DisputeList>('GET', `${pathOf(paymentId)}/disputes`)).body.data[0]!;
/** The simulator names a dispute after its payment. */
const disputePath = (paymentId: string) => `${pathOf(paymentId)}/disputes/dsp_${paymentId}`;
const send = (paymentId: string, evidence: DisputeDetail['evidence'], browser = support) =>
  browser.call<DisputeDetail>('POST', `${disputePath(paymentId)}/answer`, evidence);
const calls = (paymentId: string) =>
  line.gateway().calls.filter(made => made.call === 'answerDispute' && made.paymentId === paymentId).length;

async function paid(card?: string): Promise<{ orderId: string; paymentId: string }> {
  const { order_id: orderId, checkout_url: url } = await shop.createOrder({ player_id: 'player_7' });
  await shop.pay(url, card);
  await shop.program.workers.drain();
  const { payment_id: paymentId } = await shop.readOrder(orderId);
  return { orderId, paymentId: paymentId! };
}

async function disputed() {
  const made = await paid(WAITS_FOR_EVIDENCE);
  await shop.later(OPENS_SECONDS);
  expect((await shop.readOrder(made.orderId)).status).toBe('disputed');
  return made;
}

it('a dispute shows what the bank says, until when, and evidence made from the records', async () => {
  const earlier = await paid();
  const { orderId, paymentId } = await disputed();
  const dispute = await read(paymentId);
  expect(dispute).toMatchObject({
    order_id: orderId,
    status: 'open',
    reason: 'fraudulent',
    network_code: '10.4',
    evidence_due_at: expect.any(Number),
    is_composed: true,
    evidence_status: 'none',
    can_answer: true,
    why_not: null,
  });
  const { evidence } = dispute;
  expect(evidence.product).toContain(orderId);
  expect(evidence.product).toContain('crystals_100');
  expect(evidence.delivery).toMatch(/The game confirmed at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC that player player_7/);
  expect(evidence.delivery).toContain('the game answered HTTP 200');
  expect(evidence.receipt).toContain('ending in 0259');
  expect(evidence.history).toMatch(
    /1 earlier purchase that was not disputed(?:, 1 of them with the same card or e-mail address)?:/,
  );
  expect(evidence.email).toBe('player@example.com');
  expect(await read(paymentId, viewer)).toMatchObject({ can_answer: false });
  const none = await support.call('GET', `${pathOf(earlier.paymentId)}/disputes`);
  expect(none).toMatchObject({ status: 404, body: { code: 'dispute_not_found' } });
});

it('evidence that was changed is kept, sent once, and wins; every step is in the timeline', async () => {
  const { orderId, paymentId } = await disputed();
  const evidence = { ...(await read(paymentId)).evidence, statement: 'The player wrote to us from this address.' };
  const saved = await support.call<DisputeDetail>('PUT', `${disputePath(paymentId)}/evidence`, evidence);
  expect(saved.body).toMatchObject({ evidence_status: 'draft', is_composed: false, evidence });
  for (const [method, path] of [
    ['PUT', 'evidence'],
    ['POST', 'answer'],
  ] as const) {
    const answer = await viewer.call(method, `${disputePath(paymentId)}/${path}`, evidence);
    expect(answer.status).toBe(403);
  }
  expect((await send(paymentId, evidence)).body).toMatchObject({ evidence_status: 'sending', can_answer: false });
  expect((await send(paymentId, evidence)).status).toBe(200);
  await shop.program.workers.drain();
  expect(calls(paymentId)).toBe(1);
  expect(await read(paymentId)).toMatchObject({ evidence_status: 'taken', can_answer: false, evidence });
  expect((await send(paymentId, evidence)).body).toMatchObject({ evidence_status: 'taken' });
  const other = await send(paymentId, { ...evidence, statement: 'Another one.' });
  expect(other).toMatchObject({ status: 409, body: { code: 'dispute_not_answerable' } });
  await shop.later(60);
  expect((await shop.readOrder(orderId)).status).toBe('paid');
  expect(await read(paymentId)).toMatchObject({ status: 'won' });
  const { timeline } = (await support.call<TransactionDetail>('GET', pathOf(paymentId))).body;
  const kinds = timeline.map(({ kind, action }) => action ?? kind);
  expect(kinds).toEqual(
    expect.arrayContaining(['dispute.evidence_saved', 'dispute.answered', 'dispute.evidence_taken']),
  );
});

it('an answer that got lost is asked for again until it is known, also by another process', async () => {
  const { paymentId } = await disputed();
  line.gateway().misbehave('answerDispute', { kind: 'time_out_after' });
  await send(paymentId, (await read(paymentId)).evidence);
  await shop.program.workers.drain();
  expect(await read(paymentId)).toMatchObject({ evidence_status: 'sending' });
  await shop.later(60);
  expect(await read(paymentId)).toMatchObject({ evidence_status: 'taken' });
  expect(calls(paymentId)).toBe(2);
});

it('a no of the provider is shown and mailed, and the evidence can be sent again', async () => {
  const { paymentId } = await disputed();
  const no = refusal({ code: 'parameter_invalid', reason: 'The text has a character that the bank cannot read.' });
  line.gateway().misbehave('answerDispute', { kind: 'refuse', refusal: no });
  const { evidence } = await read(paymentId);
  await send(paymentId, evidence);
  await shop.program.workers.drain();
  expect(await read(paymentId)).toMatchObject({
    evidence_status: 'refused',
    refusal: { code: 'parameter_invalid', request_id: 'req_of_a_test' },
    can_answer: true,
  });
  expect(await mailRows(shop.database.db, 'a character that the bank cannot read')).not.toEqual([]);
  await send(paymentId, evidence);
  await shop.program.workers.drain();
  expect(await read(paymentId)).toMatchObject({ evidence_status: 'taken', refusal: null });
});

it('evidence that says nothing, or comes when the bank hears no more, is refused', async () => {
  const { orderId, paymentId } = await disputed();
  const { evidence } = await read(paymentId);
  const empty = { statement: '', product: ' ', delivery: '', receipt: '', history: '', email: null };
  expect(await send(paymentId, empty)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
  await shop.call('POST', `/s2s/v1/sandbox/orders/${orderId}/advance`, { seconds: A_MONTH });
  await shop.program.workers.drain();
  expect((await shop.readOrder(orderId)).status).toBe('charged_back');
  expect(await send(paymentId, evidence)).toMatchObject({ status: 409, body: { code: 'dispute_not_answerable' } });
  expect(await read(paymentId)).toMatchObject({ status: 'lost', can_answer: false, why_not: expect.any(String) });
  expect(calls(paymentId)).toBe(0);
});
