import { assertNoIssues } from '../../kit/app-error.ts';
import { type Actor, type Person, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { confirmPassword } from './confirm-identity.ts';
import { nameIssue } from './field-issues.ts';
import { findPendingEmail } from './mail-links/mail-link.sql.ts';
import { endOtherAccess } from './mail-links/mail-link.ts';
import { listPasskeys, type Passkey } from './passkeys/passkey.sql.ts';
import { hashPassword, passwordIssue } from './password.ts';
import {
  findRecoveryCodeCount,
  findUser,
  lockUser,
  type User,
  updateUserPassword,
  updateUserProfile,
} from './user.sql.ts';
import { queueAccountMail } from './user-mail.ts';

export interface Profile {
  user: User;
  pendingEmail: string | null;
  passkeys: Passkey[];
  recoveryCodesLeft: number;
}

export async function readProfile({ db }: Shop, userId: string): Promise<Profile> {
  const [user, pendingEmail, passkeys, recoveryCodesLeft] = await Promise.all([
    findUser(db, userId),
    findPendingEmail(db, userId),
    listPasskeys(db, userId),
    findRecoveryCodeCount(db, userId),
  ]);
  return { user: user!, pendingEmail, passkeys, recoveryCodesLeft };
}

export async function changeProfile(
  { db }: Shop,
  actor: Actor,
  change: { name?: string | undefined; locale?: string | null | undefined },
): Promise<void> {
  const name = change.name?.trim();
  assertNoIssues(name ? nameIssue(name, '/name') : null);
  await db.transaction(async tx => {
    const before = await lockUser(tx, actor.userId);
    const locale = change.locale === undefined ? before.locale : change.locale;
    const after = { id: before.id, name: name ?? before.name, locale };
    updateUserProfile(tx, after);
    const changed = { before: { name: before.name, locale: before.locale }, after: { name: after.name, locale } };
    writeAudit(tx, actor, { companyId: null, kind: 'user.profile_changed', ...changed });
  });
}

export interface PasswordChange {
  current: string;
  next: string;
  /** The session of the request, which stays. */
  sessionId: string;
}

export async function changePassword(shop: Shop, actor: Person, change: PasswordChange): Promise<void> {
  const { current, next, sessionId } = change;
  await confirmPassword(shop, actor.userId, current);
  assertNoIssues(passwordIssue(next, { email: actor.email }));
  const passwordHash = await hashPassword(next, shop.passwordCost);
  await shop.db.transaction(async tx => {
    await lockUser(tx, actor.userId);
    updateUserPassword(tx, actor.userId, passwordHash);
    await endOtherAccess(tx, actor.userId, sessionId);
    writeAudit(tx, actor, { companyId: null, kind: 'user.password_changed' });
    await queueAccountMail(tx, shop.publicUrl, {
      kind: 'passwordChanged',
      recipient: actor.email,
      language: actor.language,
    });
  });
}
