import type { Tx } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
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

/** What proves an address counts for who has the account as well as the mailbox. */
export function assertSignedInAs(signedIn: { userId: string } | null, userId: string): void {
  if (signedIn?.userId === userId) return;
  throw new AppError('sign_in_required', { detail: 'Sign in to the account first, then open the link again.' });
}

/**
 * With every change of how a user signs in: links that were mailed before and sessions that were opened before end, since
 * the change may have been made because an attacker holds one.
 */
export async function endOtherAccess(tx: Tx, userId: string, sparedSessionId: string | null): Promise<void> {
  await deleteMailLinksOfUser(tx, userId);
  await deleteSessionsOfUser(tx, userId, sparedSessionId);
}
