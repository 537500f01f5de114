import { Writable } from 'node:stream';
import { newBrowser, PASSWORD, signedInMember, type TestMember } from '@coinslot/testing/dashboard';
import { GOOD_CARD, startLiveShop } from '@coinslot/testing/live-shop';
import { startProgram, type TestProgram } from '@coinslot/testing/program';
import { type SmtpReceiver, smtpReceiver } from '@coinslot/testing/smtp-receiver';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../db/sql.ts';

let shop: TestProgram;
let smtp: SmtpReceiver;
let owner: TestMember;
let log = '';

beforeAll(async () => {
  smtp = await smtpReceiver();
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  shop = await startProgram({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'Coinslot <pay@service.example>' },
    replace: parts => ({ ...parts, logger: pino({ level: 'trace' }, sink) }),
  });
  owner = await signedInMember(shop, 'owner');
});

afterAll(async () => {
  await shop?.close();
  await smtp?.close();
});

const mailTo = (address: string) => smtp.mails.find(({ recipients }) => recipients.includes(address));

test('a receipt comes in the name of the studio, from the address of the service, and answers go where they said; nothing goes where nothing was paid', async () => {
  const live = await startLiveShop({
    env: { SMTP_URL: smtp.url, MAIL_FROM: 'Coinslot <pay@service.example>', LIVE_GATEWAY: 'simulator' },
  });
  const { browser } = await signedInMember(live, 'owner');
  await browser.call('PATCH', `/companies/${live.account.companyId}/receipts`, {
    sender_name: 'Northwind "Support" <evil@example.com>',
    reply_to: 'help@northwind.example',
  });
  const order = await live.order();
  await live.post(order, '/pay', { ...GOOD_CARD, email: 'payer@example.com' });
  await live.until(order, 'paid');
  await expect.poll(() => mailTo('payer@example.com')).toBeDefined();
  const mail = mailTo('payer@example.com');
  expect(mail?.from).toEqual({ name: 'Northwind "Support" <evil@example.com>', address: 'pay@service.example' });
  expect(mail?.replyTo).toEqual([{ name: '', address: 'help@northwind.example' }]);
  const free = await live.order({ price_decimal: 0 });
  await live.post(free, '/claim', { email: 'stranger@example.com' });
  await live.until(free, 'paid');
  const kept = () =>
    live.database.db.query(sql('t')`select status from mails where recipient = 'stranger@example.com'`);
  await expect.poll(kept).toEqual([{ status: 'kept' }]);
  expect(mailTo('stranger@example.com')).toBeUndefined();
  await live.close();
});

test('a mailed link arrives, works, and leaves no copy behind', async () => {
  const { email } = owner;
  const out = newBrowser(shop.url);
  await out.open();
  await out.call('POST', '/password_resets', { email });
  await expect.poll(() => mailTo(email)).toBeDefined();
  const token = /#token=([\w-]{43})/.exec(mailTo(email)!.text ?? '')![1]!;
  const kept = () =>
    shop.database.db.query<{ text: string }>({
      name: '',
      text: 'select concat(content) as text from mails where recipient = $1 and kind = $2',
      values: [email, 'account'],
    });
  await expect.poll(async () => (await kept()).map(({ text }) => text)).toEqual(['']);
  const [row] = await shop.database.db.query<{ text: string }>({
    name: '',
    text: `select string_agg(row_to_json(l)::text, '') as text from mail_links l`,
    values: [],
  });
  expect(row!.text).not.toContain(token);
  expect(log).not.toContain(token);
  const answer = await out.call('POST', '/password_resets/use', { token, password: 'seven green kettles' });
  expect(answer.status).toBe(204);
});

test('no credential stands in the log, whatever goes wrong', async () => {
  const member = await signedInMember(shop, 'developer');
  const { browser } = member;
  const at = `/games/${shop.account.gameId}/sandbox/keys`;
  const made = await browser.call<{ id: string; s2s_key: string }>('POST', at, { label: 'x' });
  await browser.call('POST', `${at}/${made.body.id}/reveal`, { password: PASSWORD });
  await browser.call('POST', `${at}/${made.body.id}/reveal`, { password: 'a wrong password' });
  await browser.call('POST', '/sign_in', { email: member.email, password: 'a wrong password' });
  await browser.call('POST', '/register', { email: member.email, password: PASSWORD, company: 'x', game_url: 'x' });
  // A fault of ours: the table is gone for a moment, and the error is logged.
  await shop.database.db.query({ name: '', text: 'alter table s2s_keys rename to s2s_keys_gone', values: [] });
  const failed = await browser.call('POST', at, { label: 'y' });
  await shop.database.db.query({ name: '', text: 'alter table s2s_keys_gone rename to s2s_keys', values: [] });
  expect(failed.status).toBe(500);
  expect(Object.keys(failed.body).toSorted()).toEqual(['code', 'request_id', 'status', 'title', 'type']);
  expect(log).toContain(String(failed.body.request_id));
  for (const secret of [browser.cookie!, browser.csrf, made.body.s2s_key, PASSWORD, 'a wrong password']) {
    expect(log).not.toContain(secret);
  }
});

test('two revocations at once leave a key', async () => {
  const { browser } = await signedInMember(shop, 'developer');
  const at = `/games/${shop.account.gameId}/live/keys`;
  await browser.call('POST', at, { label: 'second' });
  const { body } = await browser.call<{ data: { id: string }[] }>('GET', at);
  const answers = await Promise.all(body.data.map(({ id }) => browser.call('POST', `${at}/${id}/revoke`)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
});
