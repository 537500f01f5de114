import { jsonOrNull, type Queryable, type RowOf, sql, sqlUnprepared, type Tx, table } from '../../db/statement.ts';

const AUDIT_ENTRIES = table('audit_entries', {
  id: 'text',
  companyId: 'text?',
  environmentId: 'text?',
  userId: 'text?',
  actor: 'text',
  kind: 'text',
  objectId: 'text?',
  before: jsonOrNull<Record<string, unknown>>(),
  after: jsonOrNull<Record<string, unknown>>(),
  ip: 'text?',
});

export type AuditEntry = RowOf<typeof AUDIT_ENTRIES>;

export const insertAuditEntry = (tx: Tx, entry: AuditEntry): void =>
  tx.write(sql('audit_insert')`
    insert into audit_entries (${AUDIT_ENTRIES.names}, created_at) values (${AUDIT_ENTRIES.values(entry)}, app_now())`);

export interface AuditFilter {
  userId: string | null;
  /** A kind, or an object whose kinds are all meant. */
  kind: string | null;
  from: Date | null;
  to: Date | null;
}

const LISTED = AUDIT_ENTRIES.omit('companyId, environmentId');

export interface StoredAuditEntry extends RowOf<typeof LISTED> {
  gameId: string | null;
  mode: string | null;
  createdAt: Date;
}

export const listAuditEntries = (
  db: Queryable,
  companyId: string,
  { userId, kind, from, to }: AuditFilter,
  beforeId: string | null,
  limit: number,
): Promise<StoredAuditEntry[]> =>
  db.query(sqlUnprepared('audit_list')`
    select ${LISTED.of('a')}, e.game_id as "gameId", e.mode, a.created_at as "createdAt"
    from audit_entries a
    left join environments e on e.id = a.environment_id
    where a.company_id = ${companyId}
      and (${beforeId}::text is null or a.id < ${beforeId}::text)
      and (${userId}::text is null or a.user_id = ${userId}::text)
      and (${kind}::text is null or a.kind = ${kind}::text or starts_with(a.kind, ${kind}::text || '.'))
      and (${from}::timestamptz is null or a.created_at >= ${from}::timestamptz)
      and (${to}::timestamptz is null or a.created_at < ${to}::timestamptz)
    order by a.id desc limit ${limit}`);

export const listUserAuditEntries = (
  db: Queryable,
  userId: string,
  beforeId: string | null,
  limit: number,
): Promise<StoredAuditEntry[]> =>
  db.query(sql('audit_list_of_user')`
    select ${LISTED.columns}, null as "gameId", null as mode, created_at as "createdAt"
    from audit_entries
    where user_id = ${userId} and company_id is null and (${beforeId}::text is null or id < ${beforeId}::text)
    order by id desc limit ${limit}`);

export interface DatedAuditEntry extends AuditEntry {
  createdAt: Date;
}

export const findAuditEntry = (db: Queryable, id: string): Promise<DatedAuditEntry | null> =>
  db.queryOne(sql('audit_find')`
    select ${AUDIT_ENTRIES.columns}, created_at as "createdAt"
    from audit_entries where id = ${id}`);

export interface OwnerToNotify {
  email: string;
  locale: string | null;
  companyName: string;
}

/** The owners of the company, or of every company of the user whose own account was changed. */
export const listOwnersToNotify = (
  db: Queryable,
  { companyId, userId }: { companyId: string | null; userId: string | null },
): Promise<OwnerToNotify[]> =>
  db.query(sql('owner_list_to_notify')`
    select u.email, u.locale, string_agg(c.name, ', ' order by c.id) as "companyName"
    from members m
    join users u on u.id = m.user_id
    join companies c on c.id = m.company_id
    where m.role = 'owner'
      and (m.company_id = ${companyId} or ${companyId}::text is null
           and m.company_id in (select company_id from members where user_id = ${userId}))
    group by u.id, u.email, u.locale
    order by u.email limit 100`);
