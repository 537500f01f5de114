import type { DisputeDetail, DisputeList, EvidencePreview } from '@coinslot/contract';
import { signedInMember, type TestBrowser } from '@coinslot/testing/dashboard';
import { type Game, startGame } from '@coinslot/testing/game-receiver';
import { badLine, mailRows } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { refusal } from '@coinslot/testing/unreliable-gateway';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../../db/statement.ts';

const WAITS_FOR_EVIDENCE = '4000 0000 0000 0259';
const ONLY_ASKS = '4000 0000 0000 1976';
const OPENS_SECONDS = 3;

const PDF = Buffer.from('%PDF-1.7 what the player wrote to us');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255, 254]);

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

const pathOf = (paymentId: string) => `/games/${shop.account.gameId}/sandbox/transactions/${paymentId}/disputes`;
const disputePath = (paymentId: string) => `${pathOf(paymentId)}/dsp_${paymentId}`;
const read = async (paymentId: string) => (await support.call<DisputeList>('GET', pathOf(paymentId))).body.data[0]!;

const add = (paymentId: string, content: Buffer, kind = 'receipt', type = 'application/pdf', browser = support) =>
  browser.call<DisputeDetail>(
    'POST',
    `${disputePath(paymentId)}/files?kind=${kind}&name=Ada%E2%80%99s%20mail.pdf`,
    content,
    {
      headers: { 'content-type': type },
    },
  );

async function disputed(card = WAITS_FOR_EVIDENCE): Promise<{ orderId: string; paymentId: string }> {
  const { order_id: orderId, checkout_url: url } = await shop.createOrder({ player_id: 'player_7' });
  await shop.pay(url, card);
  await shop.program.workers.drain();
  const { payment_id: paymentId } = await shop.readOrder(orderId);
  await shop.later(OPENS_SECONDS);
  return { orderId, paymentId: paymentId! };
}

it('files are kept, shown in the preview under safe names, and sent with the texts', async () => {
  const { paymentId } = await disputed();
  expect((await add(paymentId, PDF)).body.files).toMatchObject([
    { kind: 'receipt', name: 'Ada’s mail.pdf', type: 'application/pdf', bytes: PDF.length },
  ]);
  const { body } = await add(paymentId, PNG, 'other', 'image/png');
  expect(body.file_rules).toMatchObject({ files: 4, one_of_each_kind: true, total_bytes: 4_500_000 });
  const removed = await support.call<DisputeDetail>(
    'DELETE',
    `${disputePath(paymentId)}/files/${body.files.find(({ kind }) => kind === 'other')!.file_id}`,
  );
  expect(removed.body.files.map(({ kind }) => kind)).toEqual(['receipt']);
  await add(paymentId, PNG, 'delivery', 'image/png');
  const preview = await viewer.call<EvidencePreview>('POST', `${disputePath(paymentId)}/preview`, body.evidence);
  expect(preview.body.parts.flatMap(({ files }) => files)).toEqual(['receipt-1.pdf', 'delivery-1.png']);
  expect(preview.body.parts.map(({ text }) => text)).toContain(body.evidence.product);
  await support.call('POST', `${disputePath(paymentId)}/answer`, body.evidence);
  expect(await add(paymentId, PDF, 'other')).toMatchObject({ status: 409, body: { code: 'dispute_not_answerable' } });
  await shop.program.workers.drain();
  expect(await read(paymentId)).toMatchObject({ evidence_status: 'taken' });
  const [sent] = await shop.database.db.query<{ files: string[] }>(sql('test_sent_files')`
    select evidence -> 'files' as files from simulator.charges where payment_id = ${paymentId}`);
  expect(sent!.files).toEqual(['receipt-1.pdf', 'delivery-1.png']);
});

it('a file that the provider would refuse is refused, and so is one from a viewer', async () => {
  const { paymentId } = await disputed();
  const issue = (code: string) => ({ status: 422, body: { errors: [{ pointer: '/file', code }] } });
  // What it is, its bytes say, not its name and not its type.
  expect(await add(paymentId, Buffer.from('<svg onload="alert(1)">'), 'other', 'image/png')).toMatchObject(
    issue('type'),
  );
  expect(await add(paymentId, Buffer.alloc(0))).toMatchObject(issue('required'));
  expect(await add(paymentId, Buffer.concat([PDF, Buffer.alloc(4_500_000)]))).toMatchObject(issue('too_big'));
  await add(paymentId, Buffer.concat([PDF, Buffer.alloc(4_000_000)]));
  expect(await add(paymentId, PDF)).toMatchObject(issue('one_of'));
  expect(await add(paymentId, Buffer.concat([PDF, Buffer.alloc(600_000)]), 'other')).toMatchObject(issue('too_big'));
  expect(await add(paymentId, Buffer.alloc(10_000_001))).toMatchObject({ status: 413 });
  expect(await add(paymentId, PDF, 'other', 'application/zip')).toMatchObject({ status: 415 });
  expect(await add(paymentId, PDF, 'other', 'application/pdf', viewer)).toMatchObject({ status: 403 });
  const elsewhere = await support.call('POST', `${disputePath(paymentId)}/answer`, PDF, {
    headers: { 'content-type': 'application/pdf' },
  });
  expect(elsewhere).toMatchObject({ status: 415 });
  expect((await read(paymentId)).files).toHaveLength(1);
});

it('a dispute that is accepted is lost at once, whatever answer gets lost; the items go', async () => {
  const { orderId, paymentId } = await disputed();
  expect(await read(paymentId)).toMatchObject({ can_accept: true });
  expect((await viewer.call('POST', `${disputePath(paymentId)}/accept`)).status).toBe(403);
  line.gateway().misbehave('acceptDispute', { kind: 'time_out_after' });
  const accepted = await support.call<DisputeDetail>('POST', `${disputePath(paymentId)}/accept`);
  expect(accepted.body).toMatchObject({ evidence_status: 'accepting', can_answer: false, can_accept: false });
  await shop.program.workers.drain();
  await shop.later(60);
  await support.call('POST', `${disputePath(paymentId)}/accept`);
  await shop.program.workers.drain();
  expect(await read(paymentId)).toMatchObject({ status: 'lost', evidence_status: 'accepted', can_accept: false });
  expect(line.gateway().calls.filter(made => made.call === 'acceptDispute')).toHaveLength(2);
  await expect.poll(async () => (await shop.readOrder(orderId)).status).toBe('charged_back');
  const late = await support.call('POST', `${disputePath(paymentId)}/answer`, (await read(paymentId)).evidence);
  expect(late).toMatchObject({ status: 409, body: { code: 'dispute_not_answerable' } });
});

it('a provider that does not take the acceptance says so, and the dispute can still be answered', async () => {
  const { paymentId } = await disputed();
  const no = refusal({ code: 'not_now', reason: 'The bank does not take this now.' });
  line.gateway().misbehave('acceptDispute', { kind: 'refuse', refusal: no });
  await support.call('POST', `${disputePath(paymentId)}/accept`);
  await shop.program.workers.drain();
  expect(await read(paymentId)).toMatchObject({ evidence_status: 'refused', can_answer: true, can_accept: true });
  expect(await mailRows(shop.database.db, 'The bank does not take this now.')).not.toEqual([]);
});

it('a bank that only asks is answered or refunded, not given up to', async () => {
  const { paymentId } = await disputed(ONLY_ASKS);
  expect(await read(paymentId)).toMatchObject({ status: 'inquiry', can_answer: true, can_accept: false });
  const answer = await support.call('POST', `${disputePath(paymentId)}/accept`);
  expect(answer).toMatchObject({ status: 409, body: { code: 'dispute_not_answerable' } });
});
