import type { DashboardLocale } from '@coinslot/contract';
import { type MailToWrite, mails, mailTexts } from '@coinslot/texts/mails';
import type { Tx } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { type MailContent, type MailLook, mailLook, oneLine } from '../../mail/mail-content.ts';
import { queueMail } from '../../mail/send-mail.ts';
import { findLookForUser } from './studio-look.sql.ts';

type AccountText = MailToWrite & { language: DashboardLocale; url?: string };

type AccountMail = AccountText & {
  recipient: string;
  /** Names what it is about where it may be asked for again; it is sent once. */
  about?: string;
  /** Where the mail goes to an address that the user just left. */
  userId?: string;
  /** The company that it is about, where it is about one. */
  companyId?: string | null;
  /** The look of the mail, in place of that of the recipient's studio. */
  look?: MailLook | null;
};

const SENDER = 'Coinslot';

/** The language that the user chose, else the one in which the dashboard was shown. */
export const mailLanguage = (chosen: string | null, shown: DashboardLocale): DashboardLocale =>
  mails.has(chosen) ? chosen : shown;

/** Mails about the account itself, in the language in which its owner reads the dashboard. */
export function accountContent(mail: AccountText, look: MailLook | null): MailContent {
  const { language, url } = mail;
  const { subject, heading, text, action, closing } = mailTexts(language, mail);
  return {
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
    ...(look && { look }),
  };
}

/** In the look of the user's studio; an address that was never proven gets no stranger's pictures. */
export async function queueAccountMail(tx: Tx, publicUrl: string, mail: AccountMail): Promise<void> {
  const { recipient, userId = null, companyId = null } = mail;
  const found =
    mail.look === undefined ? await findLookForUser(tx, { email: recipient, userId, companyId }) : mail.look;
  const content = accountContent(mail, found && mailLook(publicUrl, found));
  const id = newId('mail');
  const about = mail.about ?? `account ${id}`;
  await queueMail(tx, { id, environmentId: null, kind: 'account', about, recipient, content });
}
