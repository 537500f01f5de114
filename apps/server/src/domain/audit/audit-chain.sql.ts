import type { NumberedTable } from '../../db/read-numbered.sql.ts';
import type { Span } from '../../db/read-numbered.ts';
import { fragment, type Queryable, sql, type Tx } from '../../db/statement.ts';

export const NUMBERED_AUDIT: NumberedTable = {
  tables: ['audit_entries'],
  newest: sql('audit_find_newest')`select seq from audit_entries order by seq desc limit 1`,
};

/** Covers every column. The date goes in as a number, because a date as text depends on the session's time zone. */
const DIGEST = fragment`sha256(convert_to(json_build_array(a.seq, a.id, a.company_id, a.environment_id, a.user_id, a.actor,
  a.kind, a.object_id, a.before::text, a.after::text, a.ip, extract(epoch from a.created_at)::text)::text, 'UTF8'))`;

export interface DigestedEntry {
  seq: number;
  digest: Buffer;
}

export const listAuditDigests = (tx: Tx, { after, upTo }: Span): Promise<DigestedEntry[]> =>
  tx.query(sql('audit_list_digests')`
    select a.seq, ${DIGEST} as digest from audit_entries a where a.seq > ${after} and a.seq <= ${upTo} order by a.seq`);

export const findLastLink = (db: Queryable): Promise<{ seq: number; mac: Buffer } | null> =>
  db.queryOne(sql('audit_link_find_last')`select seq, mac from audit_links order by seq desc limit 1`);

export const insertLinks = (tx: Tx, links: readonly { seq: number; mac: Buffer }[]): Promise<void> =>
  tx.execute(sql('audit_link_insert')`
    insert into audit_links (seq, mac)
    select l.seq, l.mac
    from unnest(${links.map(({ seq }) => seq)}::bigint[], ${links.map(({ mac }) => mac)}::bytea[]) as l (seq, mac)`);

export interface CheckedLink {
  seq: number;
  /** Null: the entry has no link. */
  mac: Buffer | null;
  /** Null: the entry of this link is gone. */
  digest: Buffer | null;
}

/** Entries and links side by side, in the order of the chain. */
export const listLinksToCheck = (db: Queryable, { after, upTo }: Span): Promise<CheckedLink[]> =>
  db.query(sql('audit_link_list_to_check')`
    select coalesce(l.seq, a.seq) as seq, l.mac, a.digest
    from (select a.seq, ${DIGEST} as digest from audit_entries a where a.seq > ${after} and a.seq <= ${upTo}) a
    full join (select seq, mac from audit_links where seq > ${after} and seq <= ${upTo}) l on l.seq = a.seq
    order by 1`);

/** Counts what a worker has not linked yet, with the age of the oldest. */
export const findUnlinked = (db: Queryable, after: number): Promise<{ count: number; oldestSeconds: number }> =>
  db.queryFirst(sql('audit_find_unlinked')`
    select count(*)::int as count,
      coalesce(extract(epoch from app_now() - min(created_at)), 0)::float8 as "oldestSeconds"
    from audit_entries where seq > ${after}`);
