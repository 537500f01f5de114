import { mails } from '@coinslot/texts/mails';
import { type DatedAuditEntry, findAuditEntry, listOwnersToNotify } from '../audit/audit.sql.ts';
import type { NotifiedKind } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { mailLanguage, queueAccountMail } from '../user/user-mail.ts';

const timeOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** What was touched, such as a key's hint or a webhook's address. */
function detailsOf({ before, after }: DatedAuditEntry): string {
  const facts = { ...before, ...after };
  const named = ['name', 'label', 'hint', 'url', 'email', 'role', 'account_id', 'required'].map(field => facts[field]);
  return named.filter(fact => fact !== undefined && fact !== null && fact !== '').join(', ') || '–';
}

/** What a thief of a session would do first is sent to every owner by mail: what, when, by whom and from where. */
export async function notifyOwners({ db, publicUrl }: Pick<Shop, 'db' | 'publicUrl'>, auditId: string): Promise<void> {
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
      const { companyId } = entry;
      await queueAccountMail(tx, publicUrl, {
        kind: 'securityNotice',
        recipient: email,
        language,
        values,
        about,
        companyId,
      });
    }
  });
}
