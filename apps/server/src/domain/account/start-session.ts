import type { Tx } from '../../db/db.ts';
import { newId } from '../../kit/ids.ts';
import { sha256 } from '../../kit/seal.ts';
import { deleteOldSessions, insertSession } from './session.sql.ts';
import { newSessionToken } from './session-token.ts';

/** Where a request comes from, for the list of sessions and the audit log. */
export interface Caller {
  ip: string;
  userAgent: string;
}

/** Always a new token: one that somebody planted in the browser before is worth nothing. */
export function startSession(tx: Tx, userId: string, { ip, userAgent }: Caller): string {
  const token = newSessionToken();
  insertSession(tx, { id: newId('ses'), userId, tokenHash: sha256(token), ip, userAgent });
  deleteOldSessions(tx);
  return token;
}
