import type { Role } from '@coinslot/contract';
import { mails } from '@coinslot/texts/mails';
import type { Db } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { MailContent } from '../../mail/mail-content.ts';
import { queueMail } from '../../mail/send-mail.ts';
import { type DatedAuditEntry, findAuditEntry, listOwnersToNotify } from '../audit/audit.sql.ts';
import type { NotifiedKind } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { mailLanguage, queueAccountMail } from '../user/user-mail.ts';
import {
  type AboutGame,
  findAttentionFacts,
  findConnectionFacts,
  findDisabledFacts,
  findEvidenceFacts,
  findExhaustedFacts,
  listMemberEmails,
} from './notice.sql.ts';
import {
  attentionNotice,
  connectionNotice,
  disabledNotice,
  evidenceNotice,
  exhaustedNotice,
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
  content: MailContent;
}

const WHO_MEND: readonly Role[] = ['owner', 'developer'];
const WHO_DECIDE: readonly Role[] = ['owner', 'developer', 'support'];

async function findMessage(db: Db, environmentId: string, subject: NoticeSubject): Promise<Message | null> {
  async function messageOf<Facts extends AboutGame>(
    to: readonly Role[],
    found: Promise<Facts | null>,
    noticeOf: (facts: Facts) => Parameters<typeof noticeContent>[1],
    aboutOf: (facts: Facts) => string,
  ): Promise<Message | null> {
    const facts = await found;
    return facts && { about: `${aboutOf(facts)} ${facts.hour}`, to, content: noticeContent(facts, noticeOf(facts)) };
  }
  switch (subject.kind) {
    case 'delivery_exhausted': {
      const facts = findExhaustedFacts(db, environmentId, subject.deliveryId);
      return messageOf(WHO_MEND, facts, exhaustedNotice, ({ eventType }) => `exhausted ${eventType}`);
    }
    case 'attention': {
      const facts = findAttentionFacts(db, environmentId, subject.paymentId);
      return messageOf(WHO_DECIDE, facts, attentionNotice, ({ code }) => `attention ${code}`);
    }
    case 'evidence_refused': {
      const facts = findEvidenceFacts(db, environmentId, subject.paymentId);
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

export async function notifyMembers(
  { db }: Pick<Shop, 'db'>,
  environmentId: string,
  subject: NoticeSubject,
): Promise<void> {
  const message = await findMessage(db, environmentId, subject);
  if (!message) return;
  const { about, to, content } = message;
  await db.transaction(async tx => {
    for (const recipient of await listMemberEmails(tx, environmentId, to)) {
      await queueMail(tx, { id: newId('mail'), environmentId, kind: 'notice', about, recipient, content });
    }
  });
}

const timeOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What was touched, such as a key's hint or a webhook's address. */
function detailsOf({ before, after }: DatedAuditEntry): string {
  const facts = { ...before, ...after };
  const named = ['name', 'label', 'hint', 'url', 'email', 'role', 'account_id', 'required'].map(field => facts[field]);
  return named.filter(fact => fact !== undefined && fact !== null && fact !== '').join(', ') || '–';
}

/** What a thief of a session would do first is sent to every owner by mail: what, when, by whom and from where. */
export async function notifyOwners({ db }: Pick<Shop, 'db'>, auditId: string): Promise<void> {
  const entry = await findAuditEntry(db, auditId);
  if (!entry) return;
  const owners = await listOwnersToNotify(db, entry);
  await db.transaction(async tx => {
    for (const { email, locale, companyName } of owners) {
      const language = mailLanguage(locale, 'en');
      const values = {
        // Only kinds of which owners are notified have a job.
        what: mails.text(language, `changed.${entry.kind as NotifiedKind}`),
        actor: entry.actor,
        time: timeOf(entry.createdAt),
        ip: entry.ip ?? '–',
        company: companyName,
        details: detailsOf(entry),
      };
      const about = `security ${auditId}`;
      await queueAccountMail(tx, { kind: 'securityNotice', recipient: email, language, values, about });
    }
  });
}
