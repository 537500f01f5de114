import { orConflict } from '../../../db/db.ts';
import { foundOr } from '../../../kit/app-error.ts';
import { sha256 } from '../../../kit/seal.ts';
import { type Person, type Visitor, writeAudit } from '../../audit/audit.ts';
import type { Shop } from '../../shop.ts';
import type { SignedIn } from '../session.sql.ts';
import { mailTries, requestTries, takeTry } from '../throttle.ts';
import { findUserByEmail, lockUser, updateUserEmail } from '../user.sql.ts';
import { mailLanguage, queueAccountMail } from '../user-mail.ts';
import { deleteMailLink, findMailLink } from './mail-link.sql.ts';
import { assertSignedInAs, endOtherAccess, makeMailLink } from './mail-link.ts';

const LIVES_SECONDS = 24 * 3600;

export interface EmailChange {
  email: string;
  /** Of the request; it stays when the new address is confirmed. */
  sessionId: string;
}

/**
 * The new address must answer before it counts: otherwise a typing mistake would lock the member out. An address that has
 * an account gets another mail and the member the same answer, so that no member can ask who has one.
 */
export async function requestEmailChange(shop: Shop, actor: Person, { email, sessionId }: EmailChange): Promise<void> {
  const { db, publicUrl } = shop;
  await takeTry(db, [mailTries('email change', actor.userId), mailTries('email change to', email)]);
  const next = email.trim();
  const known = await findUserByEmail(db, next);
  await db.transaction(async tx => {
    await lockUser(tx, actor.userId);
    const link = { userId: actor.userId, kind: 'email_change', email: next, sessionId } as const;
    const token = await makeMailLink(tx, { ...link, livesSeconds: LIVES_SECONDS });
    writeAudit(tx, actor, {
      companyId: null,
      kind: 'user.email_change_requested',
      before: { email: actor.email },
      after: { email: next },
    });
    if (known) {
      const language = mailLanguage(known.locale, actor.language);
      await queueAccountMail(tx, publicUrl, { kind: 'addressInUse', recipient: known.email, language });
      return;
    }
    await queueAccountMail(tx, publicUrl, {
      kind: 'emailToConfirm',
      recipient: next,
      language: actor.language,
      values: { email: actor.email },
      url: `${publicUrl}/dashboard/confirm-email#token=${token}`,
    });
  });
}

/**
 * Ends every other link and session: the old mailbox must not be a way back in. The link counts in a browser that is signed in to
 * the account: otherwise who is sent it would prove an account that a stranger moved to their address, with the password and the
 * passkeys that it has (row 230).
 */
export async function confirmEmailChange(
  { db, publicUrl }: Shop,
  token: string,
  { ip, language: spoken, signedIn }: Visitor & { signedIn: Pick<SignedIn, 'userId'> | null },
): Promise<void> {
  await takeTry(db, [requestTries('email use', ip)]);
  const tokenHash = sha256(token);
  const found = await foundOr('link_invalid', findMailLink(db, tokenHash, 'email_change'));
  assertSignedInAs(signedIn, found.userId);
  await db
    .transaction(async tx => {
      const user = await lockUser(tx, found.userId);
      const link = await foundOr('link_invalid', deleteMailLink(tx, tokenHash, 'email_change'));
      await updateUserEmail(tx, user.id, link.email);
      await endOtherAccess(tx, user.id, link.sessionId);
      writeAudit(
        tx,
        { userId: user.id, email: user.email, ip },
        { companyId: null, kind: 'user.email_changed', before: { email: user.email }, after: { email: link.email } },
      );
      await queueAccountMail(tx, publicUrl, {
        kind: 'emailChanged',
        recipient: user.email,
        userId: user.id,
        language: mailLanguage(user.locale, spoken),
        values: { email: link.email },
      });
    })
    .catch(orConflict('users_email', 'link_invalid'));
}
