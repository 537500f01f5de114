import type { Queryable } from '../../db/db.ts';
import { type AuditFilter, listAuditEntries, type StoredAuditEntry } from '../audit/audit.sql.ts';
import { type AuditPage, listMemberAuditEntries } from './member-audit.sql.ts';

/** What was done in the company, and what its members did to their own ways in, newest first. */
export async function readCompanyAudit(
  db: Queryable,
  companyId: string,
  filter: AuditFilter,
  page: AuditPage,
): Promise<StoredAuditEntry[]> {
  const lists = await Promise.all([
    listAuditEntries(db, companyId, filter, page.beforeId, page.limit),
    listMemberAuditEntries(db, companyId, filter, page),
  ]);
  return lists
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, page.limit);
}
