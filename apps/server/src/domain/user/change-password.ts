import { AppError } from '../../kit/app-error.ts';
import { type Person, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { confirmPassword } from './confirm-password.ts';
import { endOtherAccess } from './mail-links/mail-link.ts';
import { hashPassword, passwordIssue } from './password.ts';
import { lockUser, updateUserPassword } from './user.sql.ts';
import { queueAccountMail } from './user-mail.ts';

export interface PasswordChange {
  current: string;
  next: string;
  /** The session of the request, which stays. */
  sessionId: string;
}

export async function changePassword(
  shop: Shop,
  actor: Person,
  { current, next, sessionId }: PasswordChange,
): Promise<void> {
  await confirmPassword(shop, actor.userId, current);
  const issue = passwordIssue(next, { email: actor.email });
  if (issue) throw new AppError('validation_failed', { detail: 'One field is wrong.', issues: [issue] });
  const passwordHash = await hashPassword(next, shop.passwordCost);
  await shop.db.transaction(async tx => {
    await lockUser(tx, actor.userId);
    updateUserPassword(tx, actor.userId, passwordHash);
    await endOtherAccess(tx, actor.userId, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.password_changed' });
    await queueAccountMail(tx, { kind: 'passwordChanged', recipient: actor.email, language: actor.language });
  });
}
