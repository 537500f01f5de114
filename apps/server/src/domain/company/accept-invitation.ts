import { orConflict, type Tx } from '../../db/db.ts';
import { AppError, assertNoIssues, foundOr } from '../../kit/app-error.ts';
import { sameEmail } from '../../kit/email.ts';
import { newId } from '../../kit/ids.ts';
import { sha256 } from '../../kit/seal.ts';
import { type Actor, writeAudit } from '../audit/audit.ts';
import type { Shop } from '../shop.ts';
import { nameIssue } from '../user/field-issues.ts';
import { assertVerified } from '../user/mail-links/verify-email.ts';
import { hashPassword, passwordIssue } from '../user/password.ts';
import type { Browser } from '../user/sign-in.ts';
import { type Caller, startSession } from '../user/start-session.ts';
import { requestTries, takeTry } from '../user/throttle.ts';
import { findUserByEmail, insertUser } from '../user/user.sql.ts';
import { deleteInvitation, findInvitationByToken, type Invitation } from './invitation.sql.ts';
import { findMemberByEmail, insertMember, lockCompany } from './member.sql.ts';

export interface Acceptance {
  token: string;
  name?: string | undefined;
  password?: string | undefined;
  locale?: string | undefined;
}

export interface InvitationOffer extends Invitation {
  hasAccount: boolean;
}

async function readOffer({ db }: Shop, token: string): Promise<InvitationOffer> {
  const invitation = await foundOr('invitation_invalid', findInvitationByToken(db, sha256(token)));
  return { ...invitation, hasAccount: (await findUserByEmail(db, invitation.email)) !== null };
}

export async function readInvitation(shop: Shop, token: string, ip: string): Promise<InvitationOffer> {
  await takeTry(shop.db, [requestTries('invitation', ip)]);
  return readOffer(shop, token);
}

async function join(tx: Tx, { companyId, id, role }: Invitation, token: string, actor: Actor): Promise<void> {
  await lockCompany(tx, companyId);
  if (await findMemberByEmail(tx, companyId, actor.email)) throw new AppError('already_member');
  if (!(await deleteInvitation(tx, companyId, id, sha256(token)))) throw new AppError('invitation_invalid');
  await insertMember(tx, companyId, actor.userId, role);
  const after = { email: actor.email, role };
  writeAudit(tx, actor, { companyId, kind: 'member.joined', objectId: actor.userId, after });
}

/** Only the user who was invited, so that a forwarded link lets no other user in. */
async function acceptAsUser(shop: Shop, actor: Actor, token: string): Promise<void> {
  const invitation = await readOffer(shop, token);
  if (!sameEmail(invitation.email, actor.email)) throw new AppError('invitation_not_yours');
  if (invitation.role === 'owner') await assertVerified(shop.db, actor.userId);
  await shop.db.transaction(tx => join(tx, invitation, token, actor));
}

/** The link proves that the address is theirs. */
async function acceptAsNewUser(shop: Shop, form: Acceptance, caller: Caller): Promise<string> {
  const { db } = shop;
  const invitation = await readOffer(shop, form.token);
  if (invitation.hasAccount)
    throw new AppError('sign_in_required', { detail: 'This address has a user: sign in first.' });
  const { email } = invitation;
  const name = form.name?.trim() ?? '';
  const password = form.password ?? '';
  assertNoIssues(passwordIssue(password, { email, name }), name === '' ? null : nameIssue(name, '/name'));
  const passwordHash = await hashPassword(password, shop.passwordCost);
  const userId = newId('usr');
  return db
    .transaction(async tx => {
      await insertUser(tx, { id: userId, email, passwordHash, name, locale: form.locale ?? null, isVerified: true });
      await join(tx, invitation, form.token, { userId, email, ip: caller.ip });
      return startSession(tx, userId, caller);
    })
    .catch(orConflict('users_email', 'email_taken'));
}

/** Answers with the token of a new session, or null where the browser keeps its own. */
export async function acceptInvitation(shop: Shop, form: Acceptance, browser: Browser): Promise<string | null> {
  const { signedIn, ip } = browser;
  await takeTry(shop.db, [requestTries('invitation', ip)]);
  if (!signedIn) return acceptAsNewUser(shop, form, browser);
  await acceptAsUser(shop, { userId: signedIn.userId, email: signedIn.email, ip }, form.token);
  return null;
}
