import type { DashboardLocale } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { insertAuditEntry } from './audit.sql.ts';

/** Who did it, as the log will say it. */
export interface Actor {
  userId: string;
  email: string;
  ip: string;
}

/** Somebody who is not signed in, or need not be. */
export type Visitor = Pick<Person, 'ip' | 'language'>;

/** Who did it in the dashboard, and the language it spoke: mails that follow are written in it. */
export interface Person extends Actor {
  language: DashboardLocale;
}

type Facts = Record<string, string | number | boolean | null | string[]>;

export interface AuditNote {
  /** Null for what a user did to the own account. */
  companyId: string | null;
  environmentId?: string | null;
  /** Object and what happened to it, such as `webhook.created`. */
  kind: `${string}.${string}`;
  objectId?: string | null;
  /** Only what changed, and never a secret. */
  before?: Facts | null;
  after?: Facts | null;
}

/** In the transaction of the change: there is no change without its entry, and no entry without its change. */
export function writeAudit(tx: Tx, actor: Actor, note: AuditNote): void {
  const { companyId, environmentId = null, kind, objectId = null, before = null, after = null } = note;
  insertAuditEntry(tx, {
    id: newId('aud'),
    companyId,
    environmentId,
    userId: actor.userId,
    actor: actor.email,
    kind,
    objectId,
    before,
    after,
    ip: actor.ip,
  });
}
