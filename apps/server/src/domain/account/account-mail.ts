import type { Tx } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { Letter } from '../../mail/letter.ts';
import { queueMail } from '../../mail/queue-mail.ts';
import { renderHtml } from '../../mail/render-html.ts';
import { renderText } from '../../mail/render-text.ts';

interface AccountMail {
  recipient: string;
  subject: string;
  heading: string;
  paragraphs: string[];
  link?: { label: string; url: string };
  closing: string;
}

const SENDER = 'Coinslot';

/** Mails about the account itself, in English like the dashboard's other notices. */
export async function queueAccountMail(tx: Tx, mail: AccountMail): Promise<void> {
  const { recipient, subject, heading, paragraphs, closing } = mail;
  const letter: Letter = {
    subject,
    language: 'en',
    direction: 'ltr',
    sender: SENDER,
    heading,
    sandboxNote: null,
    paragraphs,
    ...(mail.link && { link: mail.link }),
    lines: [],
    total: null,
    facts: [],
    closing: [closing],
  };
  const id = newId('mail');
  const text = renderText(letter);
  const html = renderHtml(letter);
  await queueMail(tx, {
    id,
    environmentId: null,
    kind: 'account',
    about: `account ${id}`,
    recipient,
    subject,
    text,
    html,
  });
}
