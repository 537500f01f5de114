import { readFile } from 'node:fs/promises';
import { startGame } from '@coinslot/testing/game-receiver';
import { mailRows } from '@coinslot/testing/order-rows';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { type SmtpReceiver, smtpReceiver } from '@coinslot/testing/smtp-receiver';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hasUnread } from '../../db/read-numbered.sql.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { createMailer, type Mailer } from '../../mail/mailer.ts';
import { RECEIPTS_READER, writeReceipts } from './write-receipts.ts';

const MIGRATION = new URL('../../../migrations/0008_receipts-by-a-reader.sql', import.meta.url);

let shop: TestProgram;
let post: SmtpReceiver;
let mailer: Mailer;
let closeGame: () => Promise<void>;

const run = <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  shop.database.db.query<Row>({ name: '', text, values });

beforeAll(async () => {
  post = await smtpReceiver();
  mailer = createMailer({ smtpUrl: post.url, from: 'Shop <shop@example.com>' });
  shop = await startProgram({ workers: false, env: { SMTP_URL: post.url } });
  const game = await startGame({ secret: shop.account.sandbox.s2sKey });
  closeGame = () => game.close();
  await shop.call('POST', '/s2s/v1/webhooks', { url: game.url, events: ['item.add', 'item.remove'] });
  await run(`insert into users (id, email, email_key, password_hash, created_at)
    values ('usr_1', 'member@example.com', 'member@example.com', 'x', app_now())`);
  await run(`insert into members (company_id, user_id, role, created_at) values ($1, 'usr_1', 'support', app_now())`, [
    shop.account.companyId,
  ]);
});

beforeEach(async () => {
  await shop.program.workers.drain();
  post.mails.length = 0;
});

afterAll(async () => {
  mailer.close();
  await shop?.close();
  await closeGame?.();
  await post?.close();
});

/** Paid, and read by no one yet. */
async function paid(email = 'member@example.com'): Promise<{ orderId: string; paymentId: string }> {
  const { order_id: orderId, checkout_url } = await shop.createOrder();
  await shop.pay(checkout_url, undefined, { email });
  await shop.until(orderId, 'paid');
  const [payment] = await run<{ id: string }>('select id from payments where order_id = $1', [orderId]);
  return { orderId, paymentId: payment!.id };
}

const write = (using: Mailer | null = mailer) =>
  writeReceipts({ db: shop.database.db, mailer: using, signals: shop.program.parts.signals });

const statusesOf = async (orderId: string) => (await mailRows(shop.database.db, orderId)).map(({ status }) => status);
const jobs = () => run<{ payload: object }>(`select payload from jobs where name = 'receipt.send'`);
const position = async () =>
  (await run<{ seq: number }>(`select seq from reader_positions where name = 'receipts'`))[0]!.seq;

it('an order becomes paid without a job; its receipt is kept without a mail server, and nothing is left to do', async () => {
  const orders = [await paid(), await paid('stranger@example.com')];
  expect(await jobs()).toEqual([]);
  await write(null);
  for (const { orderId } of orders) expect(await statusesOf(orderId)).toEqual(['kept']);
  expect(await jobs()).toEqual([]);
  expect(await run(`select ${hasUnread(RECEIPTS_READER).sqlText} as unread`)).toEqual([{ unread: false }]);
});

it('only what is sent has a job: of sandbox, that of a member', async () => {
  const [member, stranger] = [await paid('Member@example.com'), await paid('stranger@example.com')];
  await write();
  expect(await jobs()).toEqual([{ payload: { paymentId: member.paymentId } }]);
  expect(await statusesOf(stranger.orderId)).toEqual(['kept']);
  await shop.program.workers.drain();
  expect(await statusesOf(member.orderId)).toEqual(['sent']);
  expect(post.mails.map(({ recipients }) => recipients)).toEqual([['Member@example.com']]);
});

it('two workers that read at once and a program that ends before it has sent make one mail of each payment (row 291)', async () => {
  const orders = [await paid(), await paid()];
  // Each reads and ends there, as a program does that is killed before it has looked for the jobs.
  await Promise.all([write(), write(), write()]);
  await write();
  expect(await jobs()).toHaveLength(2);
  await shop.program.workers.drain();
  for (const { orderId } of orders) expect(await statusesOf(orderId)).toEqual(['sent']);
  expect(post.mails).toHaveLength(2);
});

it('a reader that is killed inside of its transaction leaves nothing, and the next one writes all of it (row 291)', async () => {
  const { orderId } = await paid();
  const before = await position();
  const { db } = shop.database;
  const cut = {
    ...db,
    transaction: <T>(work: Parameters<typeof db.transaction<T>>[0]) =>
      db.transaction<T>(async tx => {
        await work(tx);
        throw new Error('killed');
      }),
  };
  await expect(writeReceipts({ db: cut, mailer: null, signals: shop.program.parts.signals })).rejects.toThrow('killed');
  expect([await position(), await statusesOf(orderId)]).toEqual([before, []]);
  await write(null);
  expect(await statusesOf(orderId)).toEqual(['kept']);
});

it.each([
  { which: 'sends', using: () => mailer, status: 'sent', mails: 1 },
  { which: 'keeps', using: () => null, status: 'kept', mails: 0 },
])('an older program that queued a job and a newer one that $which make one mail (row 292)', async one => {
  const enqueue = (paymentId: string) =>
    shop.database.db.transaction(async tx => {
      insertJob(tx, {
        name: 'receipt.send',
        environmentId: shop.account.sandbox.environmentId,
        payload: { paymentId },
      });
    });
  const [first, second] = [await paid(), await paid()];
  await enqueue(first.paymentId);
  if (one.status === 'kept') await run(`update users set email_verified_at = null`);
  await write(one.using());
  await enqueue(second.paymentId);
  await shop.program.workers.drain();
  await enqueue(first.paymentId);
  await shop.program.workers.drain();
  for (const { orderId } of [first, second]) expect(await statusesOf(orderId)).toEqual([one.status]);
  expect(post.mails).toHaveLength(one.mails * 2);
  expect(await jobs()).toEqual([]);
});

it('a paid event that a developer triggered, and a payment without an address, get none', async () => {
  const { orderId, paymentId } = await paid();
  await run(`update payments set email = null, version = version + 1 where id = $1`, [paymentId]);
  await run(`update orders set email = null, version = version + 1 where id = $1`, [orderId]);
  const tested = await paid();
  await run(`update events set test = true where order_id = $1`, [tested.orderId]);
  await write(null);
  expect([...(await statusesOf(orderId)), ...(await statusesOf(tested.orderId))]).toEqual([]);
});

it('a player who is erased before the reader has come by gets none, and an erasure waits for a reader', async () => {
  const { orderId } = await paid('gone@example.com');
  const client = new pg.Client({ connectionString: shop.database.url });
  await client.connect();
  await client.query(`begin; select 1 from reader_positions where name = 'receipts' for update`);
  const erasing = shop.call('DELETE', '/s2s/v1/players/player_1');
  await expect
    .poll(() => run(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .not.toEqual([]);
  await client.query('commit');
  await client.end();
  expect((await erasing).status).toBe(200);
  await write(null);
  expect(await statusesOf(orderId)).toEqual([]);
});

it('a database that gets the reader begins at its newest event: no receipt of the past is made again (row 292)', async () => {
  await paid();
  await write(null);
  const newest = (await run<{ seq: number }>(`select max(seq) as seq from events where type <> 'order.created'`))[0]!
    .seq;
  const client = new pg.Client({ connectionString: shop.database.url });
  await client.connect();
  await client.query(`delete from reader_positions where name = 'receipts'`);
  await client.query(await readFile(MIGRATION, 'utf8'));
  await client.end();
  expect(await position()).toBe(newest);
});
