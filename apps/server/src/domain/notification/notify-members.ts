import type { Role } from '@coinslot/contract';
import type { Db } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { queueMail } from '../../mail/send-mail.ts';
import type { Shop } from '../shop.ts';
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
