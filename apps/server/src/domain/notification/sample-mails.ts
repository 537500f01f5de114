import { ALERT_MAILS, PLAYER_MAILS, SENT_MAILS, type Seller, type SentMail } from '@coinslot/contract';
import { phrase } from '@coinslot/texts/attention';
import { type MailToWrite, mails } from '@coinslot/texts/mails';
import { notices } from '@coinslot/texts/notices';
import { PLAYER_LANGUAGES } from '@coinslot/texts/players';
import { reasons } from '@coinslot/texts/reasons';
import { type MailContent, mailLook } from '../../mail/mail-content.ts';
import type { Appearance } from '../game/appearance.ts';
import { accountContent, mailLanguage } from '../user/user-mail.ts';
import { answerText } from '../webhook/sending/exchange.ts';
import {
  attentionNotice,
  connectionNotice,
  digestNotice,
  disabledNotice,
  evidenceNotice,
  exhaustedNotice,
  noticeContent,
} from './notices.ts';
import { receiptContent } from './render-receipt.ts';

type PlayerMail = (typeof PLAYER_MAILS)[number];
type AlertMail = (typeof ALERT_MAILS)[number];
type AccountMail = Exclude<SentMail, PlayerMail | AlertMail>;

const isPlayerMail = (mail: SentMail): mail is PlayerMail => (PLAYER_MAILS as readonly string[]).includes(mail);
const isAlertMail = (mail: SentMail): mail is AlertMail => (ALERT_MAILS as readonly string[]).includes(mail);

function languagesOf(mail: SentMail): string[] {
  if (isPlayerMail(mail)) return Object.keys(PLAYER_LANGUAGES);
  return Object.keys(isAlertMail(mail) ? notices.languages : mails.languages);
}

/** Every mail that this program sends, with the languages in which it does. */
export const listSentMails = (): { mail: SentMail; languages: string[] }[] =>
  SENT_MAILS.map(mail => ({ mail, languages: languagesOf(mail) }));

export interface SampleContext {
  publicUrl: string;
  company: { name: string; seller: Seller };
  game: Appearance;
  locale: string | null;
  now: Date;
}

const [ORDER, PAYMENT] = ['ord_00000000000000000000000000', 'pay_00000000000000000000000000'];
const EMAIL = 'kim@example.com';

/** Nothing in it was ever bought. */
const sampleReceipt = ({ publicUrl, company, game, locale, now }: SampleContext): MailContent =>
  receiptContent({
    locale,
    gameName: game.name,
    look: mailLook(publicUrl, game),
    companyName: company.name,
    seller: company.seller,
    receiptUrl: null,
    sandbox: false,
    orderId: ORDER,
    paymentId: PAYMENT,
    items: [
      { sku: 'gold_500', name: '500 gold', quantity: 1, priceMinor: 499, currency: 'USD' },
      { sku: 'shield', name: 'Silver shield', quantity: 2, priceMinor: 199, currency: 'USD' },
    ],
    amountMinor: 897,
    currency: 'USD',
    brandName: 'Visa',
    last4: '4242',
    paidAt: now,
  });

function sampleAccountMail(kind: AccountMail, { publicUrl, company, game, locale, now }: SampleContext): MailContent {
  const language = mailLanguage(locale, 'en');
  // Each mail takes from these what its text names.
  const values = {
    company: company.name,
    inviter: EMAIL,
    role: mails.text(language, 'role.developer'),
    email: EMAIL,
    time: `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    browser: 'Firefox',
    ip: '192.0.2.1',
    what: mails.text(language, 'changed.key.created'),
    actor: EMAIL,
    details: 'sk_…4f2a',
  };
  const look = mailLook(publicUrl, game);
  // As it is sent: to a stranger go no pictures.
  const shown = kind === 'invitation' ? { ...look, iconUrl: null, logoUrl: null } : look;
  const written = { kind, values } as MailToWrite;
  return accountContent(
    { ...written, language, url: `${publicUrl}/dashboard/` },
    kind === 'emailToVerify' ? null : shown,
  );
}

function sampleAlert(kind: AlertMail, { publicUrl, game, locale, now }: SampleContext): MailContent {
  const language = mailLanguage(locale, 'en');
  const about = {
    mode: 'live',
    gameId: game.gameId,
    gameName: game.name,
    look: game,
    hour: now.toISOString(),
  } as const;
  const endpoint = 'https://game.example/coinslot';
  const attention = {
    ...about,
    code: 'grant_unanswered',
    orderId: ORDER,
    paymentId: PAYMENT,
    detail: [phrase('not_granted', { answer: answerText({ lastStatus: 503, lastError: null }) })],
    attempts: 4,
    lastStatus: 503,
  } as const;
  const answer = { attempts: 16, lastStatus: 503, lastError: null };
  const notice = {
    attention: () => attentionNotice({ ...attention, detail: [...attention.detail] }, language),
    digest: () => digestNotice({ ...attention, detail: [...attention.detail] }, 12, language),
    exhausted: () =>
      exhaustedNotice({ ...about, eventType: 'item.add', orderId: ORDER, url: endpoint, ...answer }, language),
    disabled: () =>
      disabledNotice({ ...about, subscriptionId: 'whk_1', url: endpoint, reason: 'endpoint_gone' }, language),
    evidence: () =>
      evidenceNotice(
        {
          ...about,
          paymentId: PAYMENT,
          code: 'too_late',
          reason: reasons.text('en', 'refusal.charge_missing'),
        },
        language,
      ),
    connection: () => connectionNotice({ ...about, provider: 'example', account: 'acct_1', advice: [] }, language),
  }[kind];
  return noticeContent(publicUrl, about, notice(), language);
}

/** A mail as its reader would get it, about things that never were. */
export function sampleMail(mail: SentMail, context: SampleContext): MailContent {
  if (isPlayerMail(mail)) return sampleReceipt(context);
  return isAlertMail(mail) ? sampleAlert(mail, context) : sampleAccountMail(mail, context);
}
