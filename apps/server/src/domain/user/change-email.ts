import { constraintOf, type Db } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { randomToken, sha256 } from '../../kit/seal.ts';
import { type Person, type Visitor, writeAudit } from '../audit/audit.ts';
import { confirmPassword } from './confirm-password.ts';
import { mailLanguage } from './languages/user-mail-languages.ts';
import { deleteMailLink, insertMailLink } from './mail-link.sql.ts';
import { mailTries, requestTries, takeTry } from './throttle.ts';
import { findUserByEmail, lockUser, updateUserEmail } from './user.sql.ts';
import { queueAccountMail } from './user-mail.ts';

const LIVES_SECONDS = 24 * 3600;
const TOKEN_BYTES = 32;

export interface EmailDeps {
  db: Db;
  publicUrl: string;
}

const taken = (cause?: unknown): AppError => new AppError('email_taken', { cause });

/** The new address must answer before it counts: otherwise a typing mistake would lock the member out. */
export async function requestEmailChange(
  deps: EmailDeps,
  actor: Person,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const { db, publicUrl } = deps;
  await confirmPassword(deps, actor.userId, password);
  await takeTry(db, [mailTries('email change', actor.userId)]);
  const next = email.trim();
  if (await findUserByEmail(db, next)) throw taken();
  const token = randomToken(TOKEN_BYTES);
  await db.transaction(async tx => {
    const link = { tokenHash: sha256(token), userId: actor.userId, kind: 'email_change', email: next } as const;
    await insertMailLink(tx, { ...link, livesSeconds: LIVES_SECONDS });
    writeAudit(tx, actor, { companyId: null, kind: 'user.email_change_requested', after: { email: next } });
    await queueAccountMail(tx, {
      kind: 'emailToConfirm',
      recipient: next,
      language: actor.language,
      values: { email: actor.email },
      url: `${publicUrl}/dashboard/confirm-email#token=${token}`,
    });
  });
}

export async function confirmEmailChange(
  { db }: EmailDeps,
  token: string,
  { ip, language: spoken }: Visitor,
): Promise<void> {
  await takeTry(db, [requestTries('email use', ip)]);
  await db
    .transaction(async tx => {
      const link = await deleteMailLink(tx, sha256(token), 'email_change');
      if (!link) throw new AppError('link_invalid');
      const user = await lockUser(tx, link.userId);
      await updateUserEmail(tx, user.id, link.email);
      writeAudit(
        tx,
        { userId: user.id, email: user.email, ip },
        { companyId: null, kind: 'user.email_changed', before: { email: user.email }, after: { email: link.email } },
      );
      await queueAccountMail(tx, {
        kind: 'emailChanged',
        recipient: user.email,
        language: mailLanguage(user.locale, spoken),
        values: { email: link.email },
      });
    })
    .catch((error: unknown) => {
      throw constraintOf(error) === 'users_email' ? taken(error) : error;
    });
}
