import type { DashboardLocale } from '@coinslot/contract';
import type { Tx } from '../../db/db.ts';
import { insertJob } from '../../jobs/jobs.sql.ts';
import { newId } from '../../kit/ids.ts';
import { insertAuditEntry } from './audit.sql.ts';

/** The studio member behind a change, as the log names them. Use cases take null from the game's backend and the command line. */
export interface Actor {
  userId: string;
  email: string;
  ip: string;
}

/** Who stands behind an entry; an operator in the shell comes from no address. */
type Author = Omit<Actor, 'ip'> & { ip: string | null };

/** A caller of the dashboard who need not be signed in. */
export type Visitor = Pick<Person, 'ip' | 'language'>;

/** A studio member and the language of their dashboard, in which the mails that follow are written. */
export interface Person extends Actor {
  language: DashboardLocale;
}

type Facts = Record<string, string | number | boolean | null | string[]>;

export interface AuditNote {
  /** Null for a change of the member's own account. */
  companyId: string | null;
  environmentId?: string | null;
  /** Object and what happened to it, such as `webhook.created`. */
  kind: `${string}.${string}`;
  objectId?: string | null;
  /** Only what changed, and never a secret. */
  before?: Facts | null;
  after?: Facts | null;
}

export const auditScope = (environment: { id: string; companyId: string }) => ({
  companyId: environment.companyId,
  environmentId: environment.id,
});

const always = (): boolean => true;

/** The changes that the owners of a company are notified of by mail, and when. */
const NOTIFIED_KINDS = {
  'key.created': always,
  'key.revealed': always,
  'webhook.created': always,
  'webhook.changed': ({ before, after }) => before?.url !== after?.url,
  'webhook.secret_rotated': always,
  'webhook.secret_revealed': always,
  'invitation.sent': always,
  'invitation.resent': always,
  'member.joined': always,
  'member.role_changed': always,
  'provider.connected': always,
  'provider.changed': always,
  'provider.disconnected': always,
  'company.second_factor_changed': always,
  'sso.changed': always,
  'sso.removed': always,
  'user.totp_disabled': always,
  'user.passkey_removed': always,
  'user.factors_replaced': always,
} as const satisfies Record<string, (note: AuditNote) => boolean>;

export type NotifiedKind = keyof typeof NOTIFIED_KINDS;

const isNotifiedKind = (kind: string): kind is NotifiedKind => Object.hasOwn(NOTIFIED_KINDS, kind);

/** The job that writes the mails; it is done by a module further up. */
export const NOTIFY_OWNERS_JOB = 'security.notify_owners';

const MOST_CHARS = 500;
const MOST_ENTRIES = 50;
const short = (text: string): string => (text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text);

/** Shortens long values: an entry says what changed, and its size is bounded whatever was changed. */
function shortFacts(facts: Facts | null): Facts | null {
  if (!facts) return null;
  const kept = Object.entries(facts).slice(0, MOST_ENTRIES);
  return Object.fromEntries(
    kept.map(([name, fact]) => {
      if (Array.isArray(fact)) return [name, fact.slice(0, MOST_ENTRIES).map(short)];
      return [name, typeof fact === 'string' ? short(fact) : fact];
    }),
  );
}

/** In the transaction of the change: there is no change without its entry, and no entry without its change. */
export function writeAudit(tx: Tx, actor: Author | null, note: AuditNote): void {
  if (!actor) return;
  const { companyId, environmentId = null, kind, objectId = null, before = null, after = null } = note;
  const id = newId('aud');
  if (isNotifiedKind(kind) && NOTIFIED_KINDS[kind](note)) {
    insertJob(tx, { name: NOTIFY_OWNERS_JOB, environmentId: null, payload: { auditId: id } });
  }
  insertAuditEntry(tx, {
    id,
    companyId,
    environmentId,
    userId: actor.userId,
    actor: actor.email,
    kind,
    objectId,
    before: shortFacts(before),
    after: shortFacts(after),
    ip: actor.ip,
  });
}
