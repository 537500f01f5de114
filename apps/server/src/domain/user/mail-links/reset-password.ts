import type { DashboardLocale } from '@coinslot/contract';
import type { Tx } from '../../../db/db.ts';
import { AppError, assertNoIssues } from '../../../kit/app-error.ts';
import { sameEmail } from '../../../kit/email.ts';
import { sha256 } from '../../../kit/seal.ts';
import { type Visitor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import { deletePasskeysOfUser } from '../passkeys/passkey.sql.ts';
import { hashPassword, passwordIssue } from '../password.ts';
import { mailTries, requestTries, takeTry } from '../throttle.ts';
import {
  deleteRecoveryCodes,
  findUser,
  findUserByEmail,
  lockUser,
  updateEmailVerified,
  updateTotpOff,
  updateUserPassword,
} from '../user.sql.ts';
import { mailLanguage, queueAccountMail } from '../user-mail.ts';
import { deleteMailLink, findMailLink } from './mail-link.sql.ts';
import { endOtherAccess, makeMailLink } from './mail-link.ts';

const LIVES_SECONDS = 3600;

/** The token stands behind #, so no server logs it. */
async function sendResetLink({ db, publicUrl }: Shop, email: string, spoken: DashboardLocale): Promise<void> {
  const user = await findUserByEmail(db, email.trim());
  if (!user) return;
  await db.transaction(async tx => {
    await lockUser(tx, user.id);
    const link = { userId: user.id, kind: 'password_reset', email: user.email, sessionId: null } as const;
    const token = await makeMailLink(tx, { ...link, livesSeconds: LIVES_SECONDS });
    await queueAccountMail(tx, publicUrl, {
      kind: 'passwordReset',
      recipient: user.email,
      language: mailLanguage(user.locale, spoken),
      url: `${publicUrl}/dashboard/reset#token=${token}`,
    });
  });
}

/**
 * Sends the link if there is such a user, and says nothing either way: after the answer, so that its time does not show
 * whether there is one.
 */
export async function requestPasswordReset(shop: Shop, email: string, { ip, language }: Visitor): Promise<void> {
  await takeTry(shop.db, [requestTries('reset', ip), mailTries('reset', email)]);
  shop.background(sendResetLink(shop, email, language), 'password reset');
}

/**
 * The link came to the address, so it is proven from now on. If it was not before, a stranger may have registered it: what
 * they set up beside the password goes as well.
 */
async function takeOver(tx: Tx, userId: string, email: string): Promise<void> {
  const user = await lockUser(tx, userId);
  if (!sameEmail(email, user.email)) throw new AppError('link_invalid');
  if (user.emailVerifiedAt) return;
  updateEmailVerified(tx, user.id);
  updateTotpOff(tx, user.id);
  deletePasskeysOfUser(tx, user.id);
  deleteRecoveryCodes(tx, user.id);
}

/**
 * Ends every session and every other link: the thief who made the reset necessary may hold one of them. Answers with the
 * address, which this browser has proven.
 */
export async function resetPassword(
  shop: Shop,
  { token, password }: { token: string; password: string },
  { ip, language: spoken }: Visitor,
): Promise<string> {
  const { db } = shop;
  await takeTry(db, [requestTries('reset use', ip)]);
  const tokenHash = sha256(token);
  const link = await findMailLink(db, tokenHash, 'password_reset');
  const user = link && (await findUser(db, link.userId));
  if (!user) throw new AppError('link_invalid');
  // Before the link is used up: a password that is refused must not cost the way in.
  assertNoIssues(passwordIssue(password, user));
  const passwordHash = await hashPassword(password, shop.passwordCost);
  await db.transaction(async tx => {
    await takeOver(tx, user.id, link.email);
    if (!(await deleteMailLink(tx, tokenHash, 'password_reset'))) throw new AppError('link_invalid');
    updateUserPassword(tx, user.id, passwordHash);
    await endOtherAccess(tx, user.id, null);
    writeAudit(tx, { userId: user.id, email: user.email, ip }, { companyId: null, kind: 'user.password_reset' });
    const language = mailLanguage(user.locale, spoken);
    await queueAccountMail(tx, shop.publicUrl, { kind: 'passwordChanged', recipient: user.email, language });
  });
  return user.email;
}
