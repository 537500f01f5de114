import type { DashboardLocale } from '@coinslot/contract';
import type { Db, Tx } from '../../../db/db.ts';
import { AppError } from '../../../kit/app-error.ts';
import { sameEmail } from '../../../kit/email.ts';
import { sha256 } from '../../../kit/seal.ts';
import { type Person, type Visitor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import type { SignedIn } from '../session.sql.ts';
import { mailTries, requestTries, takeTry } from '../throttle.ts';
import { findUser, lockUser, updateEmailVerified } from '../user.sql.ts';
import { queueAccountMail } from '../user-mail.ts';
import { deleteMailLink, findMailLink } from './mail-link.sql.ts';
import { assertSignedInAs, makeMailLink } from './mail-link.ts';

const LIVES_SECONDS = 24 * 3600;

interface Addressee {
  id: string;
  email: string;
  language: DashboardLocale;
}

/** Sends the link that proves the address, and answers with it. */
export async function sendVerification(tx: Tx, publicUrl: string, to: Addressee): Promise<string> {
  const link = { userId: to.id, kind: 'email_verify', email: to.email, sessionId: null } as const;
  const token = await makeMailLink(tx, { ...link, livesSeconds: LIVES_SECONDS });
  const url = `${publicUrl}/dashboard/confirm-email#token=${token}`;
  await queueAccountMail(tx, publicUrl, { kind: 'emailToVerify', recipient: to.email, language: to.language, url });
  return url;
}

/** Again, for a user whose first link is lost or too old. */
export async function requestVerification({ db, publicUrl }: Shop, actor: Person): Promise<string> {
  await takeTry(db, [mailTries('verification', actor.userId)]);
  return db.transaction(async tx => {
    const user = await lockUser(tx, actor.userId);
    if (user.emailVerifiedAt) throw new AppError('already_verified');
    return sendVerification(tx, publicUrl, { id: user.id, email: user.email, language: actor.language });
  });
}

/**
 * True when the token was one that proves an address; a token of another kind is left alone. The link counts in a browser that is
 * signed in to the account: otherwise who is sent it would prove an account that a stranger made of their address, and has the
 * password of (row 202).
 */
export async function verifyEmail(
  { db }: Shop,
  token: string,
  { ip, signedIn }: Visitor & { signedIn: Pick<SignedIn, 'userId'> | null },
): Promise<boolean> {
  await takeTry(db, [requestTries('email use', ip)]);
  const tokenHash = sha256(token);
  const found = await findMailLink(db, tokenHash, 'email_verify');
  if (!found) return false;
  assertSignedInAs(signedIn, found.userId);
  return db.transaction(async tx => {
    const user = await lockUser(tx, found.userId);
    const link = await deleteMailLink(tx, tokenHash, 'email_verify');
    if (!link || !sameEmail(link.email, user.email)) throw new AppError('link_invalid');
    updateEmailVerified(tx, user.id);
    const actor = { userId: user.id, email: user.email, ip };
    writeAudit(tx, actor, { companyId: null, kind: 'user.email_verified', after: { email: user.email } });
    return true;
  });
}

/** What sends mail to strangers is closed to accounts whose own address may be invented. */
export async function assertVerified(db: Db, userId: string): Promise<void> {
  const user = await findUser(db, userId);
  if (!user?.emailVerifiedAt) throw new AppError('email_unverified');
}
