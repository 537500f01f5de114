import type { Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { newId } from '../../kit/ids.ts';
import { randomToken, sha256 } from '../../kit/seal.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import {
  deleteOldSessions,
  deleteSession,
  deleteSessionsOfUser,
  insertSession,
  type NewSession,
  updateSessionToken,
} from './session.sql.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[vs]_[\w-]{43}$/;

/** Names a session; the database knows its hash only. */
const newSessionToken = (): string => `s_${randomToken(TOKEN_BYTES)}`;

/** Names a browser that has not signed in, so that even the form to sign in has a token that is its own. */
export const newVisitorToken = (): string => `v_${randomToken(TOKEN_BYTES)}`;

export const isBrowserToken = (text: string): boolean => TOKEN.test(text);

export const isSessionToken = (token: string): boolean => token.startsWith('s_');

/** Where a request comes from, for the list of sessions and the audit log. */
export interface Caller {
  ip: string;
  userAgent: string;
  /** What the browser was given when it last signed in. */
  browserCookie: string | null;
}

type StartedBy = Pick<NewSession, 'signedInBy' | 'sso'> & { id?: string };

/** Always a new token: one that an attacker planted in the browser before is worth nothing. */
export function startSession(
  tx: Tx,
  userId: string,
  { ip, userAgent }: Pick<Caller, 'ip' | 'userAgent'>,
  { id = newId('ses'), ...by }: StartedBy = { signedInBy: 'password' },
): string {
  const token = newSessionToken();
  insertSession(tx, { id, userId, tokenHash: sha256(token), ip, userAgent, ...by });
  deleteOldSessions(tx);
  return token;
}

/**
 * After each proof of who the user is: a token that was stolen before is worth nothing from then on. Null when another request
 * of the browser was quicker.
 */
export async function renewSession(
  { db }: Pick<Shop, 'db'>,
  { sessionId, token }: { sessionId: string; token: string },
): Promise<string | null> {
  const next = newSessionToken();
  return (await updateSessionToken(db, sessionId, { from: sha256(token), to: sha256(next) })) ? next : null;
}

export async function endSession({ db }: Shop, actor: Actor, sessionId: string): Promise<void> {
  await db.transaction(async tx => {
    const ended = await deleteSession(tx, actor.userId, sessionId);
    if (ended.length === 0) throw new AppError('session_not_found');
    writeAudit(tx, actor, { companyId: null, kind: 'session.ended', objectId: sessionId });
  });
}

export function endOtherSessions({ db }: Shop, actor: Actor, sparedId: string): Promise<number> {
  return db.transaction(async tx => {
    const ended = await deleteSessionsOfUser(tx, actor.userId, sparedId);
    writeAudit(tx, actor, { companyId: null, kind: 'session.others_ended', after: { ended: ended.length } });
    return ended.length;
  });
}
