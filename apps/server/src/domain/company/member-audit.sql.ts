import type { Queryable } from '../../db/db.ts';
import { sqlUnprepared } from '../../db/sql.ts';
import { type AuditFilter, listAuditEntries, type StoredAuditEntry } from '../audit/audit.sql.ts';

export interface AuditPage {
  beforeId: string | null;
  limit: number;
}

/** What members did to their own accounts since they joined: sign-ins, failed ones, changed passwords. Newest first. */
export const listMemberAuditEntries = (
  db: Queryable,
  companyId: string,
  { userId, kind, from, to }: AuditFilter,
  { beforeId, limit }: AuditPage,
): Promise<StoredAuditEntry[]> =>
  db.query(sqlUnprepared('audit_list_of_members')`
    select a.id, a."userId", a.actor, a.kind, a."objectId", a.before, a.after, a.ip, null as "gameId", null as mode,
           a."createdAt"
    from members m cross join lateral (
      select o.id, o.user_id as "userId", o.actor, o.kind, o.object_id as "objectId", o.before, o.after, o.ip,
             o.created_at as "createdAt"
      from audit_entries o
      where o.user_id = m.user_id and o.company_id is null and o.created_at >= m.created_at
        and (${beforeId}::text is null or o.id < ${beforeId}::text)
        and (${kind}::text is null or o.kind = ${kind}::text or starts_with(o.kind, ${kind}::text || '.'))
        and (${from}::timestamptz is null or o.created_at >= ${from}::timestamptz)
        and (${to}::timestamptz is null or o.created_at < ${to}::timestamptz)
      order by o.id desc limit ${limit}
    ) a
    where m.company_id = ${companyId} and (${userId}::text is null or m.user_id = ${userId}::text)
    order by a.id desc limit ${limit}`);

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
