import type { Db } from '../db/db.ts';
import { remakeReceipt } from '../domain/notification/send-receipt.ts';
import { checkoutUrls } from '../domain/order/checkout-token.ts';
import { insertJob, type NewJob } from '../jobs/jobs.sql.ts';
import { createSeal } from '../kit/seal.ts';
import {
  findMail,
  listMails,
  type Mail,
  type MailStatus,
  type MailSummary,
  type QueuedMail,
  type RemakeMail,
  updateMailsQueued,
} from '../mail/mail.sql.ts';
import { masterKey } from '../program/master-key/master-key.ts';
import { loadConfig } from '../settings/config.ts';
import { defineCommand, type Io, UsageError } from './command.ts';
import { withDb } from './open.ts';

interface OpenedMails {
  db: Db;
  remake: RemakeMail;
  /** True when SMTP_URL is set, so that queued mails are sent. */
  canSend: boolean;
}

const STATUSES = ['kept', 'failed', 'sent', 'queued'] as const satisfies MailStatus[];
const DEFAULT_LIMIT = 50;

interface MailsOptions extends Partial<Record<(typeof STATUSES)[number], boolean>> {
  html?: boolean;
  json?: boolean;
  send?: boolean;
  limit: string;
}

const timeOf = (time: Date): string => time.toISOString().slice(0, 19).replace('T', ' ');

function tableOf(mails: MailSummary[]): string {
  const rows = mails.map(mail => [
    mail.id,
    timeOf(mail.createdAt),
    mail.status,
    mail.kind,
    mail.recipient,
    mail.subject,
  ]);
  const table = [['ID', 'TIME (UTC)', 'STATUS', 'KIND', 'TO', 'SUBJECT'], ...rows];
  const widths = table[0]!.map((_, column) => Math.max(...table.map(row => row[column]!.length)));
  return table
    .map(row =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function contentOf(mail: Mail): string {
  const status = mail.sentAt ? `sent ${timeOf(mail.sentAt)} UTC` : mail.status;
  const error = mail.lastError ? `\nError:   ${mail.lastError}` : '';
  return `To:      ${mail.recipient}\nSubject: ${mail.subject}\nMade:    ${timeOf(mail.createdAt)} UTC\nStatus:  ${status}${error}\n\n${mail.text}`;
}

const wireOf = ({ createdAt, sentAt, ...mail }: MailSummary & Partial<Mail>) => {
  const { environmentId, lastError, ...rest } = mail;
  return { ...rest, environment_id: environmentId, last_error: lastError, created_at: createdAt, sent_at: sentAt };
};

async function showOne(
  id: string,
  form: { html?: boolean; json?: boolean },
  opened: OpenedMails & Io,
): Promise<number> {
  const mail = await findMail(opened.db, id, opened.remake);
  if (!mail) {
    opened.writeError(`There is no mail ${id}. List them with: npm run mails`);
    return 1;
  }
  opened.write(form.json ? JSON.stringify(wireOf(mail), null, 2) : form.html ? mail.html : contentOf(mail));
  return 0;
}

async function showList(
  status: MailStatus | null,
  limit: number,
  json: boolean,
  opened: OpenedMails & Io,
): Promise<number> {
  const mails = await listMails(opened.db, status, limit);
  if (json) opened.write(JSON.stringify(mails.map(wireOf), null, 2));
  else if (mails.length === 0) opened.write('No mails yet.');
  else opened.write(`${tableOf(mails)}\n\nRead one: npm run mails -- ${mails[0]!.id}`);
  return 0;
}

/** A receipt is rendered from its payment again, by the job that rendered it first. */
const jobOf = ({ id, environmentId, about, isRemade }: QueuedMail): NewJob =>
  isRemade
    ? { name: 'receipt.send', environmentId, payload: { paymentId: about.slice('receipt '.length) } }
    : { name: 'mail.send', environmentId: null, payload: { mailId: id } };

/** Queues mails again. The running server, or the next one that starts, sends them. */
async function sendKept(id: string | null, opened: OpenedMails & Io): Promise<number> {
  if (!opened.canSend) {
    opened.writeError('SMTP_URL is not set, so there is no mail server to send with.');
    return 1;
  }
  const queued = await opened.db.transaction(async tx => {
    const mails = await updateMailsQueued(tx, id);
    for (const mail of mails) insertJob(tx, jobOf(mail));
    return mails;
  });
  opened.write(
    `${queued.length} ${queued.length === 1 ? 'mail' : 'mails'} queued. Progress: npm run mails -- --queued`,
  );
  return 0;
}

export const mailsCommand = defineCommand<OpenedMails, MailsOptions>({
  name: 'mails [id]',
  summary: 'Lists the newest mails, shows one, or sends those that were kept without a mail server.',
  options: command =>
    command
      .option('--kept', 'only mails that wait for a mail server')
      .option('--failed', 'only mails that could not be sent')
      .option('--sent', 'only mails that were sent')
      .option('--queued', 'only mails that are about to be sent')
      .option('--limit <count>', 'how many to list', String(DEFAULT_LIMIT))
      .option('--send', 'send all kept mails, or the one with this id')
      .option('--html', 'show the mail as HTML')
      .option('--json', 'print one JSON value'),
  async open(work) {
    const config = loadConfig();
    const checkoutUrlOf = checkoutUrls(createSeal(await masterKey(config)), config.publicUrl);
    return withDb(config, db =>
      work({
        db,
        remake: remakeReceipt(db, { publicUrl: config.publicUrl, checkoutUrlOf }),
        canSend: config.smtpUrl !== undefined,
      }),
    );
  },
  async run(opened, [id = null], options) {
    const limit = Number(options.limit);
    if (!Number.isSafeInteger(limit) || limit < 1) throw new UsageError('--limit is a whole number from 1 on.');
    if (options.send) return sendKept(id, opened);
    if (id !== null) return showOne(id, options, opened);
    return showList(STATUSES.find(status => options[status]) ?? null, limit, options.json ?? false, opened);
  },
});
