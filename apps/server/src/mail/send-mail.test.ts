import { type TestDatabase, testDatabase } from '@coinslot/testing/database';
import { type SmtpReceiver, smtpReceiver } from '@coinslot/testing/smtp-receiver';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mailsCommand } from '../commands/mails.ts';
import { sql } from '../db/sql.ts';
import { createJobWorker } from '../jobs/job-worker.ts';
import { newId } from '../kit/ids.ts';
import { claimMail, findMail, type Mail } from './mail.sql.ts';
import type { MailContent } from './mail-content.ts';
import { createMailer, type Mailer } from './mailer.ts';
import { renderMail } from './render-mail.ts';
import { type MailToQueue, mailJobs, queueMail, sendMail } from './send-mail.ts';

let database: TestDatabase;
let server: SmtpReceiver;
const mailers: Mailer[] = [];

beforeAll(async () => {
  database = await testDatabase();
  server = await smtpReceiver();
});
afterEach(async () => {
  for (const made of mailers.splice(0)) made.close();
  server.mails.length = 0;
  await database.db.query(sql('test_clear_jobs')`delete from jobs`);
  await database.db.query(sql('test_clear_mails')`delete from mails`);
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

function mailerTo(smtpUrl: string): Mailer {
  const made = createMailer({ smtpUrl, from: 'Coinslot <no-reply@shop.test>' });
  mailers.push(made);
  return made;
}

const workerOf = (mailer: Mailer | null) =>
  createJobWorker({
    db: database.db,
    handlers: mailJobs({ db: database.db, mailer }),
    random: () => 0.5,
    onError: () => {},
  });

/** One round of the worker, at a time when everything that failed is due again. */
async function workOff(mailer: Mailer | null): Promise<void> {
  await database.advance(4_000);
  await workerOf(mailer).drain();
}

const content = (subject: string): MailContent => ({
  subject,
  language: 'en',
  direction: 'ltr',
  sender: 'Castle Quest',
  heading: 'Your receipt',
  sandboxNote: null,
  paragraphs: ['Thank you'],
  lines: [],
  total: null,
  facts: [],
  closing: [],
});

async function queue(changes: Partial<MailToQueue> = {}): Promise<string> {
  const mail = {
    id: newId('mail'),
    environmentId: 'env_1',
    kind: 'receipt',
    about: `receipt ${newId('pay')}`,
    recipient: 'player@example.com',
    content: content('Your receipt'),
    ...changes,
  };
  await database.db.transaction(tx => queueMail(tx, mail));
  return mail.id;
}

const read = async (id: string): Promise<Mail> => (await findMail(database.db, id, async () => null))!;
const jobsLeft = async (): Promise<number> => (await database.db.query(sql('test_jobs')`select id from jobs`)).length;

describe('a queued mail', () => {
  it('is sent once and recorded, and asking again sends nothing', async () => {
    const mailer = mailerTo(server.url);
    const id = await queue({ about: 'receipt pay_1' });
    await workOff(mailer);
    await queue({ about: 'receipt pay_1' });
    await workOff(mailer);
    expect(server.mails).toHaveLength(1);
    expect(await read(id)).toMatchObject({ status: 'sent', tries: 1, lastError: null, sentAt: expect.any(Date) });
    expect(await jobsLeft()).toBe(0);
  });

  it('is sent once, however many jobs find it at the same instant', async () => {
    const id = await queue();
    const deps = { db: database.db, mailer: mailerTo(server.url) };
    await Promise.all(Array.from({ length: 10 }, () => sendMail(deps, id)));
    expect(server.mails).toHaveLength(1);
    expect(await read(id)).toMatchObject({ status: 'sent', tries: 1 });
  });

  it('that a dead worker had claimed is sent by the next one', async () => {
    const id = await queue();
    await claimMail(database.db, id, { leaseSeconds: 45, oldAfterSeconds: 1e6 }, null);
    const deps = { db: database.db, mailer: mailerTo(server.url) };
    await sendMail(deps, id);
    expect(server.mails).toEqual([]);
    await database.advance(60);
    await sendMail(deps, id);
    expect(server.mails).toHaveLength(1);
  });

  it('is not sent when the transaction that queued it is rolled back', async () => {
    const failing = database.db.transaction(async tx => {
      const id = newId('mail');
      await queueMail(tx, {
        id,
        environmentId: null,
        kind: 'k',
        about: 'a',
        recipient: 'a@b.c',
        content: content('s'),
      });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await workOff(mailerTo(server.url));
    expect(server.mails).toEqual([]);
  });

  it('survives a server that is down, then says later, then works: it arrives once', async () => {
    const down = await smtpReceiver();
    await down.close();
    const mailer = mailerTo(down.url);
    const id = await queue();
    await workOff(mailer);
    expect(await read(id)).toMatchObject({
      status: 'queued',
      tries: 1,
      lastError: expect.stringContaining('ECONNREFUSED'),
    });
    const up = await smtpReceiver({ port: down.port });
    up.refuseNext('RCPT TO', 451);
    up.refuseNext('DATA', 452);
    for (let round = 0; round < 4; round++) await workOff(mailer);
    expect(up.mails).toHaveLength(1);
    expect(await read(id)).toMatchObject({ status: 'sent', tries: 4 });
    await up.close();
  });

  it('is given up when the recipient does not exist, and after three days', async () => {
    const mailer = mailerTo(server.url);
    const unknown = await queue();
    server.refuseNext('RCPT TO', 550);
    await workOff(mailer);
    expect(await read(unknown)).toMatchObject({ status: 'failed', lastError: expect.stringContaining('550') });

    const unlucky = await queue();
    server.refuseNext('DATA', 451, 451);
    await workOff(mailer);
    await database.advance(3 * 24 * 3600);
    await workOff(mailer);
    expect(await read(unlucky)).toMatchObject({ status: 'failed', tries: 2 });
    expect(await jobsLeft()).toBe(0);
    expect(server.mails).toEqual([]);
  });

  it('to something that is no address fails and is never sent', async () => {
    const id = await queue({ recipient: 'a@example.com\r\nBcc: victim@example.com' });
    await workOff(mailerTo(server.url));
    expect(await read(id)).toMatchObject({ status: 'failed' });
    expect(server.mails).toEqual([]);
  });

  it('that was sent but not recorded is sent again under the same Message-ID', async () => {
    const mailer = mailerTo(server.url);
    const id = await queue();
    await mailer.send(await read(id));
    await workOff(mailer);
    expect(server.mails.map(({ messageId }) => messageId)).toEqual([`<${id}@shop.test>`, `<${id}@shop.test>`]);
  });
});

async function run(args: string[], canSend = false) {
  const out: string[] = [];
  const err: string[] = [];
  const say = { write: (text: string) => void out.push(text), writeError: (text: string) => void err.push(text) };
  const code = await mailsCommand.run(args, { db: database.db, remake: async () => null, canSend, ...say });
  return { code, out: out.join(''), err: err.join('') };
}

describe('the mails command', () => {
  it('lists what was kept without a mail server and shows each in every form', async () => {
    expect(await run([])).toEqual({ code: 0, out: 'No mails yet.', err: '' });
    const id = await queue({ content: content('Quittung für Jörg') });
    await workOff(null);
    expect(await jobsLeft()).toBe(0);
    const list = await run([]);
    expect(list.out).toContain('Quittung für Jörg');
    expect(list.out).toMatch(new RegExp(`${id} .* kept +receipt +player@example.com`));
    expect((await run([id])).out).toContain('To:      player@example.com\nSubject: Quittung für Jörg');
    expect((await run([id])).out).toContain('Thank you');
    const { html } = renderMail(content('Quittung für Jörg'));
    expect((await run([id, '--html'])).out).toBe(html);
    expect(JSON.parse((await run([id, '--json'])).out)).toMatchObject({ id, status: 'kept', html });
    expect(JSON.parse((await run(['--json', '--sent'])).out)).toEqual([]);
    expect(JSON.parse((await run(['--json', '--kept'])).out)).toMatchObject([{ id }]);
  });

  it('sends kept mails only when told to, and each once', async () => {
    const id = await queue();
    await workOff(null);
    const mailer = mailerTo(server.url);
    await workOff(mailer);
    expect(server.mails).toEqual([]);
    expect(await run(['--send'])).toMatchObject({ code: 1, err: expect.stringContaining('SMTP_URL') });
    expect((await run(['--send'], true)).out).toContain('1 mail queued');
    expect((await run(['--send'], true)).out).toContain('0 mails queued');
    await workOff(mailer);
    expect(server.mails).toHaveLength(1);
    expect(await read(id)).toMatchObject({ status: 'sent' });
  });

  it('explains itself when it is asked wrongly', async () => {
    expect(await run(['mail_none'])).toMatchObject({ code: 1, err: expect.stringContaining('no mail mail_none') });
    for (const args of [['--nonsense'], ['a', 'b'], ['--limit', '0']]) {
      expect(await run(args)).toMatchObject({ code: 2, err: expect.stringContaining('npm run mails') });
    }
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--send') });
  });
});
