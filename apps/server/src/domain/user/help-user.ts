import type { Tx } from '../../db/db.ts';
import { AppError } from '../../kit/app-error.ts';
import { randomToken } from '../../kit/seal.ts';
import { type AuditNote, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { endOtherAccess, makeMailLink } from './mail-links/mail-link.ts';
import { deletePasskeysOfUser } from './passkeys/passkey.sql.ts';
import { hashPassword } from './password.ts';
import { hasSecondFactor } from './second-factor.ts';
import {
  deleteRecoveryCodes,
  findUserByEmail,
  lockUser,
  type User,
  updateTotpOff,
  updateUserPassword,
} from './user.sql.ts';
import { mailLanguage, queueAccountMail } from './user-mail.ts';

/** What the operator's own shell needs to help a user. */
export type HelpShop = Pick<Shop, 'db' | 'publicUrl' | 'passwordCost'>;

const LIVES_SECONDS = 24 * 3600;
const OPERATOR = 'operator (shell)';
const RANDOM_BYTES = 32;

const writeHelp = (tx: Tx, user: User, kind: AuditNote['kind'], after: AuditNote['after'] = null): void =>
  writeAudit(tx, { userId: user.id, email: OPERATOR, ip: null }, { companyId: null, kind, after });

async function lockByEmail(tx: Tx, email: string): Promise<User> {
  const user = await findUserByEmail(tx, email.trim());
  if (!user) throw new AppError('not_found', { detail: `There is no user ${email}.` });
  return lockUser(tx, user.id);
}

/** Signs the user out everywhere, and ends every link that was mailed to them. */
export function endSessions(shop: HelpShop, email: string): Promise<void> {
  return shop.db.transaction(async tx => {
    const user = await lockByEmail(tx, email);
    await endOtherAccess(tx, user.id, null);
    writeHelp(tx, user, 'user.sessions_ended');
  });
}

/**
 * For a user who has lost every second factor and the recovery codes. The operator has proven who asks, and says how. Password, factors
 * and sessions go at once, so that no one who has only the password gets in; the link goes to the user's own address.
 */
export async function replaceFactors(shop: HelpShop, email: string, proof: string): Promise<void> {
  const unknown = await hashPassword(randomToken(RANDOM_BYTES), shop.passwordCost);
  await shop.db.transaction(async tx => {
    const user = await lockByEmail(tx, email);
    if (!hasSecondFactor(user))
      throw new AppError('totp_wrong_state', { detail: `${user.email} has no second factor.` });
    updateTotpOff(tx, user.id);
    deletePasskeysOfUser(tx, user.id);
    deleteRecoveryCodes(tx, user.id);
    updateUserPassword(tx, user.id, unknown);
    await endOtherAccess(tx, user.id, null);
    const link = { userId: user.id, kind: 'password_reset', email: user.email, sessionId: null } as const;
    const token = await makeMailLink(tx, { ...link, livesSeconds: LIVES_SECONDS });
    writeHelp(tx, user, 'user.factors_replaced', { proof });
    await queueAccountMail(tx, shop.publicUrl, {
      kind: 'factorsReplaced',
      recipient: user.email,
      language: mailLanguage(user.locale, 'en'),
      url: `${shop.publicUrl}/dashboard/reset#token=${token}`,
    });
  });
}
