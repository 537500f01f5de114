import type { Queryable, Tx } from '../../db/db.ts';
import { sql, sqlUnprepared } from '../../db/sql.ts';

export interface AuditEntry {
  id: string;
  companyId: string | null;
  environmentId: string | null;
  userId: string | null;
  actor: string;
  kind: string;
  objectId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
}

const asJson = (facts: Record<string, unknown> | null): string | null => facts && JSON.stringify(facts);

export function insertAuditEntry(tx: Tx, entry: AuditEntry): void {
  tx.write(sql('audit_insert')`
    insert into audit_entries (id, company_id, environment_id, user_id, actor, kind, object_id, before, after, ip, created_at)
    values (${entry.id}, ${entry.companyId}, ${entry.environmentId}, ${entry.userId}, ${entry.actor}, ${entry.kind},
            ${entry.objectId}, ${asJson(entry.before)}, ${asJson(entry.after)}, ${entry.ip}, app_now())`);
}

export interface AuditFilter {
  userId: string | null;
  /** A kind, or an object whose kinds are all meant. */
  kind: string | null;
  from: Date | null;
  to: Date | null;
}

export interface StoredAuditEntry extends Omit<AuditEntry, 'companyId' | 'environmentId'> {
  gameId: string | null;
  mode: string | null;
  createdAt: Date;
}

/** Newest first, by id. */
export const listAuditEntries = (
  db: Queryable,
  companyId: string,
  { userId, kind, from, to }: AuditFilter,
  beforeId: string | null,
  limit: number,
): Promise<StoredAuditEntry[]> =>
  db.query(sqlUnprepared('audit_list')`
    select a.id, a.user_id as "userId", a.actor, a.kind, a.object_id as "objectId", a.before, a.after, a.ip,
           e.game_id as "gameId", e.mode, a.created_at as "createdAt"
    from audit_entries a
    left join environments e on e.id = a.environment_id
    where a.company_id = ${companyId}
      and (${beforeId}::text is null or a.id < ${beforeId}::text)
      and (${userId}::text is null or a.user_id = ${userId}::text)
      and (${kind}::text is null or a.kind = ${kind}::text or starts_with(a.kind, ${kind}::text || '.'))
      and (${from}::timestamptz is null or a.created_at >= ${from}::timestamptz)
      and (${to}::timestamptz is null or a.created_at < ${to}::timestamptz)
    order by a.id desc limit ${limit}`);

/** What happened to a user's own account, newest first. */
export const listUserAuditEntries = (
  db: Queryable,
  userId: string,
  beforeId: string | null,
  limit: number,
): Promise<StoredAuditEntry[]> =>
  db.query(sql('audit_list_of_user')`
    select id, user_id as "userId", actor, kind, object_id as "objectId", before, after, ip, null as "gameId", null as mode,
           created_at as "createdAt"
    from audit_entries
    where user_id = ${userId} and company_id is null and (${beforeId}::text is null or id < ${beforeId}::text)
    order by id desc limit ${limit}`);

export interface ToldEntry extends AuditEntry {
  createdAt: Date;
}

export const findAuditEntry = (db: Queryable, id: string): Promise<ToldEntry | null> =>
  db.queryOne(sql('audit_find')`
    select id, company_id as "companyId", environment_id as "environmentId", user_id as "userId", actor, kind,
           object_id as "objectId", before, after, ip, created_at as "createdAt"
    from audit_entries where id = ${id}`);
