import type { Role } from '@coinslot/contract';
import { mails } from '@coinslot/texts/mails';
import type { Db } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { queueMail } from '../../mail/send-mail.ts';
import { type DatedAuditEntry, findAuditEntry, listOwnersToNotify } from '../audit/audit.sql.ts';
import type { NotifiedKind } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { mailLanguage, queueAccountMail } from '../user/user-mail.ts';
import {
  attentionNotice,
  connectionNotice,
  disabledNotice,
  evidenceNotice,
  exhaustedNotice,
  type NoticeView,
  noticeContent,
} from './notices.ts';
import {
  findAttentionFacts,
  findConnectionFacts,
  findDisabledFacts,
  findEvidenceFacts,
  findExhaustedFacts,
  listMemberEmails,
} from './receipt.sql.ts';

/** What is worth a message to the studio's people. Modules below name it in the job's payload. */
export type NoticeSubject =
  | { kind: 'delivery_exhausted'; deliveryId: string }
  | { kind: 'webhook_disabled'; subscriptionId: string }
  | { kind: 'attention'; paymentId: string }
  | { kind: 'evidence_refused'; paymentId: string }
  | { kind: 'connection'; companyId: string; provider: string };

interface Notice {
  /** One mail about the same thing: an outage that strikes a thousand orders sends one message an hour. */
  about: string;
  to: readonly Role[];
  view: NoticeView;
}

const WHO_MEND: readonly Role[] = ['owner', 'developer'];
const WHO_DECIDE: readonly Role[] = ['owner', 'developer', 'support'];

async function findNotice(db: Db, environmentId: string, subject: NoticeSubject): Promise<Notice | null> {
  if (subject.kind === 'delivery_exhausted') {
    const facts = await findExhaustedFacts(db, environmentId, subject.deliveryId);
    return facts && { about: `exhausted ${facts.eventType} ${facts.hour}`, to: WHO_MEND, view: exhaustedNotice(facts) };
  }
  if (subject.kind === 'attention') {
    const facts = await findAttentionFacts(db, environmentId, subject.paymentId);
    return facts && { about: `attention ${facts.code} ${facts.hour}`, to: WHO_DECIDE, view: attentionNotice(facts) };
  }
  if (subject.kind === 'evidence_refused') {
    const facts = await findEvidenceFacts(db, environmentId, subject.paymentId);
    return (
      facts && { about: `evidence ${subject.paymentId} ${facts.hour}`, to: WHO_DECIDE, view: evidenceNotice(facts) }
    );
  }
  if (subject.kind === 'connection') {
    const facts = await findConnectionFacts(db, environmentId, subject);
    return (
      facts && { about: `connection ${facts.provider} ${facts.hour}`, to: WHO_MEND, view: connectionNotice(facts) }
    );
  }
  const facts = await findDisabledFacts(db, environmentId, subject.subscriptionId);
  return (
    facts && { about: `disabled ${subject.subscriptionId} ${facts.hour}`, to: WHO_MEND, view: disabledNotice(facts) }
  );
}

export async function notifyMembers(
  { db }: Pick<Shop, 'db'>,
  environmentId: string,
  subject: NoticeSubject,
): Promise<void> {
  const notice = await findNotice(db, environmentId, subject);
  if (!notice) return;
  const { about, to, view } = notice;
  const content = noticeContent(view);
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
