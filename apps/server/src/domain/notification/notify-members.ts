import type { DashboardLocale, Role } from '@coinslot/contract';
import { newId } from '../../kit/ids.ts';
import type { MailContent } from '../../mail/mail-content.ts';
import { queueMail } from '../../mail/send-mail.ts';
import type { Shop } from '../shop.ts';
import { mailLanguage } from '../user/user-mail.ts';
import {
  type AboutGame,
  findAttentionFacts,
  findConnectionFacts,
  findDisabledFacts,
  findExhaustedFacts,
  findRefusedEvidence,
  findReportCount,
  findWaitingCount,
  listMembersToNotify,
} from './notice.sql.ts';
import {
  attentionNotice,
  connectionNotice,
  digestNotice,
  disabledNotice,
  evidenceNotice,
  exhaustedNotice,
  type Notice,
  noticeContent,
} from './notices.ts';

/** What is worth a message to the studio's people. Modules below name it in the job's payload. */
export type NoticeSubject =
  | { kind: 'delivery_exhausted'; deliveryId: string }
  | { kind: 'webhook_disabled'; subscriptionId: string }
  | { kind: 'attention'; paymentId: string }
  | { kind: 'evidence_refused'; paymentId: string }
  | { kind: 'connection'; companyId: string; provider: string; accountId: string };

interface Message {
  /** One mail about the same thing: an outage that strikes a thousand orders sends one message an hour. */
  about: string;
  to: readonly Role[];
  contentIn(language: DashboardLocale): MailContent;
}

const WHO_MEND: readonly Role[] = ['owner', 'developer'];
const WHO_DECIDE: readonly Role[] = ['owner', 'developer', 'support'];

type NoticeShop = Pick<Shop, 'db' | 'publicUrl'>;

/** So often a cause is reported in a day; then it is summed up. */
const MOST_REPORTS = 3;

/** One message for one cause and hour, and after the third of a day one a day that says how many wait. */
async function attentionMessage(
  { db, publicUrl }: NoticeShop,
  environmentId: string,
  paymentId: string,
): Promise<Message | null> {
  const facts = await findAttentionFacts(db, environmentId, paymentId);
  if (!facts) return null;
  const cause = `attention ${facts.code}`;
  const contentOf =
    (noticeIn: (language: DashboardLocale) => Notice): Message['contentIn'] =>
    language =>
      noticeContent(publicUrl, facts, noticeIn(language), language);
  if ((await findReportCount(db, environmentId, cause)) < MOST_REPORTS) {
    const contentIn = contentOf(language => attentionNotice(facts, language));
    return { about: `${cause} ${facts.hour}`, to: WHO_DECIDE, contentIn };
  }
  const waiting = await findWaitingCount(db, environmentId, facts.code);
  const day = facts.hour.slice(0, 'YYYY-MM-DD'.length);
  const contentIn = contentOf(language => digestNotice(facts, waiting, language));
  return { about: `digest ${cause} ${day}`, to: WHO_DECIDE, contentIn };
}

async function findMessage(shop: NoticeShop, environmentId: string, subject: NoticeSubject): Promise<Message | null> {
  const { db, publicUrl } = shop;
  async function messageOf<Facts extends AboutGame>(
    to: readonly Role[],
    found: Promise<Facts | null>,
    noticeOf: (facts: Facts, language: DashboardLocale) => Notice,
    aboutOf: (facts: Facts) => string,
  ): Promise<Message | null> {
    const facts = await found;
    return (
      facts && {
        about: `${aboutOf(facts)} ${facts.hour}`,
        to,
        contentIn: language => noticeContent(publicUrl, facts, noticeOf(facts, language), language),
      }
    );
  }
  switch (subject.kind) {
    case 'delivery_exhausted': {
      const facts = findExhaustedFacts(db, environmentId, subject.deliveryId);
      return messageOf(WHO_MEND, facts, exhaustedNotice, ({ eventType }) => `exhausted ${eventType}`);
    }
    case 'attention':
      return attentionMessage(shop, environmentId, subject.paymentId);
    case 'evidence_refused': {
      const facts = findRefusedEvidence(db, environmentId, subject.paymentId);
      return messageOf(WHO_DECIDE, facts, evidenceNotice, ({ paymentId }) => `evidence ${paymentId}`);
    }
    case 'connection': {
      const facts = findConnectionFacts(db, environmentId, subject);
      return messageOf(
        WHO_MEND,
        facts,
        connectionNotice,
        ({ provider }) => `connection ${provider} ${subject.accountId}`,
      );
    }
    case 'webhook_disabled': {
      const facts = findDisabledFacts(db, environmentId, subject.subscriptionId);
      return messageOf(WHO_MEND, facts, disabledNotice, () => `disabled ${subject.subscriptionId}`);
    }
  }
}

export async function notifyMembers(shop: NoticeShop, environmentId: string, subject: NoticeSubject): Promise<void> {
  const { db } = shop;
  const message = await findMessage(shop, environmentId, subject);
  if (!message) return;
  const { about, to, contentIn } = message;
  await db.transaction(async tx => {
    for (const { email: recipient, locale } of await listMembersToNotify(tx, environmentId, to)) {
      const content = contentIn(mailLanguage(locale, 'en'));
      await queueMail(tx, { id: newId('mail'), environmentId, kind: 'notice', about, recipient, content });
    }
  });
}
