import { parseArgs } from 'node:util';
import type { Db } from '../db/db.ts';
import { insertJob, type NewJob } from '../jobs/jobs.sql.ts';
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

export interface RunMailsDeps {
  db: Db;
  remake: RemakeMail;
  /** SMTP_URL is set, so that what is queued will leave. */
  canSend: boolean;
  write: (text: string) => void;
  fail: (text: string) => void;
}

const USAGE = `npm run mails                 the newest mails
npm run mails -- --kept       only those that wait (also --failed, --sent, --queued)
npm run mails -- <id>         one mail; --html or --json for its other forms
npm run mails -- --send       send all kept mails, or --send <id> for one`;

const STATUSES = ['kept', 'failed', 'sent', 'queued'] as const satisfies MailStatus[];
const DEFAULT_LIMIT = 50;

const options = {
  html: { type: 'boolean' },
  json: { type: 'boolean' },
  send: { type: 'boolean' },
  help: { type: 'boolean' },
  kept: { type: 'boolean' },
  failed: { type: 'boolean' },
  sent: { type: 'boolean' },
  queued: { type: 'boolean' },
  limit: { type: 'string' },
} as const;

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

async function showOne(id: string, form: { html?: boolean; json?: boolean }, deps: RunMailsDeps): Promise<number> {
  const mail = await findMail(deps.db, id, deps.remake);
  if (!mail) {
    deps.fail(`There is no mail ${id}. List them with: npm run mails`);
    return 1;
  }
  deps.write(form.json ? JSON.stringify(wireOf(mail), null, 2) : form.html ? mail.html : contentOf(mail));
  return 0;
}

async function showList(status: MailStatus | null, limit: number, json: boolean, deps: RunMailsDeps): Promise<number> {
  const mails = await listMails(deps.db, status, limit);
  if (json) deps.write(JSON.stringify(mails.map(wireOf), null, 2));
  else if (mails.length === 0) deps.write('No mails yet.');
  else deps.write(`${tableOf(mails)}\n\nRead one: npm run mails -- ${mails[0]!.id}`);
  return 0;
}

/** A receipt is made from its payment again, by the job that made it first. */
const jobOf = ({ id, environmentId, about, isRemade }: QueuedMail): NewJob =>
  isRemade
    ? { name: 'receipt.send', environmentId, payload: { paymentId: about.slice('receipt '.length) } }
    : { name: 'mail.send', environmentId: null, payload: { mailId: id } };

/** The running server, or the next one, sends them: this only puts them back in its queue. */
async function sendKept(id: string | null, deps: RunMailsDeps): Promise<number> {
  if (!deps.canSend) {
    deps.fail('SMTP_URL is not set, so there is no mail server to send with.');
    return 1;
  }
  const queued = await deps.db.transaction(async tx => {
    const mails = await updateMailsQueued(tx, id);
    for (const mail of mails) insertJob(tx, jobOf(mail));
    return mails;
  });
  deps.write(`${queued.length} ${queued.length === 1 ? 'mail' : 'mails'} queued. Progress: npm run mails -- --queued`);
  return 0;
}

function readArgs(argv: string[]) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** The `mails` command. Returns the exit code. */
export async function runMails(argv: string[], deps: RunMailsDeps): Promise<number> {
  const args = readArgs(argv);
  if ('problem' in args) {
    deps.fail(`${args.problem}\n\n${USAGE}`);
    return 2;
  }
  const { values, positionals } = args;
  const [id = null, ...more] = positionals;
  const limit = Number(values.limit ?? DEFAULT_LIMIT);
  if (more.length > 0 || !Number.isSafeInteger(limit) || limit < 1) {
    deps.fail(USAGE);
    return 2;
  }
  if (values.help) {
    deps.write(USAGE);
    return 0;
  }
  if (values.send) return sendKept(id, deps);
  if (id !== null) return showOne(id, values, deps);
  return showList(STATUSES.find(status => values[status]) ?? null, limit, values.json ?? false, deps);
}
