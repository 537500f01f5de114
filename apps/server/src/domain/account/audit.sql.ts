import type { Tx } from '../../db/db.ts';
import { sql } from '../../db/sql.ts';

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
