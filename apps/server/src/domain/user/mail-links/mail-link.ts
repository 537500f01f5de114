import type { Tx } from '../../../db/db.ts';
import { randomToken, sha256 } from '../../../kit/seal.ts';
import { deleteSessionsOfUser } from '../session.sql.ts';
import { deleteMailLinksOfUser, insertMailLink, type NewMailLink } from './mail-link.sql.ts';

const TOKEN_BYTES = 32;

/** Answers with the token, which the database knows by its hash only. */
export async function makeMailLink(tx: Tx, link: Omit<NewMailLink, 'tokenHash'>): Promise<string> {
  const token = randomToken(TOKEN_BYTES);
  await insertMailLink(tx, { ...link, tokenHash: sha256(token) });
  return token;
}

/**
 * With every change of how a user signs in: links that were mailed before and sessions that were opened before end, since
 * the change may have been made because an attacker holds one.
 */
export async function endOtherAccess(tx: Tx, userId: string, sparedSessionId: string | null): Promise<void> {
  await deleteMailLinksOfUser(tx, userId);
  await deleteSessionsOfUser(tx, userId, sparedSessionId);
}
