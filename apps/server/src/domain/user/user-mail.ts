import type { DashboardLocale } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { fill, type MailContent, oneLine } from '../../mail/mail-content.ts';
import { queueMail } from '../../mail/send-mail.ts';
import { ACCOUNT_LANGUAGES } from './languages/user-mail-languages.ts';
import type { AccountMailKind } from './languages/user-mail-words.ts';

interface AccountMail {
  kind: AccountMailKind;
  recipient: string;
  language: DashboardLocale;
  /** What is filled into the words. */
  values?: Record<string, string>;
  /** Names what it is about where it may be asked for again; it is sent once. */
  about?: string;
  /** Where its button leads. */
  url?: string;
}

const SENDER = 'Coinslot';

/** Mails about the account itself, in the language in which its owner reads the dashboard. */
export async function queueAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  const { kind, recipient, language, values = {}, url } = mail;
  const words = ACCOUNT_LANGUAGES[language].mails[kind];
  const content: MailContent = {
    subject: oneLine(fill(words.subject, values)),
    language,
    direction: 'ltr',
    sender: SENDER,
    heading: fill(words.heading, values),
    sandboxNote: null,
    paragraphs: [fill(words.text, values)],
    ...(url !== undefined && words.action !== undefined && { link: { label: words.action, url } }),
    lines: [],
    total: null,
    facts: [],
    closing: [words.closing],
  };
  const id = newId('mail');
  const about = mail.about ?? `account ${id}`;
  await queueMail(tx, { id, environmentId: null, kind: 'account', about, recipient, content });
}
