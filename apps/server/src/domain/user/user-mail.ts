import type { DashboardLocale } from '@coinslot/contract';
import { type MailToWrite, mails, mailTexts } from '@coinslot/texts/mails';
import type { Tx } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { type MailContent, oneLine } from '../../mail/mail-content.ts';
import { queueMail } from '../../mail/send-mail.ts';

type AccountMail = MailToWrite & {
  recipient: string;
  language: DashboardLocale;
  /** Names what it is about where it may be asked for again; it is sent once. */
  about?: string;
  url?: string;
};

const SENDER = 'Coinslot';

/** The language that the user chose, else the one in which the dashboard was shown. */
export const mailLanguage = (chosen: string | null, shown: DashboardLocale): DashboardLocale =>
  mails.has(chosen) ? chosen : shown;

/** Mails about the account itself, in the language in which its owner reads the dashboard. */
export async function queueAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  const { recipient, language, url } = mail;
  const { subject, heading, text, action, closing } = mailTexts(language, mail);
  const content: MailContent = {
    subject: oneLine(subject),
    language,
    direction: 'ltr',
    sender: SENDER,
    heading,
    sandboxNote: null,
    paragraphs: [text],
    ...(url !== undefined && action !== null && { link: { label: action, url } }),
    lines: [],
    total: null,
    facts: [],
    closing: [closing],
  };
  const id = newId('mail');
  const about = mail.about ?? `account ${id}`;
  await queueMail(tx, { id, environmentId: null, kind: 'account', about, recipient, content });
}
